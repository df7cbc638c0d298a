/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which processor each worker is bound to. The order of the machine's cores
 * comes from hwloc, what this process may use from its affinity mask (that of
 * the thread that creates the system), and the choice from the config.
 */
#include "affinity.h"

#include "error.h"
#include "platform.h"

#include <errno.h>
#include <hwloc.h>
#include <sched.h>
#include <string.h>

/* The processors to give out, in this order. */
struct affinity_order {
	int *cpus;
	uint32_t count;
	uint32_t capacity;
};

static const char affinity_syntax[] =
	"\"none\", \"cores\", or processors such as 0,2-3";

/* One more at the end. False if out of memory. */
static bool affinity_order_add(struct affinity_order *order, int cpu)
{
	if (order->count == order->capacity) {
		uint32_t capacity = order->capacity * 2 + 8;
		int *cpus = troupe__alloc(capacity * sizeof(*cpus));

		if (cpus == NULL)
			return false;
		if (order->count > 0)
			memcpy(cpus, order->cpus, order->count * sizeof(*cpus));
		troupe__free(order->cpus);
		order->cpus = cpus;
		order->capacity = capacity;
	}
	order->cpus[order->count++] = cpu;
	return true;
}

/* The @rank-th processor of @core that @mask allows; -1 if it has fewer. */
static int affinity_core_cpu(hwloc_obj_t core, hwloc_const_bitmap_t mask,
			     uint32_t rank)
{
	int cpu = -1;

	do
		cpu = hwloc_bitmap_next(core->cpuset, cpu);
	while (cpu >= 0 &&
	       (!hwloc_bitmap_isset(mask, (unsigned)cpu) || rank-- > 0));
	return cpu;
}

/* Every core's first processor, then every core's second, ... */
static int affinity_cores(hwloc_topology_t topology, hwloc_const_bitmap_t mask,
			  struct affinity_order *order)
{
	/* A machine that does not tell its cores has one for each processor. */
	hwloc_obj_type_t type =
		hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0
			? HWLOC_OBJ_CORE
			: HWLOC_OBJ_PU;
	uint32_t before;
	uint32_t rank = 0;

	do {
		hwloc_obj_t core = NULL;

		before = order->count;
		while ((core = hwloc_get_next_obj_by_type(topology, type,
							  core)) != NULL) {
			int cpu = affinity_core_cpu(core, mask, rank);

			if (cpu >= 0 && !affinity_order_add(order, cpu))
				return -ENOMEM;
		}
		rank++;
	} while (order->count > before);
	return 0;
}

/* A processor number at *text, which is moved behind it; -1 if none. */
static long affinity_number(const char **text)
{
	long number = 0;

	if (**text < '0' || **text > '9')
		return -1;
	for (; **text >= '0' && **text <= '9'; (*text)++) {
		number = number * 10 + (**text - '0');
		if (number > 1 << 20)
			return -1;
	}
	return number;
}

static bool affinity_order_has(const struct affinity_order *order, long cpu)
{
	for (uint32_t i = 0; i < order->count; i++)
		if (order->cpus[i] == cpu)
			return true;
	return false;
}

/* Adds @first to @last, all of which must be in @mask and new. */
static int affinity_list_range(long first, long last, hwloc_const_bitmap_t mask,
			       struct troupe_error *error,
			       struct affinity_order *order)
{
	char usable[200];

	for (long cpu = first; cpu <= last; cpu++) {
		if (!hwloc_bitmap_isset(mask, (unsigned)cpu)) {
			hwloc_bitmap_list_snprintf(usable, sizeof(usable),
						   mask);
			return troupe__error(
				error, -EINVAL,
				"this process may not use processor %ld, only "
				"%s",
				cpu, usable);
		}
		if (affinity_order_has(order, cpu))
			return troupe__error(error, -EINVAL,
					     "processor %ld is named twice",
					     cpu);
		if (!affinity_order_add(order, (int)cpu))
			return troupe__error(error, -ENOMEM, "out of memory");
	}
	return 0;
}

/* "0,2-3": in the order as written. */
static int affinity_list(const char *text, hwloc_const_bitmap_t mask,
			 struct troupe_error *error,
			 struct affinity_order *order)
{
	const char *at = text;
	int result;

	for (;;) {
		long first = affinity_number(&at);
		long last = first;

		if (*at == '-') {
			at++;
			last = affinity_number(&at);
		}
		if (first < 0 || last < first || (*at != ',' && *at != '\0'))
			return troupe__error(error, -EINVAL,
					     "expected %s, got \"%.60s\"",
					     affinity_syntax, text);
		result = affinity_list_range(first, last, mask, error, order);
		if (result < 0 || *at == '\0')
			return result;
		at++;
	}
}

/* Fills in the workers' processors from the order, again and again. */
static int affinity_choose(hwloc_topology_t topology, hwloc_const_bitmap_t mask,
			   const char *affinity, uint32_t count,
			   struct troupe_error *error, int *ret_cpus)
{
	struct affinity_order order = {0};
	int result;

	if (strcmp(affinity, "cores") == 0) {
		result = affinity_cores(topology, mask, &order);
		if (result < 0)
			troupe__error(error, result, "out of memory");
		else if (order.count == 0)
			result = troupe__error(error, -EINVAL,
					       "the machine shows no processor "
					       "that this process may use");
	} else {
		result = affinity_list(affinity, mask, error, &order);
	}
	for (uint32_t i = 0; result == 0 && order.count > 0 && i < count; i++)
		ret_cpus[i] = order.cpus[i % order.count];
	troupe__free(order.cpus);
	return result;
}

/* Looks at the machine, or at the one that @machine and @mask_list tell. */
static int affinity_look(const char *machine, const char *mask_list,
			 hwloc_topology_t topology, hwloc_bitmap_t mask)
{
	if (machine != NULL &&
	    hwloc_topology_set_synthetic(topology, machine) != 0)
		return -EINVAL;
	if (hwloc_topology_load(topology) != 0)
		return -EINVAL;
	if (mask_list != NULL)
		return hwloc_bitmap_list_sscanf(mask, mask_list) == 0 ? 0
								      : -EINVAL;
	return hwloc_get_cpubind(topology, mask, HWLOC_CPUBIND_THREAD) == 0
		       ? 0
		       : -EINVAL;
}

int troupe__affinity_plan_at(const char *machine, const char *mask_list,
			     const char *affinity, uint32_t count,
			     struct troupe_error *error, int *ret_cpus)
{
	hwloc_topology_t topology;
	hwloc_bitmap_t mask;
	int result;

	if (strcmp(affinity, "none") == 0) {
		for (uint32_t i = 0; i < count; i++)
			ret_cpus[i] = -1;
		return 0;
	}
	mask = hwloc_bitmap_alloc();
	if (mask == NULL)
		return troupe__error(error, -ENOMEM, "out of memory");
	if (hwloc_topology_init(&topology) != 0) {
		hwloc_bitmap_free(mask);
		return troupe__error(error, -ENOMEM, "out of memory");
	}
	if (affinity_look(machine, mask_list, topology, mask) != 0)
		result = troupe__error(error, -EINVAL,
				       "the machine's processors cannot be "
				       "read");
	else
		result = affinity_choose(topology, mask, affinity, count, error,
					 ret_cpus);
	hwloc_topology_destroy(topology);
	hwloc_bitmap_free(mask);
	return result;
}

int troupe__affinity_plan(const char *affinity, uint32_t count,
			  struct troupe_error *error, int *ret_cpus)
{
	return troupe__affinity_plan_at(NULL, NULL, affinity, count, error,
					ret_cpus);
}

int troupe__affinity_bind(int cpu)
{
	cpu_set_t mask[AFFINITY_CPUS / CPU_SETSIZE];

	if (cpu < 0)
		return 0;
	if (cpu >= 8192)
		return -EINVAL;
	CPU_ZERO_S(sizeof(mask), mask);
	CPU_SET_S((size_t)cpu, sizeof(mask), mask);
	return sched_setaffinity(0, sizeof(mask), mask) == 0 ? 0 : -EINVAL;
}

_Static_assert(AFFINITY_CPUS % CPU_SETSIZE == 0 &&
		       sizeof(cpu_set_t) % sizeof(unsigned long) == 0,
	       "the kernel's masks are words");

void troupe__affinity_note(struct affinity_mask *ret_mask)
{
	ret_mask->known = sched_getaffinity(0, sizeof(ret_mask->words),
					    (cpu_set_t *)ret_mask->words) == 0;
}

void troupe__affinity_restore(const struct affinity_mask *mask)
{
	/* Processors that have gone since only cost the binding. */
	if (mask->known)
		(void)sched_setaffinity(0, sizeof(mask->words),
					(const cpu_set_t *)mask->words);
}
