/* Profiles of other tools: the kind of a file from its first bytes, and a reader for massif. */
#ifndef PAWL_PROFILE_FOREIGN_H
#define PAWL_PROFILE_FOREIGN_H

#include <stddef.h>

#include "base/error.h"
#include "profile/stacks.h"

enum profile_kind {
	PROFILE_KIND_EMPTY,	/* nothing, or only blanks and comments */
	PROFILE_KIND_FOLDED,	/* or unknown text: reading it as folded reports the faulty line */
	PROFILE_KIND_SCRIPT,	/* output of perf script */
	PROFILE_KIND_PERF_DATA,	/* a perf recording, from a file or a pipe */
	PROFILE_KIND_MASSIF,	/* valgrind's massif, or heaptrack_print -M */
	PROFILE_KIND_DHAT,	/* valgrind's DHAT, not supported */
	PROFILE_KIND_CACHEGRIND,
	PROFILE_KIND_CALLGRIND,
	PROFILE_KIND_JEMALLOC,	/* a jemalloc dump: addresses without names */
	PROFILE_KIND_PACKED,	/* compressed */
	PROFILE_KIND_MARKUP,	/* SVG, HTML, JSON: renderings of a profile */
	PROFILE_KIND_BINARY,
};

/* DATA holds the first LEN bytes of a file, if possible with a complete first line. */
enum profile_kind profile_kind_of(const char *data, size_t len);
/* "gzip", "xz", "zstd" or "bzip2", for PACKED data also the program that unpacks with -dc. NULL for other data. */
const char *profile_kind_packer(const char *data, size_t len);

/*
 * Adds a massif file of valgrind to STACKS, the root first: the peak snapshot, otherwise the last one with a tree.
 * The event is "bytes", with each byte a sample. Places below massif's threshold are "[small]"; the command is the
 * thread. ERR_INPUT, with the line, if the file is damaged or truncated. Format: the Valgrind manual, "Massif"
 * (ms_print reads it).
 */
int massif_read(const char *text, size_t len, struct stacks *stacks, struct error *err);

#endif
