/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * scene.h - a scoped actor that receives, also from itself
 */
#ifndef SCENE_H
#define SCENE_H

#include "threads.h"

#include "troupe_monitor.h"

#define MILLISECOND UINT64_C(1000000)

/* ---- a scoped actor that receives from itself -------------------------- */

struct scene {
	struct troupe_system *system;
	struct troupe_actor *self;
	struct troupe_strong me;
	const struct troupe_message *message;
};

static inline struct scene scene_start(void)
{
	struct scene scene = {.system = unit_start(NULL, 2)};

	scene.self = threads_scope(scene.system);
	scene.me = troupe_self(scene.self);
	return scene;
}

static inline void scene_stop(struct scene *scene)
{
	troupe_strong_release(&scene->me);
	troupe_scoped_destroy(scene->self);
	unit_stop(scene->system);
}

static inline void scene_send(struct scene *scene, uint32_t tag)
{
	cr_assert_eq(troupe_send(scene->me, tag, &tag, sizeof(tag)), 0);
}

static inline bool wants_tag(const struct troupe_message *message,
			     void *context)
{
	return message->tag == *(const uint32_t *)context;
}

static inline int receive_tag(struct scene *scene, uint32_t tag,
			      uint64_t deadline)
{
	return troupe_receive_match(scene->self, wants_tag, &tag, deadline,
				    &scene->message);
}

#endif
