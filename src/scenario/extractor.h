/*
 * Where a number stands in what a program prints. Loads tell so how much they did, and scenarios name metrics of
 * their own.
 *
 * A regular expression (POSIX extended, regex(7)) has one group that captures the number. It matches
 * within a line, which ends at a newline or a carriage return; its last match counts. A JSON path is
 * "latency.p99", "results[0].rps", with an optional "$." before it; it is looked up in the last JSON
 * object or array that begins a line.
 *
 * What is captured is a number that is not negative, or one with a unit where the metric has one:
 * "1.25ms" of a time, "12MiB" of a size, "4.5%" of a share. Without a unit it is in the metric's.
 */
#ifndef PAWL_SCENARIO_EXTRACTOR_H
#define PAWL_SCENARIO_EXTRACTOR_H

#include "base/error.h"
#include "model/metric.h"

/* Exactly one of the two. */
struct extractor {
	char *regex, *json;
};

/* A regular expression that compiles and has exactly one group, a path that can be read; ERR_INPUT else. */
int extractor_check(const struct extractor *extractor, struct error *err);

/*
 * The number in TEXT, in METRIC's unit (plain counts when METRIC is NULL).
 * 1 and *OUT, 0 when it does not occur, -1 with an ERR_TARGET when it is no number.
 */
int extractor_find(const struct extractor *extractor, const struct metric *metric, const char *text, size_t len,
		   double *out, struct error *err);

/* A number written with its unit: a duration in milliseconds, a size in bytes, a percentage as a share; else as it stands. */
int extractor_parse_unit(const char *text, enum metric_unit unit, double *out, struct error *err);

#endif
