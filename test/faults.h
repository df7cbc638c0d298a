/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * faults.h - make the n-th allocation or thread of a call fail, for n = 1, 2,
 * ... until the call gets through
 *
 * Only what the calling thread does fails: other threads may allocate as they
 * like meanwhile. Each n has a system of its own, which must work afterwards
 * and leave nothing behind.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "unit.h"

#include <errno.h>

/* What fails on this thread. */
struct faults {
	bool armed;
	bool forever; /* all from the n-th on, not only that one */
	enum troupe__point point;
	uint32_t left; /* before the first that fails */
	uint32_t hit;  /* that failed */
};

static _Thread_local struct faults faults;
/* Every thread is out of memory. */
static _Atomic bool faults_everywhere;

static inline bool faults_hook(enum troupe__point point)
{
	if (point == TROUPE__POINT_ALLOC && atomic_load(&faults_everywhere))
		return false;
	if (!faults.armed || point != faults.point)
		return true;
	if (faults.left > 0) {
		faults.left--;
		return true;
	}
	if (faults.hit > 0 && !faults.forever)
		return true;
	faults.hit++;
	return false;
}

/** Before all else in a test. A build without hooks has no such tests. */
static inline void faults_start(void)
{
	void *memory;

	troupe__set_hook(faults_hook);
	atomic_store(&faults_everywhere, true);
	memory = troupe__alloc(1);
	atomic_store(&faults_everywhere, false);
	if (memory == NULL)
		return;
	troupe__free(memory);
	cr_skip_test("this build has no hooks");
}

/* ---- a call in a system ------------------------------------------------ */

struct faults_scene {
	struct troupe_system *system;
	struct troupe_actor *self;	      /* NULL on the main thread */
	struct troupe_strong target;	      /* a recorder */
	const struct troupe_message *message; /* a request to @self, or NULL */
	struct unit_record record;	      /* the target's */

	int (*attempt)(struct faults_scene *scene);
	struct faults plan;
	int result;
	uint32_t hit;
	_Atomic uint64_t done, responses;
	int response_error; /* of the request; 0: a reply */
};

static inline void faults_attempt(struct faults_scene *scene)
{
	faults = scene->plan;
	scene->result = scene->attempt(scene);
	scene->hit = faults.hit;
	faults = (struct faults){0};
}

static inline int faults_receive(struct troupe_actor *self, void *state,
				 const struct troupe_message *message)
{
	struct faults_scene *scene =
		*(struct faults_scene *const *)troupe_payload(message);

	(void)state;
	scene->self = self;
	scene->message = message;
	faults_attempt(scene);
	atomic_fetch_add(&scene->done, 1);
	return 0;
}

static const struct troupe_actor_class faults_class = {
	.name = "faults",
	.receive = faults_receive,
};

static inline int faults_response(struct troupe_actor *self, void *state,
				  const struct troupe_message *message,
				  void *context)
{
	struct faults_scene *scene = context;

	(void)self;
	(void)state;
	if (message->tag == TROUPE_TAG_ERROR)
		scene->response_error = *(const int *)troupe_payload(message);
	atomic_fetch_add(&scene->responses, 1);
	return 0;
}

/* Requests the attempt from an actor that it makes. */
static inline int faults_ask(struct troupe_actor *self, void *state,
			     const void *argument)
{
	struct faults_scene *scene = (struct faults_scene *)(uintptr_t)argument;
	struct troupe_strong actor;
	int result;

	(void)state;
	cr_assert_eq(troupe_spawn(scene->system, &faults_class, NULL, &actor),
		     0);
	result = troupe_request(self, actor, 1, &scene, sizeof(scene),
				faults_response, scene);
	troupe_strong_release(&actor);
	return result;
}

static const struct troupe_actor_class faults_asker_class = {
	.name = "asker",
	.init = faults_ask,
	.receive = faults_receive,
};

/** Runs the attempt once. Returns: how many operations failed. */
static inline uint32_t faults_once(struct faults_scene *scene, bool in_actor)
{
	scene->system = unit_start(NULL, 2);
	scene->target = unit_recorder(scene->system, &scene->record);
	if (in_actor) {
		cr_assert_eq(troupe_spawn(scene->system, &faults_asker_class,
					  scene, NULL),
			     0);
		unit_await(&scene->done, 1);
		unit_await(&scene->responses, 1);
	} else {
		faults_attempt(scene);
	}
	/* All is as before. */
	unit_send_note(scene->target, 77);
	troupe_strong_release(&scene->target);
	unit_stop(scene->system);
	cr_expect_gt(scene->record.noted, 0);
	cr_expect_eq(scene->record.notes[scene->record.noted - 1], 77);
	cr_expect_eq(scene->record.destroys, 1);
	return scene->hit;
}

/** All n, one failure and for ever. @attempt returns what the call did; @check
 * looks at what became of it and may be NULL. */
static inline void faults_each(int (*attempt)(struct faults_scene *scene),
			       bool in_actor,
			       void (*check)(const struct faults_scene *scene))
{
	for (int forever = 0; forever < 2; forever++) {
		uint32_t n = 0;

		for (;; n++) {
			struct faults_scene scene = {
				.attempt = attempt,
				.plan = {.armed = true,
					 .forever = forever != 0,
					 .point = TROUPE__POINT_ALLOC,
					 .left = n},
			};
			uint32_t hit = faults_once(&scene, in_actor);

			cr_expect_eq(scene.result, hit == 0 ? 0 : -ENOMEM,
				     "%d at allocation %u", scene.result,
				     n + 1);
			if (check != NULL)
				check(&scene);
			if (hit == 0)
				break;
			cr_assert_lt(n, 1000);
		}
		cr_expect_gt(n, 0, "nothing was allocated");
	}
}

#endif
