/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * failure.h - what follows when a behaviour returns an error
 */
#ifndef FAILURE_H
#define FAILURE_H

#include "core.h"

/** After the message was released; inside a callback of @actor only if its
 * class does not restart.
 * Returns: 0 to go on, or the reason to end with. */
int troupe__failure_handle(struct troupe_actor *actor, int error);

#endif
