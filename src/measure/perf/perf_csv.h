/*
 * Parses the text of `perf stat -x SEP` into rows: perf-stat(1), "CSV FORMAT". The first five columns are the same in perf
 * 5.10, 6.1, 6.12 and 7.2; the rest is ignored.
 */
#ifndef PAWL_MEASURE_PERF_PERF_CSV_H
#define PAWL_MEASURE_PERF_PERF_CSV_H

#include <stddef.h>

struct error;
struct perf_rows;

/* A separator that does not occur in event names. */
#define PERF_CSV_SEPARATOR ';'

/* A damaged row is an ERR_SYSTEM that names its line. *OUT is overwritten; release it with perf_rows_release(). */
int perf_csv_parse(const char *text, size_t len, char separator, struct perf_rows *out, struct error *err);

#endif
