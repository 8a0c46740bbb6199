/*
 * Runs targets under strace, which stops them at each system call: about 35 us per call, about 800 us with stacks.
 * Only the durations of calls are meaningful.
 */
#ifndef PAWL_MEASURE_TOOLS_STRACE_H
#define PAWL_MEASURE_TOOLS_STRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "measure/process/child.h"

struct session;
struct target_spec;

struct strace_wish {
	const char *calls;	/* only these, "read,write"; others then cost nothing; NULL: all */
	bool stacks;		/* record the stack of each call */
	uint64_t limit_ns;	/* strace is ended after this time; the text written so far is used */
};

struct strace_text {
	struct strbuf text;	/* for strace_read() of cause/; STRBUF_INIT before */
	bool cut;		/* ended by the limit: covers part of the execution */
};

/* Runs N targets at once and appends to their TEXTS. Fails like tool_run(). */
int strace_run(struct session *session, const struct target_spec *specs, size_t n, const struct strace_wish *wish,
	       struct strace_text *texts, struct error *err);

/*
 * strace on running processes, their threads and the processes they start.
 *
 *	strace_attach()			returns once all are traced
 *	strace_detach()			the text is complete and `cut` is set: it covers part of their work
 *	strace_dispose()		always, at the end
 */
struct strace {
	struct child child;
	char *file;
};

/* ERR_SYSTEM, with advice, if strace is missing or may not trace one of PROCESSES. The caller enforces WISH's limit. */
int strace_attach(struct session *session, const struct processes *processes, const struct strace_wish *wish, struct strace *out,
		  struct error *err);
int strace_detach(struct session *session, struct strace *strace, struct strace_text *out, struct error *err);
void strace_dispose(struct session *session, struct strace *strace);

#endif
