/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shared_layouts - three ways to put a shared object and its counts in memory
 *
 *	together   [block|object]          one allocation
 *	apart      [block|.]--->[object]   an object that existed before
 *	linked     [block|.]<-->[object]   and that can make handles to itself
 *
 * The log shows that they differ in the number of allocations, and in when the
 * object's memory goes: with the last strong handle, or with the last weak one.
 */
#include "demo.h"

#include "troupe_object.h"

static int constructed, destroyed, allocated, freed;

struct song {
	struct troupe_object_link link; /* used by the linked layout only */
	const char *title;
};

static void song_construct(struct song *song, const char *title)
{
	constructed++;
	song->title = title;
	printf("  construct %s\n", title);
}

static void song_destroy(void *object)
{
	destroyed++;
	printf("  destroy %s\n", ((struct song *)object)->title);
}

/* An object apart from its block has memory of its own to give back. */
static void song_destroy_and_free(void *object)
{
	song_destroy(object);
	freed++;
	printf("  free the object\n");
	free(object);
}

static void *log_alloc(size_t size)
{
	allocated++;
	printf("  allocate %zu bytes for the block\n", size);
	return aligned_alloc(64, size);
}

static void log_free(void *memory)
{
	freed++;
	printf("  free the block\n");
	free(memory);
}

static const struct troupe_object_class together_class = {
	"song together with its block", song_destroy, log_alloc, log_free};
static const struct troupe_object_class apart_class = {
	"song apart from its block", song_destroy_and_free, log_alloc,
	log_free};

static struct song *song_create(const char *title)
{
	struct song *song = calloc(1, sizeof(*song));

	demo_check(song == NULL ? -ENOMEM : 0, "calloc");
	allocated++;
	printf("  allocate %zu bytes for the object\n", sizeof(*song));
	song_construct(song, title);
	return song;
}

/* The same for all: a weak handle outlives the last strong one. */
static void live_and_die(struct troupe_strong handle)
{
	struct troupe_weak weak = troupe_weak_from(handle);

	printf("  play %s\n", ((struct song *)troupe_object(handle))->title);
	printf("  release the strong handle\n");
	troupe_strong_release(&handle);
	printf("  release the weak handle\n");
	troupe_weak_release(&weak);
}

int main(int argc, char **argv)
{
	struct troupe_strong handle;
	struct song *song;

	demo_no_arguments(argc, argv);
	printf("together\n");
	demo_check(
		troupe_object_create(&together_class, sizeof(*song), &handle),
		"troupe_object_create");
	song_construct(troupe_object(handle), "Anthem");
	live_and_die(handle);

	printf("apart\n");
	song = song_create("Ballad");
	demo_check(troupe_object_wrap(&apart_class, song, &handle),
		   "troupe_object_wrap");
	live_and_die(handle);

	printf("linked\n");
	song = song_create("Canon");
	demo_check(troupe_object_wrap_linked(&apart_class, song, &song->link,
					     &handle),
		   "troupe_object_wrap_linked");
	printf("  the song makes a handle to itself\n");
	live_and_die(troupe_object_self(&song->link));
	live_and_die(handle);

	printf("%d constructed, %d destroyed; %d allocated, %d freed\n",
	       constructed, destroyed, allocated, freed);
	return 0;
}
