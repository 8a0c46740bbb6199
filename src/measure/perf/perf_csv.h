/*
 * Parses the text of `perf stat -x SEP` into rows.
 *
 * The format is that of perf-stat(1), "CSV FORMAT": value, unit, event, run time of the counter, percentage of time it
 * ran, and optional derived columns. The derived columns differ between versions and are ignored. The first five
 * columns are the same in perf 5.10, 6.1, 6.12 and 7.2.
 */
#ifndef PAWL_MEASURE_PERF_PERF_CSV_H
#define PAWL_MEASURE_PERF_PERF_CSV_H

#include <stddef.h>

struct error;
struct perf_rows;

/* A separator that does not occur in event names. */
#define PERF_CSV_SEPARATOR ';'

/*
 * Skips comments, blank lines, perf's warnings and lines that have only derived columns. A damaged row is an
 * ERR_SYSTEM that names its line. *OUT is overwritten; release it with perf_rows_release().
 */
int perf_csv_parse(const char *text, size_t len, char separator, struct perf_rows *out, struct error *err);

#endif
