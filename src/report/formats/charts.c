#include "report/formats/charts.h"

/*
 * Charts of measured values as small pictures: one dot a run, in columns by time of measurement, with the limits and
 * the estimated change with its interval. Numbers are pawl's own; every text is escaped.
 */
#include <math.h>

#include "base/text.h"
#include "report/document.h"
#include "model/metrics/numbers.h"
#include "stats/stats.h"

/* Dimensions of the drawing; the page scales it to its column. */
enum { WIDTH = 360, HEIGHT = 150, LEFT = 62, RIGHT = 10, TOP = 10, BOTTOM = 20, LETTER = 11 };
/* Width reserved for the change, to the right of the columns. */
enum { CHANGE_WIDTH = 44 };
/* More dots in a column would only cover each other. */
enum { COLUMN_DOTS = 60 };

/* Limits and bounds farther away than this multiple of the values' range are stated, not drawn. */
#define FARTHEST 3.0

struct scale {
	double low, high;
};

static void take(struct scale *scale, double value)
{
	if (!isfinite(value))
		return;
	scale->low = fmin(scale->low, value);
	scale->high = fmax(scale->high, value);
}

/* Extends the scale to VALUE unless that would leave too little room for the values. */
static void take_near(struct scale *scale, double value, double extent)
{
	if (isfinite(value) && value > scale->low - FARTHEST * extent && value < scale->high + FARTHEST * extent)
		take(scale, value);
}

static struct scale scale_of(const struct chart *chart)
{
	struct scale scale = { INFINITY, -INFINITY };
	double extent, margin;

	take(&scale, chart->reference);
	for (size_t i = 0; i < chart->n; i++)
		for (size_t k = 0; k < chart->columns[i].n; k++)
			take(&scale, chart->columns[i].values[k]);
	/* At least 1 %, so that noise does not look like a change. */
	extent = fmax(scale.high - scale.low, fmax(fabs(scale.high), fabs(scale.low)) / 100);
	extent = extent > 0 ? extent : 1;
	take_near(&scale, chart->estimate, extent);
	take_near(&scale, chart->low, extent);
	take_near(&scale, chart->high, extent);
	take_near(&scale, chart->at_most, extent);
	take_near(&scale, chart->at_least, extent);
	margin = fmax(extent - (scale.high - scale.low), 0) / 2 + 0.04 * fmax(extent, scale.high - scale.low);
	return (struct scale){ scale.low - margin, scale.high + margin };
}

static double y_of(const struct scale *scale, double value)
{
	double part = (value - scale->low) / (scale->high - scale->low);

	return TOP + (HEIGHT - TOP - BOTTOM) * (1 - fmax(0, fmin(1, part)));
}

/* A value of the axis in few letters. */
static struct short_text shown(const struct chart *chart, double value)
{
	return chart->metric ? format_measured(value, chart->metric) : format_change(100 * (value - 1));
}

static void add_text(struct strbuf *out, double x, double y, const char *anchor, const char *text)
{
	strbuf_addf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
	escape_html(out, text);
	strbuf_adds(out, "</text>");
}

/* Names of the lines, at the left. A name that would cover another is left out; the caption has it. */
static void add_axis(struct strbuf *out, const struct chart *chart, const struct scale *scale)
{
	const double values[] = { chart->reference, chart->at_most, chart->at_least, scale->high, scale->low };
	double taken[sizeof values / sizeof values[0]];
	size_t n = 0;

	for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
		double y = y_of(scale, values[i]);
		bool free = isfinite(values[i]) && values[i] >= scale->low && values[i] <= scale->high;

		for (size_t k = 0; k < n; k++)
			free = free && fabs(taken[k] - y) >= LETTER + 2;
		if (!free)
			continue;
		taken[n++] = y;
		add_text(out, LEFT - 6, y + 4, "end", shown(chart, values[i]).s);
	}
}

static void add_line(struct strbuf *out, const char *class, const struct scale *scale, double value)
{
	if (isfinite(value) && value >= scale->low && value <= scale->high)
		strbuf_addf(out, "<path class=\"%s\" d=\"M%d %.1fH%d\"/>", class, LEFT, y_of(scale, value), WIDTH - RIGHT);
}

static void add_room(struct strbuf *out, const struct chart *chart, const struct scale *scale)
{
	double top = isfinite(chart->at_most) ? y_of(scale, chart->at_most) : TOP;
	double bottom = isfinite(chart->at_least) ? y_of(scale, chart->at_least) : HEIGHT - BOTTOM;

	if ((isfinite(chart->at_most) || isfinite(chart->at_least)) && bottom > top)
		strbuf_addf(out, "<rect class=\"room\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>", LEFT, top,
			    WIDTH - RIGHT - LEFT, bottom - top);
}

/* Dots from left to right in order of measurement. If there are too many, the choice depends only on their order. */
static void add_dots(struct strbuf *out, const struct chart_column *column, const struct scale *scale, double x,
		     double width)
{
	size_t dots = column->n > COLUMN_DOTS ? COLUMN_DOTS : column->n;

	if (!dots)
		return;
	strbuf_addf(out, "<path class=\"dots%s\" d=\"", column->judged ? " judged" : "");
	for (size_t i = 0; i < dots; i++)
		strbuf_addf(out, "M%.1f %.1fh0", x + width * ((double)i + 0.5) / (double)dots,
			    y_of(scale, column->values[i * column->n / dots]));
	strbuf_adds(out, "\"/>");
}

static void add_columns(struct strbuf *out, const struct chart *chart, const struct scale *scale)
{
	double room = WIDTH - LEFT - RIGHT - CHANGE_WIDTH, each = room / (double)(chart->n ? chart->n : 1);
	CLEANUP(strbuf_release) struct strbuf trend = STRBUF_INIT, labels = STRBUF_INIT;

	for (size_t i = 0; i < chart->n; i++) {
		const struct chart_column *column = &chart->columns[i];
		double x = LEFT + each * (double)i, middle = x + each / 2;
		/* The first and the last always have a name, those between only if there is room. */
		bool named = i == 0 || i + 1 == chart->n || each >= 46;

		add_dots(out, column, scale, x + 0.12 * each, 0.76 * each);
		if (isfinite(column->middle) && chart->n > 1) {
			strbuf_addf(out, "<path class=\"middle\" d=\"M%.1f %.1fh%.1f\"/>", x + 0.1 * each,
				    y_of(scale, column->middle), 0.8 * each);
			strbuf_addf(&trend, "%c%.1f %.1f", trend.len ? 'L' : 'M', middle, y_of(scale, column->middle));
		}
		if (named && column->label)
			add_text(&labels, middle, HEIGHT - 5, "middle", column->label);
	}
	if (trend.len)
		strbuf_addf(out, "<path class=\"trend\" d=\"%s\"/>", trend.buf);
	strbuf_add(out, labels.buf, labels.len);
}

/* The interval as a line with end marks, the estimate as a diamond. An unknown bound has no end mark. */
static void add_change(struct strbuf *out, const struct chart *chart, const struct scale *scale)
{
	const double x = WIDTH - RIGHT - CHANGE_WIDTH / 2.0;
	double y = y_of(scale, chart->estimate);

	if (!isfinite(chart->estimate))
		return;
	if (!isnan(chart->low) && !isnan(chart->high)) {
		double top = y_of(scale, chart->high), bottom = y_of(scale, chart->low);

		strbuf_addf(out, "<path class=\"interval\" d=\"M%.1f %.1fV%.1f", x, top, bottom);
		if (isfinite(chart->high) && chart->high <= scale->high)
			strbuf_addf(out, "M%.1f %.1fh10", x - 5, top);
		if (isfinite(chart->low) && chart->low >= scale->low)
			strbuf_addf(out, "M%.1f %.1fh10", x - 5, bottom);
		strbuf_adds(out, "\"/>");
	}
	strbuf_addf(out, "<path class=\"estimate\" d=\"M%.1f %.1fl5 5l-5 5l-5 -5z\"/>", x, y - 5);
	add_text(out, x, HEIGHT - 5, "middle", "change");
}

void chart_runs(struct strbuf *out, const struct chart *chart)
{
	struct scale scale = scale_of(chart);

	strbuf_addf(out, "<svg class=\"chart\" role=\"img\" viewBox=\"0 0 %d %d\" aria-label=\"", WIDTH, HEIGHT);
	escape_html(out, chart->words);
	strbuf_adds(out, "\">");
	add_room(out, chart, &scale);
	add_line(out, "limit", &scale, chart->at_most);
	add_line(out, "limit", &scale, chart->at_least);
	add_line(out, "base", &scale, chart->reference);
	add_axis(out, chart, &scale);
	add_columns(out, chart, &scale);
	add_change(out, chart, &scale);
	strbuf_adds(out, "</svg>");
}
