/*
 * Charts of a page.
 */
#ifndef PAWL_REPORT_CHARTS_H
#define PAWL_REPORT_CHARTS_H

#include <stdbool.h>
#include <stddef.h>

struct metric;
struct strbuf;

/* What was measured at one time: a session of the baseline, the runs of now, or all pairs. */
struct chart_column {
	const char *label;	/* "11-20", "now"; NULL: none */
	const double *values;	/* in the order of measuring */
	size_t n;
	double middle;		/* their median; NaN: it is not drawn */
	bool judged;		/* not only what is compared with */
};

struct chart {
	const char *words;		/* all of it, for those who cannot see it; foreign */
	const struct metric *metric;	/* of the values; NULL: they are ratios, of which 1 is no change */
	const struct chart_column *columns;	/* oldest first */
	size_t n;
	double reference;		/* a solid line: what is compared with */
	double at_most, at_least;	/* dashed ones around what is tolerated; NaN: there is none */
	double estimate, low, high;	/* the change that was found and its bounds, as values; NaN unknown, bounds may be infinite */
};

/* An SVG of HTML as wide as its place. Its axis is never shorter than 1 % of the values. */
void chart_runs(struct strbuf *out, const struct chart *chart);

#endif
