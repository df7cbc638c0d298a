/* SPDX-License-Identifier: BSD-3-Clause */
/* Linux's membarrier(), since Linux 4.14. */
#include "barrier.h"

#ifdef __linux__
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

bool troupe__barrier_init(void)
{
	return syscall(SYS_membarrier,
		       MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0;
}

bool troupe__barrier(void)
{
	return syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0,
		       0) == 0;
}
#else
bool troupe__barrier_init(void)
{
	return false;
}

bool troupe__barrier(void)
{
	return false;
}
#endif
