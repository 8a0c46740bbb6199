/*
 * A short command of pawl's own (perf --version), run beside the keeper: standard output and error
 * together are kept, standard input is empty, messages are in English (LC_ALL=C).
 */
#ifndef PAWL_MEASURE_CAPTURE_H
#define PAWL_MEASURE_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

/*
 * ARGV is NULL-terminated and begins with a path. Output beyond LIMIT bytes is dropped. *STATUS_OUT
 * is as wait() gives it. A program that cannot be started, or still runs after TIMEOUT_NS (it is
 * killed then, with its group), is an ERR_SYSTEM.
 */
int capture(const char *const argv[], uint64_t timeout_ns, size_t limit, struct strbuf *out, int *status_out,
	    struct error *err);

#endif
