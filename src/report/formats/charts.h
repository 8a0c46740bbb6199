/* Charts of HTML pages: dots over a numbered axis, with their numbers under the pointer. */
#ifndef PAWL_REPORT_FORMATS_CHARTS_H
#define PAWL_REPORT_FORMATS_CHARTS_H

#include <stddef.h>

struct arena;
struct metric;
struct strbuf;

/* Positions from left to right are numbers from 0 to the chart's columns. Texts and links are foreign. */

/* A measured value. */
struct chart_dot {
	double at, value;
	const char *class;	/* in the style sheet: "of-base", "of-head" */
	const char *title, *link;	/* the title follows the value; NULL: none */
};

/* A horizontal line: a limit, a median, a level. */
struct chart_line {
	double from, to, start, end;	/* its positions and values at both ends */
	const char *class;
};

/* A vertical line: a change. */
struct chart_mark {
	double at;
	const char *class, *title;
};

/* A text below the axis. */
struct chart_label {
	double at;
	const char *text, *link;
};

struct chart {
	const char *words;		/* alternative text for screen readers */
	const struct metric *metric;
	double columns;
	double room_from, room_to;	/* shaded values, within the limit; NaN: none; may be infinite */
	struct arena *arena;		/* of these */
	struct chart_dot *dots;
	struct chart_line *lines;
	struct chart_mark *marks;
	struct chart_label *labels;
	size_t n_dots, n_lines, n_marks, n_labels, cap_dots, cap_lines, cap_marks, cap_labels;
};

void chart_dot(struct chart *chart, struct chart_dot dot);
/* Adds nothing if the line's value is not finite. */
void chart_line(struct chart *chart, struct chart_line line);
void chart_mark(struct chart *chart, struct chart_mark mark);
void chart_label(struct chart *chart, struct chart_label label);

/*
 * Appends two SVGs, the axis and a plot as wide as its container. The axis spans the dots, at least 2 % of their
 * values, and lines that are near them.
 */
void chart_add(struct strbuf *out, const struct chart *chart);

#endif
