/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * tasks.h - the threads of this process, as the kernel lists them
 *
 * Also those that the library knows nothing of. Nothing here needs the library:
 * a test that is not linked with it can use this too. A thread that was joined
 * may still be listed for a moment.
 */
#ifndef TASKS_H
#define TASKS_H

#include <dirent.h>
#include <stddef.h>

/** @id: the thread's, as text: its directory in /proc/self/task. */
typedef void (*tasks_look_fn)(const char *id, void *context);

/**
 * Calls @look, unless it is NULL, for each thread, the caller's too.
 *
 * Returns: how many there are, or -1 if they cannot be listed.
 */
static inline int tasks_each(tasks_look_fn look, void *context)
{
	DIR *tasks = opendir("/proc/self/task");
	int count = 0;

	if (tasks == NULL)
		return -1;
	for (struct dirent *task; (task = readdir(tasks)) != NULL;) {
		if (task->d_name[0] == '.')
			continue;
		count++;
		if (look != NULL)
			look(task->d_name, context);
	}
	closedir(tasks);
	return count;
}

#endif
