/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The reader: reads a file into chunks that end where a word ends and sends
 * each to the splitter it came back from. A reader without an idle chunk
 * reads nothing. A word that the end of a chunk cuts in two is carried over
 * to the next chunk; one that is longer than a chunk makes its chunk grow. It is
 * detached, since reading may take long.
 */
#include "wordcount_actors.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Room for the word carried over: chunks rarely have to grow for it. */
#define READER_SLACK 256
/* A reader lets others run after so many reads. */
#define READER_TURN 64

struct reader {
	struct wordcount_run *run;
	struct troupe_strong finder, collector;
	struct troupe_strong *splitters; /* run->splitters of them */
	struct wordcount_chunk *idle;	 /* empty ones; the first is filled */
	struct wordcount_chunk **idle_end;
	bool asked, finished; /* for a path; there are no more */
	bool again;	      /* WORDCOUNT_AGAIN is on its way */

	char *path; /* of the file; NULL: none is open */
	struct wordcount_file file;
	size_t carry_length;
	unsigned char *carry; /* run->chunk_size bytes */
};

/* ---- file ------------------------------------------------------------- */

static void reader_close(struct reader *reader)
{
	wordcount_file_close(&reader->file);
	free(reader->path);
	reader->path = NULL;
	reader->carry_length = 0;
	if (reader->idle != NULL)
		reader->idle->length = 0;
}

/* Tells of the file, then closes it. */
static int reader_refuse(struct reader *reader, enum wordcount_problem problem,
			 int error)
{
	int result =
		wordcount_tell(reader->collector, reader->path, problem, error);

	reader_close(reader);
	return result;
}

static int reader_open(struct reader *reader, const char *path)
{
	int result;

	reader->path = strdup(path);
	if (reader->path == NULL)
		return -ENOMEM;
	result = wordcount_file_open(&reader->file, path);
	if (result == 0)
		return 0;
	free(reader->path);
	reader->path = NULL;
	return wordcount_tell(reader->collector, path, WORDCOUNT_UNREADABLE,
			      result);
}

static int reader_sniff(struct reader *reader)
{
	struct wordcount_file *file = &reader->file;
	int result = wordcount_file_sniff(file);

	if (result == -EAGAIN)
		return result;
	if (result < 0)
		return reader_refuse(reader, WORDCOUNT_UNREADABLE, result);
	if (file->head_length == 0)
		return reader_refuse(reader, WORDCOUNT_EMPTY, 0);
	if (!reader->run->options->text && wordcount_file_binary(file))
		return reader_refuse(reader, WORDCOUNT_BINARY, 0);
	return 0;
}

/* ---- chunks ------------------------------------------------------------ */

static int reader_reserve(struct wordcount_chunk *chunk, size_t size)
{
	size_t capacity = size + READER_SLACK;

	if (chunk->capacity >= size)
		return 0;
	if (chunk->length > 0 && capacity < chunk->capacity * 2)
		capacity = chunk->capacity * 2;

	unsigned char *bytes = realloc(chunk->bytes, capacity);

	if (bytes == NULL)
		return -ENOMEM;
	chunk->bytes = bytes;
	chunk->capacity = capacity;
	return 0;
}

static void reader_put_idle(struct reader *reader,
			    struct wordcount_chunk *chunk)
{
	chunk->length = 0;
	chunk->next = NULL;
	if (chunk->capacity > 2 * (reader->run->chunk_size + READER_SLACK)) {
		free(chunk->bytes);
		chunk->bytes = NULL;
		chunk->capacity = 0;
	}
	*reader->idle_end = chunk;
	reader->idle_end = &chunk->next;
}

static int reader_send(struct reader *reader)
{
	struct wordcount_chunk *chunk = reader->idle;

	if (chunk->length == 0)
		return 0;
	reader->idle = chunk->next;
	if (reader->idle == NULL)
		reader->idle_end = &reader->idle;
	return troupe_send(reader->splitters[chunk->splitter], WORDCOUNT_CHUNK,
			   &chunk, sizeof(struct wordcount_chunk *));
}

static bool reader_is_letter(unsigned char byte)
{
	return (unsigned char)((byte | 0x20) - 'a') < 26;
}

/* The chunk has @got new bytes. Sends it if a word ends among them. */
static int reader_cut(struct reader *reader, size_t got)
{
	struct wordcount_chunk *chunk = reader->idle;
	size_t end = chunk->length + got;
	size_t cut = end;

	while (cut > chunk->length && reader_is_letter(chunk->bytes[cut - 1]))
		cut--;
	if (cut == chunk->length) {
		chunk->length = end;
		return 0;
	}
	reader->carry_length = end - cut;
	memcpy(reader->carry, chunk->bytes + cut, reader->carry_length);
	chunk->length = cut;
	return reader_send(reader);
}

/* The file ends here, or by @error. */
static int reader_end(struct reader *reader, int error)
{
	struct wordcount_step step = {.files = 1};
	int result = reader_send(reader);

	if (result == 0 && error < 0)
		return reader_refuse(reader, WORDCOUNT_UNREADABLE, error);
	if (result == 0)
		result = troupe_send(reader->collector, WORDCOUNT_STEP, &step,
				     sizeof(step));
	reader_close(reader);
	return result;
}

/* Reads once. Returns: 0; -EAGAIN when nothing is there yet; -ENOMEM, ... */
static int reader_step(struct reader *reader)
{
	const size_t size = reader->run->chunk_size;
	struct wordcount_chunk *chunk = reader->idle;

	if (!reader->file.sniffed)
		return reader_sniff(reader);

	size_t carry = chunk->length == 0 ? reader->carry_length : 0;
	int result = reader_reserve(chunk, chunk->length + carry + size);

	if (result < 0)
		return result;
	if (carry > 0) {
		memcpy(chunk->bytes, reader->carry, carry);
		chunk->length = carry;
		reader->carry_length = 0;
	}

	ssize_t got = wordcount_file_read(&reader->file,
					  chunk->bytes + chunk->length, size);

	if (got == -EAGAIN)
		return -EAGAIN;
	if (got <= 0)
		return reader_end(reader, (int)got);

	struct wordcount_step step = {.bytes = (uint64_t)got};

	result = troupe_send(reader->collector, WORDCOUNT_STEP, &step,
			     sizeof(step));
	return result < 0 ? result : reader_cut(reader, (size_t)got);
}

/* ---- actor ------------------------------------------------------------- */

static int reader_on_path(struct troupe_actor *self, void *state,
			  const struct troupe_message *message, void *context);

static int reader_again(struct troupe_actor *self, struct reader *reader)
{
	struct troupe_strong me;
	int result;

	if (reader->again)
		return 0;
	reader->again = true;
	me = troupe_self(self);
	result = troupe_send(me, WORDCOUNT_AGAIN, NULL, 0);
	troupe_strong_release(&me);
	return result;
}

/* Goes on as far as idle chunks and the file allow. */
static int reader_pump(struct troupe_actor *self, struct reader *reader)
{
	bool stopped = wordcount_stopped(reader->run);

	for (int i = 0; reader->path != NULL && reader->idle != NULL; i++) {
		int result = 0;

		if (stopped) {
			reader_close(reader);
			break;
		}
		if (i < READER_TURN)
			result = reader_step(reader);
		if (i == READER_TURN || result == -EAGAIN)
			return reader_again(self, reader);
		if (result < 0)
			return result;
	}
	if (reader->path != NULL || reader->idle == NULL || reader->asked ||
	    reader->finished || stopped)
		return 0;
	reader->asked = true;
	return troupe_request(self, reader->finder, WORDCOUNT_NEXT, NULL, 0,
			      reader_on_path, NULL);
}

static int reader_on_path(struct troupe_actor *self, void *state,
			  const struct troupe_message *message, void *context)
{
	struct reader *reader = state;

	(void)context;
	reader->asked = false;
	if (message->tag != WORDCOUNT_PATH || message->size == 0) {
		reader->finished = true;
		return 0;
	}

	int result = reader_open(reader, troupe_payload(message));

	if (result < 0)
		return result;
	return reader_pump(self, reader);
}

static int reader_receive(struct troupe_actor *self, void *state,
			  const struct troupe_message *message)
{
	struct reader *reader = state;

	if (message->tag == WORDCOUNT_AGAIN)
		reader->again = false;
	if (message->tag == WORDCOUNT_CHUNK)
		reader_put_idle(reader, *(struct wordcount_chunk *const *)
						troupe_payload(message));
	return reader_pump(self, reader);
}

static void reader_destroy(void *state)
{
	struct reader *reader = state;

	if (reader->path != NULL)
		reader_close(reader);
	if (reader->splitters != NULL) {
		for (uint32_t i = 0; i < reader->run->splitters; i++)
			troupe_strong_release(&reader->splitters[i]);
	}
	troupe_strong_release(&reader->finder);
	troupe_strong_release(&reader->collector);
	free(reader->splitters);
	free(reader->carry);
}

static int reader_init(struct troupe_actor *self, void *state,
		       const void *argument)
{
	const struct wordcount_argument *from = argument;
	struct wordcount_run *run = from->run;
	struct reader *reader = state;
	uint32_t chunks = run->splitters * WORDCOUNT_CHUNKS;

	(void)self;
	reader->run = run;
	reader->idle_end = &reader->idle;
	reader->carry = malloc(run->chunk_size);
	reader->splitters = calloc(run->splitters, sizeof(*reader->splitters));
	if (reader->carry == NULL || reader->splitters == NULL) {
		free(reader->carry);
		free(reader->splitters);
		reader->carry = NULL;
		reader->splitters = NULL;
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < run->splitters; i++)
		reader->splitters[i] = troupe_strong_clone(from->splitters[i]);
	reader->finder = troupe_strong_clone(from->finder);
	reader->collector = troupe_strong_clone(from->collector);
	for (uint32_t i = 0; i < chunks; i++) {
		struct wordcount_chunk *chunk =
			&run->chunks[(size_t)from->index * chunks + i];

		chunk->splitter = i % run->splitters;
		reader_put_idle(reader, chunk);
	}
	return 0;
}

static void reader_on_exit(struct troupe_actor *self, void *state, int reason)
{
	struct reader *reader = state;

	(void)self;
	wordcount_fail(reader->run, reason);
}

const struct troupe_actor_class wordcount_reader = {
	.name = "reader",
	.flags = TROUPE_CLASS_DETACHED,
	.state_size = sizeof(struct reader),
	.init = reader_init,
	.receive = reader_receive,
	.on_exit = reader_on_exit,
	.destroy = reader_destroy,
};
