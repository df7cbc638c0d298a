/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How many processors this process may use, read from trees of files that
 * look like those of a machine with control groups.
 */
#include "platform.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[PATH_MAX];

/* Writes @text to a file below the root, and makes the folders above it. */
static void put(const char *path, const char *text)
{
	char name[2 * PATH_MAX];
	FILE *stream;

	snprintf(name, sizeof(name), "%s%s", root, path);
	for (char *at = name + strlen(root) + 1; *at != '\0'; at++) {
		if (*at != '/')
			continue;
		*at = '\0';
		mkdir(name, 0700);
		*at = '/';
	}
	stream = fopen(name, "we");
	cr_assert_not_null(stream, "%s", name);
	fputs(text, stream);
	fclose(stream);
}

static int remove_one(const char *path, const struct stat *status, int type,
		      struct FTW *at)
{
	(void)status;
	(void)type;
	(void)at;
	return remove(path);
}

static void make_root(void)
{
	const char *folder = getenv("TMPDIR");

	snprintf(root, sizeof(root), "%s/troupe-cpus-XXXXXX",
		 folder != NULL ? folder : "/tmp");
	cr_assert_not_null(mkdtemp(root));
}

static void remove_root(void)
{
	nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

TestSuite(cpus, .init = make_root, .fini = remove_root, .timeout = 20);

#define V2_MOUNT                                          \
	"22 27 0:21 / /proc rw,relatime - proc proc rw\n" \
	"31 23 0:28 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup2 rw\n"
#define V1_MOUNT                                                            \
	"31 23 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro\n"                 \
	"32 31 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n" \
	"33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup "       \
	"rw,cpu,cpuacct\n"

Test(cpus, without_groups_the_mask_counts)
{
	cr_expect_eq(troupe__usable_cpus_at(root, 6), 6);
	put("/proc/self/cgroup", "");
	put("/proc/self/mountinfo", "");
	cr_expect_eq(troupe__usable_cpus_at(root, 6), 6);
}

Test(cpus, are_at_least_one)
{
	cr_expect_eq(troupe__usable_cpus_at(root, 0), 1);
	put("/proc/self/cgroup", "0::/a\n");
	put("/proc/self/mountinfo", V2_MOUNT);
	put("/sys/fs/cgroup/a/cpu.max", "1000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 1);
}

Test(cpus, follow_the_quota_of_version_2)
{
	put("/proc/self/cgroup", "0::/a\n");
	put("/proc/self/mountinfo", V2_MOUNT);
	put("/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 2);
	put("/sys/fs/cgroup/a/cpu.max", "200001 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 3, "rounded up");
	put("/sys/fs/cgroup/a/cpu.max", "900000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 8, "cut by the mask");
	put("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 8);
}

Test(cpus, follow_the_smallest_quota_of_all_parents)
{
	put("/proc/self/cgroup", "0::/a/b/c\n");
	put("/proc/self/mountinfo", V2_MOUNT);
	put("/sys/fs/cgroup/a/b/c/cpu.max", "700000 100000\n");
	put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
	put("/sys/fs/cgroup/a/cpu.max", "150000 50000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 3);
	put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 2, "the root's");
}

Test(cpus, see_the_parents_of_a_group_that_is_gone)
{
	put("/proc/self/cgroup", "0::/a/b (deleted)\n");
	put("/proc/self/mountinfo", V2_MOUNT);
	put("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 3);
}

Test(cpus, do_not_look_above_the_mount_point)
{
	put("/proc/self/cgroup", "0::/a\n");
	put("/proc/self/mountinfo", V2_MOUNT);
	put("/sys/fs/cpu.max", "100000 100000\n");
	put("/cpu.max", "100000 100000\n");
	put("/sys/fs/cgroup/a/cpu.max", "300000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 3);
}

Test(cpus, follow_the_quota_of_version_1)
{
	put("/proc/self/cgroup",
	    "5:memory:/m\n4:cpu,cpuacct:/a/b\n1:name=x:/\n");
	put("/proc/self/mountinfo", V1_MOUNT);
	put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_quota_us", "-1\n");
	put("/sys/fs/cgroup/cpu,cpuacct/a/b/cpu.cfs_period_us", "100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 8);
	put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "250000\n");
	put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 3);
	put("/sys/fs/cgroup/memory/m/cpu.cfs_quota_us", "100000\n");
	put("/sys/fs/cgroup/memory/m/cpu.cfs_period_us", "100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 3,
		     "other controllers do not count");
}

Test(cpus, follow_both_versions_at_once)
{
	put("/proc/self/cgroup", "4:cpu:/a\n0::/b\n");
	put("/proc/self/mountinfo", V1_MOUNT
	    "40 31 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
	put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "500000\n");
	put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
	put("/sys/fs/cgroup/unified/b/cpu.max", "400000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 4);
	put("/sys/fs/cgroup/unified/b/cpu.max", "600000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 5);
}

Test(cpus, find_a_group_that_is_mounted_as_the_root)
{
	/* As in a container without a group namespace. */
	put("/proc/self/cgroup", "0::/docker/12/own\n");
	put("/proc/self/mountinfo",
	    "31 23 0:28 /docker/12 /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n");
	put("/sys/fs/cgroup/cpu.max", "400000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 4);
	put("/sys/fs/cgroup/own/cpu.max", "200000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 2);
}

Test(cpus, ignore_a_mount_of_other_groups)
{
	put("/proc/self/cgroup", "0::/docker/123\n");
	put("/proc/self/mountinfo",
	    "31 23 0:28 /docker/12 /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n");
	put("/sys/fs/cgroup/cpu.max", "100000 100000\n");
	put("/sys/fs/cgroup/3/cpu.max", "100000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 8);
}

Test(cpus, count_a_mount_from_above_the_group_namespace)
{
	put("/proc/self/cgroup", "0::/\n");
	put("/proc/self/mountinfo",
	    "31 23 0:28 /../.. /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n");
	put("/sys/fs/cgroup/cpu.max", "300000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 3);
}

Test(cpus, do_not_follow_a_group_out_of_the_namespace)
{
	put("/proc/self/cgroup", "0::/../a\n");
	put("/proc/self/mountinfo", V2_MOUNT);
	put("/sys/fs/a/cpu.max", "100000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 8);
}

Test(cpus, read_names_with_blanks)
{
	put("/proc/self/cgroup", "0::/a b:c\n");
	put("/proc/self/mountinfo",
	    "31 23 0:28 / /my\\040groups rw a:1 b:2 - cgroup2  rw\n");
	put("/my groups/a b:c/cpu.max", "300000 100000\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 3);
}

Test(cpus, ignore_what_they_cannot_read)
{
	static const char *const texts[] = {
		"",	     "\n",	     "x\n",	    "100000\n",
		"1000 0\n",  "0 100000\n",   "-5 100000\n", "100000 -1\n",
		"1e5 1e5\n", "max 100000\n",
	};

	put("/proc/self/mountinfo",
	    "nonsense\n - \n1 2 3 - cgroup2\n" V2_MOUNT);
	put("/proc/self/cgroup", "0\n:\n0::\nx:cpu\n0::/a\n");
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		put("/sys/fs/cgroup/a/cpu.max", texts[i]);
		cr_expect_eq(troupe__usable_cpus_at(root, 8), 8, "%s",
			     texts[i]);
	}
	put("/sys/fs/cgroup/a/cpu.max", "99999999999999999999 1\n");
	cr_expect_eq(troupe__usable_cpus_at(root, 8), 8);
}

Test(cpus, follow_the_affinity_mask)
{
	cpu_set_t all, one;
	uint32_t before = troupe__usable_cpus();

	cr_assert_eq(sched_getaffinity(0, sizeof(all), &all), 0);
	cr_expect_geq(before, 1);
	cr_expect_leq(before, (uint32_t)CPU_COUNT(&all));
	CPU_ZERO(&one);
	for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; cpu++)
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &one);
	cr_assert_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	cr_expect_eq(troupe__usable_cpus(), 1);
}
