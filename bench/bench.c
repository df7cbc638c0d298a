/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bench - what scheduling costs, in nanoseconds for each operation
 */
#include "bench.h"

#include <stdarg.h>
#include <stdlib.h>

int bench_error(int status, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("bench: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	return status;
}

int main(int argc, char **argv)
{
	struct bench_options options = {
		.config = TROUPE_CONFIG_INIT,
		.runs = 5,
		.timeout = 120,
		.scale = 1,
	};
	int status = bench_options_read(&options, argc, argv);

	if (status == BENCH_OK)
		status = bench_run(&options);
	else if (status < 0)
		status = BENCH_OK;
	free(options.items);
	return status;
}
