#include "report/formats/charts.h"

/* Positions are percent and heights are pixels, so that a chart fits any width and its letters keep their size. */
#include <math.h>
#include <stdbool.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/metrics/numbers.h"

enum { TOP = 8, PLOT = 140, BOTTOM = 26, HEIGHT = TOP + PLOT + BOTTOM, AXIS = 72, TICKS_MOST = 5, RADIUS = 4 };

/* Lines farther from the dots than this multiple of their range are not drawn. */
#define FARTHEST 3.0

/* Least range of the axis, relative to the values, so that noise does not look like a change. */
#define RANGE_LEAST 0.02

void chart_dot(struct chart *chart, struct chart_dot dot)
{
	*ARENA_ADD(chart->arena, chart->dots, chart->n_dots, chart->cap_dots) = dot;
}

void chart_line(struct chart *chart, struct chart_line line)
{
	if (!isfinite(line.start))
		return;
	*ARENA_ADD(chart->arena, chart->lines, chart->n_lines, chart->cap_lines) = line;
}

void chart_mark(struct chart *chart, struct chart_mark mark)
{
	*ARENA_ADD(chart->arena, chart->marks, chart->n_marks, chart->cap_marks) = mark;
}

void chart_label(struct chart *chart, struct chart_label label)
{
	*ARENA_ADD(chart->arena, chart->labels, chart->n_labels, chart->cap_labels) = label;
}

struct scale {
	double low, high, step;
};

static void take(struct scale *scale, double value)
{
	if (!isfinite(value))
		return;
	scale->low = fmin(scale->low, value);
	scale->high = fmax(scale->high, value);
}

static bool is_near(const struct scale *dots, double value, double range)
{
	return value >= dots->low - FARTHEST * range && value <= dots->high + FARTHEST * range;
}

/* Returns the distance of ticks, 1, 2 or 5 times a power of ten, so that RANGE has at most TICKS_MOST. */
static double step_of(double range)
{
	double least = range / (TICKS_MOST - 1), power = pow(10, floor(log10(least)));
	const double steps[] = { 1, 2, 5 };

	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (steps[i] * power >= least)
			return steps[i] * power;
	return 10 * power;
}

static struct scale scale_of(const struct chart *chart)
{
	struct scale dots = { INFINITY, -INFINITY, 0 }, scale;
	double range, least;

	for (size_t i = 0; i < chart->n_dots; i++)
		take(&dots, chart->dots[i].value);
	scale = dots;
	least = dots.high > 0 ? RANGE_LEAST * dots.high : 1;
	range = fmax(dots.high - dots.low, least);
	for (size_t i = 0; i < chart->n_lines; i++)
		if (is_near(&dots, chart->lines[i].start, range))
			take(&scale, chart->lines[i].start);
	if (scale.high - scale.low < least)
		scale = (struct scale){ (scale.low + scale.high - least) / 2, (scale.low + scale.high + least) / 2, 0 };
	scale.low = fmax(0, scale.low);
	scale.step = step_of(scale.high - scale.low);
	scale.low = scale.step * floor(scale.low / scale.step);
	scale.high = scale.step * ceil(scale.high / scale.step);
	return scale;
}

static double y_of(const struct scale *scale, double value)
{
	double part = (value - scale->low) / (scale->high - scale->low);

	return TOP + PLOT * (1 - fmax(0, fmin(1, part)));
}

static double x_of(const struct chart *chart, double at)
{
	return 100 * at / chart->columns;
}

static void add_title(struct strbuf *out, const char *before, const char *title)
{
	strbuf_adds(out, "<title>");
	escape_html(out, before);
	strbuf_adds(out, *before && title ? ", " : "");
	escape_html(out, title ?: "");
	strbuf_adds(out, "</title>");
}

static void begin_link(struct strbuf *out, const char *link, const char *attributes)
{
	if (!link)
		return;
	strbuf_adds(out, "<a href=\"");
	escape_html(out, link);
	strbuf_addf(out, "\"%s>", attributes);
}

static void add_axis(struct strbuf *out, const struct chart *chart, const struct scale *scale, bool lines)
{
	int n = (int)lround((scale->high - scale->low) / scale->step);

	for (int i = 0; i <= n; i++) {
		double value = scale->low + i * scale->step, y = y_of(scale, value);

		if (lines) {
			strbuf_addf(out, "<line class=\"grid\" x2=\"100%%\" y1=\"%.1f\" y2=\"%.1f\"/>", y, y);
			continue;
		}
		strbuf_addf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">", AXIS - 8, y + 4);
		escape_html(out, format_written(value, chart->metric).s);
		strbuf_adds(out, "</text>");
	}
}

static void add_lines(struct strbuf *out, const struct chart *chart, const struct scale *scale)
{
	if (!isnan(chart->room_from) && !isnan(chart->room_to)) {
		double top = y_of(scale, chart->room_to), bottom = y_of(scale, chart->room_from);

		strbuf_addf(out, "<rect class=\"room\" width=\"100%%\" y=\"%.1f\" height=\"%.1f\"/>", top, bottom - top);
	}
	add_axis(out, chart, scale, true);
	for (size_t i = 0; i < chart->n_lines; i++) {
		const struct chart_line *line = &chart->lines[i];

		if (line->start >= scale->low && line->start <= scale->high)
			strbuf_addf(out, "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%.1f\" y2=\"%.1f\"/>", line->class,
				    x_of(chart, line->from), x_of(chart, line->to), y_of(scale, line->start), y_of(scale, line->end));
	}
	for (size_t i = 0; i < chart->n_marks; i++) {
		const struct chart_mark *mark = &chart->marks[i];
		double x = x_of(chart, mark->at);

		strbuf_addf(out, "<line class=\"%s\" x1=\"%.2f%%\" x2=\"%.2f%%\" y1=\"%d\" y2=\"%d\">", mark->class, x, x, TOP, TOP + PLOT);
		add_title(out, "", mark->title);
		strbuf_adds(out, "</line>");
	}
}

static void add_labels(struct strbuf *out, const struct chart *chart)
{
	for (size_t i = 0; i < chart->n_labels; i++) {
		const struct chart_label *label = &chart->labels[i];
		double x = x_of(chart, label->at);
		/* Long labels at the ends stay inside. */
		const char *anchor = x < 15 ? "start" : x > 85 ? "end" : "middle";

		begin_link(out, label->link, "");
		strbuf_addf(out, "<text x=\"%.2f%%\" y=\"%d\" text-anchor=\"%s\">", x < 15 ? 0 : x > 85 ? 100 : x, HEIGHT - 6, anchor);
		escape_html(out, label->text);
		strbuf_addf(out, "</text>%s", label->link ? "</a>" : "");
	}
}

void chart_add(struct strbuf *out, const struct chart *chart)
{
	struct scale scale = scale_of(chart);

	strbuf_addf(out, "<div class=\"chart\"><svg class=\"axis\" aria-hidden=\"true\" width=\"%d\" height=\"%d\">", AXIS, HEIGHT);
	add_axis(out, chart, &scale, false);
	strbuf_addf(out, "</svg><svg class=\"plot\" role=\"group\" height=\"%d\" aria-label=\"", HEIGHT);
	escape_html(out, chart->words);
	strbuf_adds(out, "\">");
	add_lines(out, chart, &scale);
	for (size_t i = 0; i < chart->n_dots; i++) {
		const struct chart_dot *dot = &chart->dots[i];

		/* The keyboard has the links below the axis. */
		begin_link(out, dot->link, " tabindex=\"-1\"");
		strbuf_addf(out, "<circle class=\"%s\" cx=\"%.2f%%\" cy=\"%.1f\" r=\"%d\">", dot->class, x_of(chart, dot->at),
			    y_of(&scale, dot->value), RADIUS);
		add_title(out, format_measured(dot->value, chart->metric).s, dot->title);
		strbuf_addf(out, "</circle>%s", dot->link ? "</a>" : "");
	}
	add_labels(out, chart);
	strbuf_adds(out, "</svg></div>\n");
}
