/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Contract 6: waiting, locking, time and chance go through the helpers of
 * troupe_policy.h. Whether a plug-in keeps to it is seen from the functions
 * that its file imports; built-in policies are checked the same way by
 * check_includes.sh.
 */
#include "suite.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string.h>

/* Names, or with a star their beginnings. */
static const char *const imports_forbidden[] = {
	"pthread_*", "sem_*",	     "mtx_*",	   "cnd_*",	   "thrd_*",
	"uv_*",	     "ck_*",	     "nanosleep",  "usleep",	   "sleep",
	"clock_*",   "gettimeofday", "time",	   "timespec_get", "syscall",
	"poll",	     "ppoll",	     "select",	   "pselect",	   "epoll_*",
	"futex",     "sched_yield",  "rand",	   "rand_r",	   "random",
	"*rand48",   "getrandom",    "getentropy", "arc4random*",  "mi_*",
	NULL,
};

static bool imports_match(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);

	if (pattern[0] == '*') {
		size_t have = strlen(name);

		return have >= length - 1 &&
		       strcmp(name + have - (length - 1), pattern + 1) == 0;
	}
	if (pattern[length - 1] == '*')
		return strncmp(name, pattern, length - 1) == 0;
	return strcmp(name, pattern) == 0;
}

static bool imports_forbids(const char *name)
{
	for (uint32_t i = 0; imports_forbidden[i] != NULL; i++)
		if (imports_match(imports_forbidden[i], name))
			return true;
	return false;
}

/* The first symbol that has a hash: those before it are imports. */
static uint32_t imports_end(const ElfW(Dyn) * dynamic)
{
	for (; dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == DT_GNU_HASH)
			return ((const uint32_t *)dynamic->d_un.d_ptr)[1];
	return 0;
}

static const void *imports_section(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag)
{
	for (; dynamic->d_tag != DT_NULL; dynamic++)
		if (dynamic->d_tag == tag)
			return (const void *)dynamic->d_un.d_ptr;
	return NULL;
}

static void imports_check(const struct suite_run *run)
{
	struct link_map *map = NULL;
	const ElfW(Sym) * symbols;
	const char *names;
	Dl_info info;

	if (dladdr1(run->section, &info, (void **)&map, RTLD_DL_LINKMAP) == 0)
		board_fail(run->board, "the suite cannot find the file that "
				       "the table is in");
	symbols = imports_section(map->l_ld, DT_SYMTAB);
	names = imports_section(map->l_ld, DT_STRTAB);
	if (symbols == NULL || names == NULL || imports_end(map->l_ld) == 0)
		board_fail(run->board,
			   "the suite cannot read the symbols of "
			   "%s",
			   map->l_name);
	for (uint32_t i = 1; i < imports_end(map->l_ld); i++) {
		const char *name = names + symbols[i].st_name;

		if (symbols[i].st_shndx == SHN_UNDEF && imports_forbids(name))
			board_fail(run->board,
				   "%s calls %s, not a helper of "
				   "troupe_policy.h",
				   map->l_name, name);
	}
}

const struct suite_check suite_helpers[] = {
	{"contract 6: waits, locks and clocks by the helpers only",
	 {1},
	 true,
	 imports_check},
	{NULL, {0}, false, NULL},
};
