/*
 * Profiles of other tools: what a file is, known from how it begins; profiles come in several forms, and in wrong ones.
 */
#ifndef PAWL_PROFILE_FOREIGN_H
#define PAWL_PROFILE_FOREIGN_H

#include <stddef.h>

#include "base/error.h"
#include "profile/stacks.h"

enum profile_kind {
	PROFILE_KIND_EMPTY,	/* nothing, or nothing but blanks and comments */
	PROFILE_KIND_FOLDED,	/* or text that nobody knows: reading it as folded says what is wrong with which line */
	PROFILE_KIND_SCRIPT,	/* the text of perf script */
	PROFILE_KIND_PERF_DATA,	/* a recording of perf, from a file or a pipe */
	PROFILE_KIND_MASSIF,	/* of valgrind's massif, and of heaptrack_print -M */
	PROFILE_KIND_DHAT,	/* of valgrind's DHAT, which is not read */
	PROFILE_KIND_CACHEGRIND,
	PROFILE_KIND_CALLGRIND,
	PROFILE_KIND_JEMALLOC,	/* a dump of jemalloc's: addresses without names */
	PROFILE_KIND_PACKED,	/* compressed */
	PROFILE_KIND_MARKUP,	/* SVG, HTML, JSON: what profiles are made into */
	PROFILE_KIND_BINARY,
};

/* DATA are the first LEN bytes, the first line whole if possible. */
enum profile_kind profile_kind_of(const char *data, size_t len);
/* "gzip", "xz", "zstd", "bzip2"; of PACKED data also the program that unpacks with -dc. NULL otherwise. */
const char *profile_kind_packer(const char *data, size_t len);

/*
 * Adds a file of valgrind's massif to STACKS, the root first: the snapshot of the peak, or the last that has a tree. The event is
 * "bytes", each byte a sample; places under massif's threshold are "[small]", the command is the thread. ERR_INPUT, with the line,
 * if the file is damaged or cut off. Format: the Valgrind manual, "Massif" (ms_print reads it).
 */
int massif_read(const char *text, size_t len, struct stacks *stacks, struct error *err);

#endif
