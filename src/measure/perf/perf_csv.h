/*
 * Text of `perf stat -x SEP` to rows.
 *
 * The format is that of perf-stat(1), "CSV FORMAT": value, unit, event, run time of the counter,
 * percentage of time it ran, and optional derived columns, which are ignored: they differ between
 * versions. The first five columns are the same in perf 5.10, 6.1, 6.12 and 7.2.
 */
#ifndef PAWL_MEASURE_PERF_PERF_CSV_H
#define PAWL_MEASURE_PERF_PERF_CSV_H

#include <stddef.h>

struct error;
struct perf_rows;

/* A separator that no event name contains. */
#define PERF_CSV_SEPARATOR ';'

/*
 * Comments, blank lines, perf's warnings and lines of derived columns alone are skipped; a damaged
 * row is an error (ERR_SYSTEM) naming its line. *OUT is overwritten; for perf_rows_release().
 */
int perf_csv_parse(const char *text, size_t len, char separator, struct perf_rows *out, struct error *err);

#endif
