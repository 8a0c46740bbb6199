/*
 * Numbers as text. The figures of gates, tables, sentences and pages come from here, so all print the same digits and
 * units: binary units for sizes, three significant digits for values.
 */
#ifndef PAWL_MODEL_METRICS_NUMBERS_H
#define PAWL_MODEL_METRICS_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/metrics/metric.h"

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
/* The same with its sign: "+3.10 ms". */
struct short_text format_difference(double value, enum metric_unit unit);
/* The number of things in a sentence: "1.04", "12", "40,000", "2.10 M". */
struct short_text format_count(double n);
/* format_value() with the label of a plain number: "82.4 k/s", "912 req/s". */
struct short_text format_measured(double value, const struct metric *metric);
/* The same for a number from a file, with the digits it was written with. */
struct short_text format_written(double value, const struct metric *metric);
/* "+5.2 %", "-0.03 %", "+1130 %"; "-" for NaN, "unknown" for an infinity. */
struct short_text format_change(double pct);
/* The same digits without a sign: "5.2 %". */
struct short_text format_percent(double pct);
/* The share of a symbol: "12.3 %". One decimal: shares are not known more precisely, and equal ones line up. */
struct short_text format_share(double pct);
/* "+5.2 pp", a change of shares in percentage points; "-" for NaN, "unknown" for an infinity. */
struct short_text format_points(double pp);
/* A limit, with the digits it was written with: "2 %", "0.25 pp". */
struct short_text format_limit(double limit, bool points);
/* "+2.1 % to +8.4 %"; "unknown" for a bound that too few runs cannot give; "-" without an interval. */
struct short_text format_interval(double low, double high, bool points);
/* How long something took or may take: "0.174 s", "90 s", "20 min 0 s". */
struct short_text format_duration(uint64_t ns);
/* The time that passes meanwhile, in whole seconds: "42 s", "3 min 12 s". */
struct short_text format_elapsed(double seconds);

#endif
