/* What a file is, told from how it begins: profiles come in several forms, and in wrong ones. */
#ifndef PAWL_PROFILE_KIND_H
#define PAWL_PROFILE_KIND_H

#include <stddef.h>

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
