/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The finder: hands out one path for each request. It walks directories as it
 * is asked, so a tree of any size is never listed in memory.
 */
#include "wordcount_actors.h"

#include <errno.h>
#include <fts.h>
#include <string.h>
#include <sys/stat.h>

struct finder {
	struct wordcount_run *run;
	struct troupe_strong collector;
	struct wordcount_walk walk;
};

/* ---- walk -------------------------------------------------------------- */

/* True if @entry is something to tell of: filled in. */
static bool walk_look(FTSENT *entry, struct wordcount_found *ret_found)
{
	struct wordcount_found found = {.path = entry->fts_path};

	switch (entry->fts_info) {
	case FTS_F:
		found.size = (uint64_t)entry->fts_statp->st_size;
		break;
	case FTS_DEFAULT:
		/* Named pipes and the like count only if named. */
		if (entry->fts_level > FTS_ROOTLEVEL)
			return false;
		break;
	case FTS_SL:
	case FTS_SLNONE:
		/* A link named by the user was followed: it leads nowhere. */
		if (entry->fts_level > FTS_ROOTLEVEL)
			return false;
		found.error = -ENOENT;
		break;
	case FTS_DNR:
	case FTS_ERR:
	case FTS_NS:
		found.error = -entry->fts_errno;
		break;
	default:
		return false;
	}
	*ret_found = found;
	return true;
}

/* Opens the next path. Returns: true if it is already an answer. */
static bool walk_open(struct wordcount_walk *walk,
		      struct wordcount_found *ret_found)
{
	const char *path = walk->paths[walk->at++];
	char *const roots[] = {(char *)path, NULL};

	*ret_found = (struct wordcount_found){.path = path};
	if (strcmp(path, "-") == 0)
		return true;
	walk->tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR,
			      NULL);
	if (walk->tree != NULL)
		return false;
	ret_found->error = -errno;
	return true;
}

bool wordcount_walk_next(struct wordcount_walk *walk,
			 struct wordcount_found *ret_found)
{
	for (;;) {
		while (walk->tree == NULL) {
			if (walk->at == walk->count)
				return false;
			if (walk_open(walk, ret_found))
				return true;
		}

		errno = 0;
		FTSENT *entry = fts_read(walk->tree);

		if (entry == NULL) {
			int error = -errno;

			wordcount_walk_fini(walk);
			if (error == 0)
				continue;
			*ret_found = (struct wordcount_found){
				.path = walk->paths[walk->at - 1],
				.error = error};
			return true;
		}
		if (walk_look(entry, ret_found))
			return true;
	}
}

void wordcount_walk_fini(struct wordcount_walk *walk)
{
	if (walk->tree != NULL)
		fts_close(walk->tree);
	walk->tree = NULL;
}

uint64_t wordcount_size(const char *const *paths, size_t count)
{
	struct wordcount_walk walk = {.paths = paths, .count = count};
	struct wordcount_found found;
	uint64_t size = 0;

	while (wordcount_walk_next(&walk, &found))
		size += found.size;
	return size;
}

/* ---- actor ------------------------------------------------------------- */

static int finder_init(struct troupe_actor *self, void *state,
		       const void *argument)
{
	const struct wordcount_argument *from = argument;
	struct finder *finder = state;

	(void)self;
	finder->run = from->run;
	finder->collector = troupe_strong_clone(from->collector);
	finder->walk.paths = from->run->paths;
	finder->walk.count = from->run->path_count;
	return 0;
}

/* WORDCOUNT_NEXT is all that comes. */
static int finder_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	struct finder *finder = state;
	struct wordcount_found found;

	while (wordcount_walk_next(&finder->walk, &found)) {
		int result;

		if (found.error == 0)
			return troupe_reply(self, message, WORDCOUNT_PATH,
					    found.path, strlen(found.path) + 1);
		result = wordcount_tell(finder->collector, found.path,
					WORDCOUNT_UNREADABLE, found.error);
		if (result < 0)
			return result;
	}
	return troupe_reply(self, message, WORDCOUNT_PATH, NULL, 0);
}

static void finder_on_exit(struct troupe_actor *self, void *state, int reason)
{
	struct finder *finder = state;

	(void)self;
	wordcount_fail(finder->run, reason);
}

static void finder_destroy(void *state)
{
	struct finder *finder = state;

	wordcount_walk_fini(&finder->walk);
	troupe_strong_release(&finder->collector);
}

const struct troupe_actor_class wordcount_finder = {
	.name = "finder",
	.state_size = sizeof(struct finder),
	.init = finder_init,
	.receive = finder_receive,
	.on_exit = finder_on_exit,
	.destroy = finder_destroy,
};
