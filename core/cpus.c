/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many threads of this process can run at once: the processors of the
 * affinity mask, cut by the CPU quota of this process's control groups and of
 * every group above them. A container on a large machine sees all processors
 * but may use few of them. Nothing here is remembered: a limit that changes
 * later is seen by the next system.
 */
#include "platform.h"

#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where this process is in the group hierarchies; "" is nowhere. */
struct cpus_groups {
	char v1[PATH_MAX]; /* of the controller "cpu" */
	char v2[PATH_MAX];
};

/* One line of mountinfo, cut into what is of use here. */
struct cpus_mount {
	char *root; /* the group that is seen at @point */
	char *point;
	char *type;
	char *options; /* of the file system: the controllers */
};

/* Opens the file @path below @root. */
static FILE *cpus_open(const char *root, const char *path)
{
	char name[PATH_MAX];
	int length = snprintf(name, sizeof(name), "%s%s", root, path);

	if (length < 0 || (size_t)length >= sizeof(name))
		return NULL;
	return fopen(name, "re");
}

/* The @count numbers of the one line in @directory/@path. */
static bool cpus_read(const char *directory, const char *path,
		      long long *numbers, int count)
{
	FILE *stream = cpus_open(directory, path);
	char line[64] = "";
	char *at = line;

	if (stream == NULL)
		return false;
	if (fgets(line, sizeof(line), stream) == NULL)
		line[0] = '\0';
	fclose(stream);
	for (int i = 0; i < count; i++) {
		char *end;

		numbers[i] = strtoll(at, &end, 10);
		if (end == at)
			return false;
		at = end;
	}
	return true;
}

/* The quota of the one group at @directory, in processors; 0: no limit. */
static uint32_t cpus_group_quota(const char *directory, bool v2)
{
	long long quota[2]; /* so many microseconds, in so many */
	long long cpus;

	if (v2) {
		/* "200000 100000", or "max 100000" */
		if (!cpus_read(directory, "/cpu.max", quota, 2))
			return 0;
	} else {
		/* -1 is no limit */
		if (!cpus_read(directory, "/cpu.cfs_quota_us", &quota[0], 1) ||
		    !cpus_read(directory, "/cpu.cfs_period_us", &quota[1], 1))
			return 0;
	}
	if (quota[0] <= 0 || quota[1] <= 0)
		return 0;
	cpus = quota[0] / quota[1] + (quota[0] % quota[1] != 0);
	return cpus > UINT32_MAX ? UINT32_MAX : (uint32_t)cpus;
}

/* Lowers *cpus to the smallest quota from the group at @directory up to the
 * mount point, whose name is the first @top bytes. */
static void cpus_limit_upwards(char *directory, size_t top, bool v2,
			       uint32_t *cpus)
{
	for (;;) {
		uint32_t quota = cpus_group_quota(directory, v2);
		char *slash;

		if (quota != 0 && quota < *cpus)
			*cpus = quota;
		slash = strrchr(directory, '/');
		if (slash == NULL || (size_t)(slash - directory) < top)
			return;
		*slash = '\0';
	}
}

/* True if a name of @path is "..": it lies outside of what is seen here. */
static bool cpus_path_outside(const char *path)
{
	size_t length = strlen(path);

	return strstr(path, "/../") != NULL ||
	       (length >= 3 && strcmp(path + length - 3, "/..") == 0);
}

/*
 * The part of @group below the mount's root, "" for the root itself; NULL if
 * the group is not under that mount. In a group namespace the mount's root may
 * read "/..": then it lies above all that is seen, and its quota counts.
 */
static const char *cpus_group_below(const char *group, const char *mount_root)
{
	size_t length = strlen(mount_root);

	if (cpus_path_outside(group))
		return NULL;
	if (strspn(mount_root, "/.") == length && cpus_path_outside(mount_root))
		return "";
	if (strcmp(mount_root, "/") == 0)
		return strcmp(group, "/") == 0 ? "" : group;
	if (strncmp(group, mount_root, length) != 0 ||
	    (group[length] != '/' && group[length] != '\0'))
		return NULL;
	return group + length;
}

static void cpus_limit_mount(const char *root, const struct cpus_mount *mount,
			     const char *group, bool v2, uint32_t *cpus)
{
	char directory[2 * PATH_MAX];
	const char *below;
	int top, length;

	if (group[0] == '\0')
		return;
	below = cpus_group_below(group, mount->root);
	if (below == NULL)
		return;
	top = snprintf(directory, sizeof(directory), "%s%s", root,
		       mount->point);
	if (top < 0 || (size_t)top >= sizeof(directory))
		return;
	length = snprintf(directory + top, sizeof(directory) - (size_t)top,
			  "%s", below);
	if (length < 0 || (size_t)length >= sizeof(directory) - (size_t)top)
		return;
	cpus_limit_upwards(directory, (size_t)top, v2, cpus);
}

/* True if @word is one of the comma-separated @list. */
static bool cpus_list_has(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (list != NULL) {
		if (strncmp(list, word, length) == 0 &&
		    (list[length] == ',' || list[length] == '\0'))
			return true;
		list = strchr(list, ',');
		if (list != NULL)
			list++;
	}
	return false;
}

/* Undoes the kernel's \040 for a blank and the like, in place. */
static void cpus_unescape(char *text)
{
	char *out = text;

	for (; *text != '\0'; out++) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' &&
		    text[2] >= '0' && text[2] <= '7' && text[3] >= '0' &&
		    text[3] <= '7') {
			*out = (char)((text[1] - '0') * 64 +
				      (text[2] - '0') * 8 + (text[3] - '0'));
			text += 4;
		} else {
			*out = *text++;
		}
	}
	*out = '\0';
}

/* "31 23 0:28 / /sys/fs/cgroup rw,relatime shared:9 - cgroup2 cgroup2 rw" */
static bool cpus_mount_parse(char *line, struct cpus_mount *ret_mount)
{
	char *dash = strstr(line, " - ");
	char *before = line;
	char *after;

	line[strcspn(line, "\n")] = '\0';
	if (dash == NULL)
		return false;
	*dash = '\0';
	after = dash + 3;
	for (int skip = 0; skip < 3; skip++)
		strsep(&before, " ");
	ret_mount->root = strsep(&before, " ");
	ret_mount->point = strsep(&before, " ");
	ret_mount->type = strsep(&after, " ");
	strsep(&after, " ");
	ret_mount->options = strsep(&after, " ");
	if (ret_mount->point == NULL || ret_mount->options == NULL)
		return false;
	cpus_unescape(ret_mount->root);
	cpus_unescape(ret_mount->point);
	return true;
}

/* "4:cpu,cpuacct:/a/b" for version 1, "0::/a/b" for version 2 */
static void cpus_group_parse(char *line, struct cpus_groups *groups)
{
	char *path = line;
	char *number = strsep(&path, ":");
	char *controllers = strsep(&path, ":");
	size_t size;

	if (path == NULL || path[0] != '/')
		return;
	size = strcspn(path, "\n");
	path[size++] = '\0';
	if (size > PATH_MAX)
		return;
	if (strcmp(number, "0") == 0 && controllers[0] == '\0')
		memcpy(groups->v2, path, size);
	else if (cpus_list_has(controllers, "cpu"))
		memcpy(groups->v1, path, size);
}

static void cpus_groups_read(const char *root, struct cpus_groups *ret_groups)
{
	FILE *stream = cpus_open(root, "/proc/self/cgroup");
	char *line = NULL;
	size_t size = 0;

	ret_groups->v1[0] = '\0';
	ret_groups->v2[0] = '\0';
	if (stream == NULL)
		return;
	while (getline(&line, &size, stream) > 0)
		cpus_group_parse(line, ret_groups);
	free(line);
	fclose(stream);
}

uint32_t troupe__usable_cpus_at(const char *root, uint32_t mask_count)
{
	uint32_t cpus = mask_count > 0 ? mask_count : 1;
	struct cpus_groups groups;
	struct cpus_mount mount;
	char *line = NULL;
	size_t size = 0;
	FILE *stream;

	if (strcmp(root, "/") == 0)
		root = "";
	cpus_groups_read(root, &groups);
	stream = cpus_open(root, "/proc/self/mountinfo");
	if (stream == NULL)
		return cpus;
	while (getline(&line, &size, stream) > 0) {
		if (!cpus_mount_parse(line, &mount))
			continue;
		if (strcmp(mount.type, "cgroup2") == 0)
			cpus_limit_mount(root, &mount, groups.v2, true, &cpus);
		else if (strcmp(mount.type, "cgroup") == 0 &&
			 cpus_list_has(mount.options, "cpu"))
			cpus_limit_mount(root, &mount, groups.v1, false, &cpus);
	}
	free(line);
	fclose(stream);
	return cpus;
}

uint32_t troupe__usable_cpus(void)
{
	/* 8192 processors: as many as Linux can be built for. */
	cpu_set_t mask[8192 / CPU_SETSIZE];
	long count;

	if (sched_getaffinity(0, sizeof(mask), mask) == 0)
		count = CPU_COUNT_S(sizeof(mask), mask);
	else
		count = sysconf(_SC_NPROCESSORS_ONLN);
	return troupe__usable_cpus_at("/", count > 0 ? (uint32_t)count : 1);
}
