/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * troupe.h - actors on few threads, under a scheduling policy of your choice
 *
 * Overview. A *system* owns worker threads and a policy that orders them. An
 * *actor* is a class (callbacks) plus private state; it handles one message
 * at a time, on one worker at a time, so its callbacks need no locks. A *job*
 * is a bare function on the same workers.
 *
 * Typical use.
 *	1. troupe_system_create() with a struct troupe_config (see
 *	   troupe_config.h), or NULL for the defaults;
 *	2. troupe_spawn() the first actors, troupe_send() them messages;
 *	3. actors spawn, send, reply, and end with troupe_quit(), or when
 *	   nobody holds a handle to them and they have nothing to do;
 *	4. troupe_strong_release() the handles you hold;
 *	5. troupe_system_destroy() waits for the last actor, then ends.
 *
 * Ownership. A strong handle (troupe_refcount.h) keeps an actor reachable. A
 * payload is copied unless it is sent with troupe_send_moved(). A message
 * belongs to the core: it and its payload are valid until receive returns.
 *
 * Threads. Functions without a @self may be called from any thread, also from
 * inside actors, and know by themselves where they are. Functions with @self
 * may be called only from inside a callback of that actor.
 *
 * Errors. int results are 0 or a negative errno; errno itself is never set.
 * The library never prints, exits or aborts.
 */
#ifndef TROUPE_H
#define TROUPE_H

#include "troupe_actor.h"
#include "troupe_detached.h"
#include "troupe_limits.h"
#include "troupe_message.h"
#include "troupe_monitor.h"
#include "troupe_process.h"
#include "troupe_refcount.h"
#include "troupe_request.h"
#include "troupe_system.h"

#endif
