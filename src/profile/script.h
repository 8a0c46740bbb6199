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
 * leaf that perf knows nothing of, with an address of the kernel, is in "[kernel.kallsyms]". Lines that tell of lost
 * samples (perf script --show-lost-events) are counted in stacks.lost; other records and comments are passed over.
 *
 * Failure: ERR_INPUT with the line in its words, and the path left to the caller, for text that is none of this (a
 * binary perf.data, a folded file), a sample without time, event, ip or sym, a sample cut off in its midst, a line
 * beyond SCRIPT_LINE_LARGEST, stacks beyond STACKS_LARGEST, weights beyond 2^53; then only script_free() is left to
 * call. ERR_SYSTEM when the sums differ. Memory is that of the stacks, a cache of lines of fixed size, and one line.
 *
 * Format: perf-script(1) and builtin-script.c of linux/tools/perf.
 */
#ifndef PAWL_PROFILE_SCRIPT_H
#define PAWL_PROFILE_SCRIPT_H

#include <stddef.h>

#include "base/error.h"
#include "profile/stacks.h"

enum { SCRIPT_LINE_LARGEST = 1 << 20 };

struct script;

struct script *script_new(struct stacks *into);		/* INTO must outlive it */
int script_feed(struct script *script, const char *data, size_t len, struct error *err);
int script_end(struct script *script, struct error *err);
void script_free(struct script *script);

/* What a file is, told from how it begins: profiles come in several forms, and in wrong ones. */

enum profile_kind {
	PROFILE_KIND_EMPTY,	/* nothing, or nothing but blanks and comments */
	PROFILE_KIND_FOLDED,	/* or text that nobody knows: reading it as folded says what is wrong with which line */
	PROFILE_KIND_SCRIPT,	/* the text of perf script */
	PROFILE_KIND_PERF_DATA,	/* a recording of perf, from a file or a pipe */
	PROFILE_KIND_PACKED,	/* compressed */
	PROFILE_KIND_MARKUP,	/* SVG, HTML, JSON: what profiles are made into */
	PROFILE_KIND_BINARY,
};

/* DATA are the first LEN bytes, the first line whole if possible. */
enum profile_kind profile_kind_of(const char *data, size_t len);
/* "gzip", "xz", "zstd", "bzip2"; of PACKED data also the program that unpacks with -dc. NULL otherwise. */
const char *profile_kind_packer(const char *data, size_t len);

#endif
