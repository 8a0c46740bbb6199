/* The text of `perf script`, read as a stream. */
#ifndef PAWL_PROFILE_SCRIPT_H
#define PAWL_PROFILE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/stacks.h"

/*
 * Streaming conversion of `perf script -F comm,pid,tid,time,period,event,ip,sym,dso` to stacks. Input may come in
 * pieces of any size. Every sample's period is added to one stack, whatever its frames look like; script_end() checks
 * the sums.
 *
 *	struct script *script = script_new(&stacks);
 *	while (more) script_feed(script, data, len, err);
 *	script_end(script, err);
 *	script_free(script);
 *
 * A header is parsed from its right end. A command's name may be empty or hold blanks, digits, ';', '#' or a line
 * feed. The pid may be missing, and "[cpu]" and the mode may be present. Without a period a sample weighs 1. Output
 * of -F addr, srcline, insn and insnlen is skipped. A frame is "<ip> <symbol>[+0x<offset>] (<dso>)"; a dso may hold
 * blanks and parentheses. Inlined functions, "(inlined)", belong to the file of their caller. A sample whose chain
 * perf discarded is on one line and keeps its own ip. An empty chain becomes one "[unknown]" frame. A leaf unknown to
 * perf with a kernel address belongs to "[kernel.kallsyms]". Lines about lost samples (perf script
 * --show-lost-events) add to stacks.lost. Other records and comments are skipped.
 *
 * Optional fields of perf script are skipped, both before a frame and after the chain: data_src, weight, cgroup,
 * registers, branches, page sizes, the source. In a sample on one line, the frame is the last address with a symbol;
 * ambiguous text is refused. A file's "+0x1f" (dsoff) is dropped. Functions inlined in Java, "La/B;::f->La/C;::g",
 * are a frame each. Messages of perf between the lines add to stacks.messages. stacks.cut is set if the empty line
 * after the last frames is missing.
 *
 * Errors: ERR_INPUT, with the line in its text; the caller adds the path. It is returned for other text (a binary
 * perf.data, a folded file), a sample without time, event, ip or sym, a truncated sample, a line beyond
 * SCRIPT_LINE_LARGEST, stacks beyond STACKS_LARGEST, or weights beyond 2^53. After it only script_free() may be
 * called. ERR_SYSTEM if the sums differ. Memory use is the stacks, a fixed-size cache of lines, and one line.
 *
 * Format: perf-script(1) and builtin-script.c of linux/tools/perf.
 */

enum { SCRIPT_LINE_LARGEST = 1 << 20 };

struct script;

struct script *script_new(struct stacks *into);		/* INTO must outlive it */
int script_feed(struct script *script, const char *data, size_t len, struct error *err);
int script_end(struct script *script, struct error *err);
void script_free(struct script *script);

/* Time and thread of an event; 0: unknown. */
struct script_moment {
	uint32_t comm;		/* string: the thread's name at that time */
	uint32_t event;		/* string: the event of a sample; 0 for a record */
	uint32_t pid, tid;
	uint64_t time_ns;
};

/*
 * Receives each sample instead of INTO, with INTO's frame numbers, the root first. It also receives each other
 * record, in order of time: "PERF_RECORD_SWITCH OUT preempt". Arguments are valid only during the call.
 */
struct script_observer {
	void *ctx;
	void (*sample)(void *ctx, const struct script_moment *at, const uint32_t *frames, size_t n);
	void (*record)(void *ctx, const struct script_moment *at, const char *text, size_t len);
};

/* Call it before script_feed(). */
void script_observe(struct script *script, const struct script_observer *observer);

/* True if LINE, of LEN bytes, belongs to such text, even if the text lacks a field. */
bool script_begins(const char *line, size_t len);

#endif
