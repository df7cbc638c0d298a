/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain objects behind control blocks, in three layouts. Two kinds of block
 * are enough: one with the object behind it, and one with a pointer to it; a
 * linked object is of the second kind and points back. Counting is in block.h.
 */
#include "troupe_object.h"

#include "block.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The block of an object apart. block.spare is the class in both kinds. */
struct object_apart {
	struct troupe_control_block block;
	void *object;
};

static const struct troupe_object_class *
object_class_of(const struct troupe_control_block *block)
{
	return (const struct troupe_object_class *)(uintptr_t)block->spare;
}

static void object_destroy(const struct troupe_control_block *block,
			   void *object)
{
	const struct troupe_object_class *object_class = object_class_of(block);

	if (object_class->destroy != NULL)
		object_class->destroy(object);
}

static void object_together_unreferenced(struct troupe_control_block *block)
{
	object_destroy(block, troupe_block_object(block));
}

static void object_apart_unreferenced(struct troupe_control_block *block)
{
	object_destroy(block, ((struct object_apart *)block)->object);
}

static void object_free(struct troupe_control_block *block)
{
	const struct troupe_object_class *object_class = object_class_of(block);

	if (object_class->free != NULL)
		object_class->free(block);
	else
		free(block);
}

static const struct troupe_block_ops object_together_ops = {
	.name = "object together with its block",
	.unreferenced = object_together_unreferenced,
	.free = object_free,
};

static const struct troupe_block_ops object_apart_ops = {
	.name = "object apart from its block",
	.unreferenced = object_apart_unreferenced,
	.free = object_free,
};

/* @size: of the block and what follows it, rounded up to whole lines here. */
static struct troupe_control_block *
object_block_create(const struct troupe_object_class *object_class,
		    const struct troupe_block_ops *ops, size_t size)
{
	struct troupe_control_block *block;
	size_t line = TROUPE_CONTROL_BLOCK_SIZE;

	troupe_assert((object_class->alloc == NULL) ==
		      (object_class->free == NULL));
	size = (size + line - 1) / line * line;
	if (object_class->alloc != NULL)
		block = object_class->alloc(size);
	else
		block = aligned_alloc(line, size);
	if (block == NULL)
		return NULL;
	troupe_block_init(block, ops, 0, NULL);
	block->spare = (uintptr_t)object_class;
	return block;
}

int troupe_object_create(const struct troupe_object_class *object_class,
			 size_t size, struct troupe_strong *ret_object)
{
	struct troupe_control_block *block;

	if (size > SIZE_MAX / 2)
		return -ENOMEM;
	block = object_block_create(object_class, &object_together_ops,
				    TROUPE_CONTROL_BLOCK_SIZE + size);
	if (block == NULL)
		return -ENOMEM;
	memset(troupe_block_object(block), 0, size);
	*ret_object = (struct troupe_strong){block};
	return 0;
}

int troupe_object_wrap(const struct troupe_object_class *object_class,
		       void *object, struct troupe_strong *ret_object)
{
	struct troupe_control_block *block;

	block = object_block_create(object_class, &object_apart_ops,
				    sizeof(struct object_apart));
	if (block == NULL)
		return -ENOMEM;
	((struct object_apart *)block)->object = object;
	*ret_object = (struct troupe_strong){block};
	return 0;
}

int troupe_object_wrap_linked(const struct troupe_object_class *object_class,
			      void *object, struct troupe_object_link *link,
			      struct troupe_strong *ret_object)
{
	int result = troupe_object_wrap(object_class, object, ret_object);

	if (result == 0)
		link->block = ret_object->block;
	return result;
}

struct troupe_strong troupe_object_self(const struct troupe_object_link *link)
{
	/* While the object exists or is being destroyed, its strong handles'
	 * weak count keeps the block. */
	return troupe__weak_lock((struct troupe_weak){link->block});
}

void *troupe_object(struct troupe_strong handle)
{
	if (handle.block == NULL)
		return NULL;
	if (handle.block->ops == &object_together_ops)
		return troupe_block_object(handle.block);
	troupe_assert(handle.block->ops == &object_apart_ops);
	return ((struct object_apart *)handle.block)->object;
}
