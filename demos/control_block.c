/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * control_block - what lies in front of every shared object
 *
 * One pointer finds both: the block is one cache line, the object follows it,
 * and handles are that one pointer. The counts are shown after each step of a
 * short life. Actors are objects of this kind; here it is a plain one, so that
 * nothing else counts.
 */
#include "demo.h"

#include "troupe_object.h"

#define FIELD(name)                                                \
	printf("  +%-3zu %-9s %zu bytes\n",                        \
	       offsetof(struct troupe_control_block, name), #name, \
	       sizeof(((struct troupe_control_block *)NULL)->name))

struct account {
	char owner[16];
	long balance;
};

static void account_destroy(void *object)
{
	const struct account *account = object;

	printf("  %s's account is destroyed\n", account->owner);
}

static const struct troupe_object_class account_class = {
	.name = "account",
	.destroy = account_destroy,
};

static void show_layout(void)
{
	printf("a control block: %zu bytes, aligned to %zu\n",
	       sizeof(struct troupe_control_block),
	       _Alignof(struct troupe_control_block));
	FIELD(strong);
	FIELD(weak);
	FIELD(id);
	FIELD(node);
	FIELD(system);
	FIELD(ops);
	FIELD(registry);
	FIELD(spare);
	printf("handles: strong %zu bytes, weak %zu bytes\n",
	       sizeof(struct troupe_strong), sizeof(struct troupe_weak));
}

static void show_counts(const char *step, struct troupe_weak weak)
{
	struct troupe_counts counts = troupe_block_counts(weak.block);

	printf("  %-28s strong %lu, weak %lu\n", step,
	       (unsigned long)counts.strong, (unsigned long)counts.weak);
}

static void show_addresses(struct troupe_strong handle)
{
	struct account *account = troupe_object(handle);

	printf("object - block: %td bytes\n",
	       (char *)account - (char *)handle.block);
	printf("block + 64 is the object: %s\n",
	       troupe_block_object(handle.block) == account ? "yes" : "no");
	printf("object - 64 is the block: %s\n",
	       troupe_object_block(account) == handle.block ? "yes" : "no");
}

int main(int argc, char **argv)
{
	struct troupe_strong first, second;
	struct troupe_weak weak;

	demo_no_arguments(argc, argv);
	show_layout();
	demo_check(troupe_object_create(&account_class, sizeof(struct account),
					&first),
		   "troupe_object_create");
	strcpy(((struct account *)troupe_object(first))->owner, "Ada");
	show_addresses(first);

	printf("the counts; all strong handles together hold one weak count\n");
	weak = (struct troupe_weak){first.block};
	show_counts("created", weak);
	weak = troupe_weak_from(first);
	show_counts("a weak handle", weak);
	second = troupe_strong_clone(first);
	show_counts("a second strong handle", weak);
	troupe_strong_release(&first);
	show_counts("the first released", weak);
	second = troupe_strong_move(&second);
	show_counts("the second moved", weak);
	troupe_strong_release(&second);
	show_counts("the second released", weak);
	first = troupe_weak_lock(weak);
	printf("  the weak handle gives %s\n",
	       troupe_strong_is_null(first) ? "nothing any more" : "it back");
	troupe_weak_release(&weak);
	printf("the block is freed with the last weak count\n");
	return 0;
}
