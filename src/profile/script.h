/*
 * The text of `perf script`, read as a stream.
 */
#ifndef PAWL_PROFILE_SCRIPT_H
#define PAWL_PROFILE_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/stacks.h"

/*
 * The text of `perf script -F comm,pid,tid,time,period,event,ip,sym,dso` to stacks, as a stream: any piece of it
 * at a time, in any number of pieces. Nothing is lost: every sample's period is on one stack, whatever its frames
 * look like, and script_end() checks the sums.
 *
 *	struct script *script = script_new(&stacks);
 *	while (more) script_feed(script, data, len, err);
 *	script_end(script, err);
 *	script_free(script);
 *
 * A header is read from its right end: a command's name may hold blanks, digits, ';', '#', a line feed, or be empty, the
 * pid may be missing, "[cpu]" and the mode may stand there; without a period a sample weighs 1. What -F addr, srcline, insn
 * and insnlen add is passed over. A frame is "<ip> <symbol>[+0x<offset>]
 * (<dso>)"; a dso may hold blanks and parentheses. What was inlined, "(inlined)", is in the file of its caller. A sample
 * whose chain perf discarded stands on one line and keeps its own ip; one with an empty chain is one "[unknown]" frame. A
 * leaf that perf knows nothing of, with an address of the kernel, is in "[kernel.kallsyms]". Lines that report lost
 * samples (perf script --show-lost-events) are counted in stacks.lost; other records and comments are passed over.
 *
 * Fields that perf script has on request are passed over, in front of a frame and behind the chain: data_src, weight, cgroup,
 * registers, branches, sizes of pages, the source. The frame of a sample on one line is the last of its addresses with a
 * symbol; where that cannot be told the text is refused. A file's "+0x1f" (dsoff) is left out. What was inlined in Java,
 * "La/B;::f->La/C;::g", is a frame each. Messages of perf between the lines are counted in stacks.messages, and stacks.cut is
 * set when the empty line behind the last frames is missing.
 *
 * Failure: ERR_INPUT with the line in its words, and the path left to the caller, for text that is none of this (a
 * binary perf.data, a folded file), a sample without time, event, ip or sym, a sample cut off in its midst, a line
 * beyond SCRIPT_LINE_LARGEST, stacks beyond STACKS_LARGEST, weights beyond 2^53; then only script_free() is left to
 * call. ERR_SYSTEM when the sums differ. Memory is that of the stacks, a cache of lines of fixed size, and one line.
 *
 * Format: perf-script(1) and builtin-script.c of linux/tools/perf.
 */

enum { SCRIPT_LINE_LARGEST = 1 << 20 };

struct script;

struct script *script_new(struct stacks *into);		/* INTO must outlive it */
int script_feed(struct script *script, const char *data, size_t len, struct error *err);
int script_end(struct script *script, struct error *err);
void script_free(struct script *script);

/* When something happened, and to which thread; 0: not known. */
struct script_moment {
	uint32_t comm;		/* string: the thread's name at that time */
	uint32_t event;		/* string: of a sample its event; 0 of a record */
	uint32_t pid, tid;
	uint64_t time_ns;
};

/*
 * Takes each sample in place of INTO, with the numbers of its frames there, the root first; and each record that is no sample, in
 * order of time: "PERF_RECORD_SWITCH OUT preempt". What they are given holds during the call.
 */
struct script_observer {
	void *ctx;
	void (*sample)(void *ctx, const struct script_moment *at, const uint32_t *frames, size_t n);
	void (*record)(void *ctx, const struct script_moment *at, const char *text, size_t len);
};

/* Before anything is fed. */
void script_observe(struct script *script, const struct script_observer *observer);

/* Whether LINE, of LEN bytes, is part of such text, perhaps of one that lacks a field. */
bool script_begins(const char *line, size_t len);

#endif
