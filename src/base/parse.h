/*
 * Parses text to numbers with units. The whole text must match: trailing characters, overflow, NaN and infinity are
 * refused. The locale is ignored. Each function returns 0, or -1 with an error that names the expected form and the
 * text found. The result is written only on success.
 */
#ifndef PAWL_BASE_PARSE_H
#define PAWL_BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

int parse_u64(const char *text, uint64_t *out, struct error *err);
/* A decimal fraction such as 12.5 or -3e2. */
int parse_double(const char *text, double *out, struct error *err);
/* 250ms, 1.5s, 2m, 1h, 10us, 90ns; the unit is required. In nanoseconds. */
int parse_duration(const char *text, uint64_t *ns_out, struct error *err);
/* 512MiB, 4k, 1G, 10MB, 100 or 100B. k, M, G and KiB, MiB, GiB are powers of 1024; kB, MB, GB of 1000. */
int parse_size(const char *text, uint64_t *bytes_out, struct error *err);
/* +5%, -10%, 0.5%: the number before the sign, in percent. */
int parse_percent(const char *text, double *pct_out, struct error *err);
/* 3pp, +0.5pp: the number before the unit, in percentage points. */
int parse_points(const char *text, double *pp_out, struct error *err);
/* A CPU list such as "0" or "0-3,6": checked, not expanded. */
int parse_cpu_list(const char *text, struct error *err);

/* A word that earlier versions took, and what replaces it. */
struct gone_key {
	const char *key, *instead;
};

/* Returns the candidate closest to WORD, in any case, for suggestions; NULL if more than a third of either would change. */
const char *nearest(const char *word, const char *const *candidates, size_t n);
/* Returns the end of a fault, "; did you mean 'NEAREST'?", or OTHERWISE if no candidate is near; for free(). */
char *nearest_hint(const char *word, const char *const *candidates, size_t n, const char *otherwise);

/*
 * True if GLOB matches all of TEXT: '*' is any text, '?' any one byte, other characters themselves, also brackets and
 * backslashes, which are common in symbols: "operator[]*".
 */
bool glob_match(const char *glob, const char *text);

#endif
