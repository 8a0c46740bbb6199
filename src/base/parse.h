/*
 * Text to numbers with units, whole or not at all: trailing characters, overflow, NaN and
 * infinity are refused, the locale is ignored. Each returns 0, or -1 with an error whose message
 * names what was expected and what was found; the result is written only on success.
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
/* 250ms, 1.5s, 2m, 1h, 10us, 90ns; a bare number needs its unit. Nanoseconds. */
int parse_duration(const char *text, uint64_t *ns_out, struct error *err);
/* 512MiB, 4k, 1G, 10MB, 100 or 100B. k, M, G and KiB, MiB, GiB are powers of 1024; kB, MB, GB of 1000. */
int parse_size(const char *text, uint64_t *bytes_out, struct error *err);
/* +5%, -10%, 0.5%: the number before the sign, in percent. */
int parse_percent(const char *text, double *pct_out, struct error *err);
/* 3pp, +0.5pp: the number before the unit, in percentage points. */
int parse_points(const char *text, double *pp_out, struct error *err);
/* A CPU list as in "0", "0-3,6": checked, not expanded. */
int parse_cpu_list(const char *text, struct error *err);

/*
 * The word somebody probably meant: the candidate with the smallest edit distance to WORD (Damerau-Levenshtein, optimal
 * string alignment), or NULL when none is near: more than a third of the longer word would change.
 */
const char *nearest(const char *word, const char *const *candidates, size_t n);

/*
 * True when GLOB matches all of TEXT: '*' is any text, '?' any one byte, all else is itself. Brackets and backslashes are
 * no more than that, since symbols are full of them: "operator[]*". The time is at most the product of their lengths.
 */
bool glob_match(const char *glob, const char *text);

#endif
