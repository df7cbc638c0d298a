/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * ledger_slots.h - what the two files of the ledger know of each other
 */
#ifndef LEDGER_SLOTS_H
#define LEDGER_SLOTS_H

#include "ledger.h"

/** What the core runs, but for what depends on the policy. */
extern const struct troupe_policy_ops ledger_table;

/* Its slots in ledger_life.c. */
int ledger_init(struct troupe_coordinator *self);
void ledger_fini(struct troupe_coordinator *self);
int ledger_worker_init(struct troupe_worker *self);
void ledger_worker_fini(struct troupe_worker *self);

#endif
