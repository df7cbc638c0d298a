/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files, pipes and standard input, read without ever waiting long: a worker
 * that waits for a pipe keeps other actors waiting.
 */
#include "wordcount_actors.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_POLL_MILLIS 10

int wordcount_file_open(struct wordcount_file *file, const char *path)
{
	struct stat status;
	int descriptor;

	/* O_NONBLOCK: a named pipe is opened before anyone writes to it. */
	if (strcmp(path, "-") == 0)
		descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
	else
		descriptor = open(path,
				  O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (descriptor < 0)
		return -errno;
	if (fstat(descriptor, &status) < 0) {
		int error = -errno;

		close(descriptor);
		return error;
	}
	file->descriptor = descriptor;
	file->regular = S_ISREG(status.st_mode);
	file->sniffed = false;
	file->head_length = 0;
	file->head_used = 0;
	return 0;
}

static ssize_t file_fetch(struct wordcount_file *file, void *bytes, size_t size)
{
	struct pollfd wanted = {.fd = file->descriptor, .events = POLLIN};

	if (!file->regular && poll(&wanted, 1, FILE_POLL_MILLIS) <= 0)
		return -EAGAIN;

	ssize_t got = read(file->descriptor, bytes, size);

	if (got < 0)
		return errno == EINTR ? -EAGAIN : -errno;
	return got;
}

int wordcount_file_sniff(struct wordcount_file *file)
{
	while (file->head_length < WORDCOUNT_HEAD_SIZE) {
		ssize_t got =
			file_fetch(file, file->head + file->head_length,
				   WORDCOUNT_HEAD_SIZE - file->head_length);

		if (got < 0)
			return (int)got;
		if (got == 0)
			break;
		file->head_length += (size_t)got;
	}
	file->sniffed = true;
	return 0;
}

bool wordcount_file_binary(const struct wordcount_file *file)
{
	return memchr(file->head, '\0', file->head_length) != NULL;
}

ssize_t wordcount_file_read(struct wordcount_file *file, void *bytes,
			    size_t size)
{
	size_t left = file->head_length - file->head_used;

	if (left == 0)
		return file_fetch(file, bytes, size);
	if (size > left)
		size = left;
	memcpy(bytes, file->head + file->head_used, size);
	file->head_used += size;
	return (ssize_t)size;
}

void wordcount_file_close(struct wordcount_file *file)
{
	close(file->descriptor);
}
