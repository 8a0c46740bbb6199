/*
 * Charts of the HTML page.
 */
#ifndef PAWL_REPORT_FORMATS_CHARTS_H
#define PAWL_REPORT_FORMATS_CHARTS_H

#include <stdbool.h>
#include <stddef.h>

struct metric;
struct strbuf;

/* The values of one session of the baseline, of the current runs, or of all pairs. */
struct chart_column {
	const char *label;	/* "11-20", "now"; NULL: none */
	const double *values;	/* in the order of measuring */
	size_t n;
	double middle;		/* their median; NaN: not drawn */
	bool judged;		/* it was judged, not only compared with */
};

struct chart {
	const char *words;		/* alternative text for screen readers; foreign */
	const struct metric *metric;	/* of the values; NULL: they are ratios, and 1 means no change */
	const struct chart_column *columns;	/* oldest first */
	size_t n;
	double reference;		/* solid line: the reference value */
	double at_most, at_least;	/* dashed lines: the limits; NaN: none */
	double estimate, low, high;	/* estimated change and its bounds; NaN: unknown; bounds may be infinite */
};

/* Appends an inline SVG as wide as its container. The axis spans at least 1 % of the values. */
void chart_runs(struct strbuf *out, const struct chart *chart);

#endif
