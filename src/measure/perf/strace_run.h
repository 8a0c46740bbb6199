/*
 * One execution of a target under strace, which stops it at each system call: some 35 us for each, with stacks some 800. Nothing of
 * it is timed but how long calls take.
 */
#ifndef PAWL_MEASURE_PERF_STRACE_RUN_H
#define PAWL_MEASURE_PERF_STRACE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "measure/process/child.h"

struct error;
struct processes;
struct session;
struct target_spec;

struct strace_wish {
	const char *calls;	/* "read,write": these alone, the others cost nothing then; NULL: all */
	bool stacks;		/* of each call */
	uint64_t limit_ns;	/* after so long it is ended, and what was written until then is used */
};

struct strace_text {
	struct strbuf text;	/* for strace_read() of profile/; STRBUF_INIT before */
	bool cut;		/* after the limit: not the whole execution */
};

bool strace_available(void);
/*
 * N targets at once, TEXTS of each, appended. ERR_SYSTEM, with what to do, where strace is missing or may not trace, or where the
 * target fails under it. ERR must not be NULL.
 */
int strace_run(struct session *session, const struct target_spec *specs, size_t n, const struct strace_wish *wish,
	       struct strace_text *texts, struct error *err);

/*
 * Processes that run already, with their threads and what they start, under strace. It can be taken away from them at any time:
 * then they go on as before.
 *
 *	strace_attach()			returns once each of them is traced
 *	strace_detach()			the text is complete, its `cut` is set: it is a part of what they do
 *	strace_dispose()		always, in the end
 */
struct strace {
	struct child child;
	char *file;
};

/* ERR_SYSTEM, with what to do, where strace is missing or may not trace one of PROCESSES. WISH's limit is the caller's to keep. */
int strace_attach(struct session *session, const struct processes *processes, const struct strace_wish *wish, struct strace *out,
		  struct error *err);
int strace_detach(struct session *session, struct strace *strace, struct strace_text *out, struct error *err);
void strace_dispose(struct session *session, struct strace *strace);

#endif
