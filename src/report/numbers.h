/*
 * Numbers as reports print them.
 */
#ifndef PAWL_REPORT_NUMBERS_H
#define PAWL_REPORT_NUMBERS_H

#include <stddef.h>

#include "model/metric.h"

/*
 * Numbers as text, returned by value for one printf: strbuf_addf(out, "took %s", format_elapsed(seconds).s). Only a
 * metric's label is foreign.
 */
struct short_text {
	char s[640];
};

struct short_text format_short(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A value with its unit and three to four significant digits; "-" for NaN. */
struct short_text format_value(double value, enum metric_unit unit);
/* The same with the label of a plain number: "82.4 k/s", "912 req/s". */
struct short_text format_measured(double value, const struct metric *metric);
/* The same for a number from a file, with the digits it was written with. */
struct short_text format_written(double value, const struct metric *metric);
/* "+5.2 %", "-0.03 %", "x12.5" beyond +900 %; "-" for NaN, "unknown" for an infinity. */
struct short_text format_change(double pct);
/* "+5.2 pp", a change of shares in percentage points; "-" for NaN. */
struct short_text format_points(double pp);
/* "+2.1 % to +8.4 %"; "unknown" for a bound that too few runs cannot give; "-" without an interval. */
struct short_text format_interval(double low_pct, double high_pct);
/* "42 s", "3 min 12 s". */
struct short_text format_elapsed(double seconds);
/* A symbol's name, cut to MOST bytes and three dots. Foreign. */
struct short_text format_symbol(const char *symbol, size_t most);
/* The same for a function, without return type, parameters and template arguments. */
struct short_text format_function(const char *name, size_t most);

#endif
