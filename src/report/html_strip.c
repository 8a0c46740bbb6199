#include <math.h>

#include "base/cleanup.h"
#include "report/format.h"
#include "report/html_parts.h"
#include "report/markup.h"

/* In pixels of the drawing. */
enum { WIDTH = 132, HEIGHT = 30, MARGIN = 5 };

/* More dots than these only cover each other; which are left out follows from their order alone. */
enum { DOTS_MOST = 120 };

struct axis {
	double low, high;
};

static void axis_take(struct axis *axis, double value)
{
	if (!isfinite(value))
		return;
	axis->low = fmin(axis->low, value);
	axis->high = fmax(axis->high, value);
}

static struct axis axis_of(const struct html_strip *strip)
{
	struct axis axis = {strip->values[0], strip->values[0]};
	double least;

	for (size_t i = 1; i < strip->n; i++)
		axis_take(&axis, strip->values[i]);
	axis_take(&axis, strip->baseline);
	axis_take(&axis, strip->at_most);
	axis_take(&axis, strip->at_least);
	least = fabs(axis.low + axis.high) / 2 / 100;
	if (least == 0)
		least = 1;
	if (axis.high - axis.low < least) {
		double middle = (axis.low + axis.high) / 2;

		axis = (struct axis){middle - least / 2, middle + least / 2};
	}
	return axis;
}

static double place(const struct axis *axis, double value)
{
	return MARGIN + (WIDTH - 2 * MARGIN) * ((value - axis->low) / (axis->high - axis->low));
}

static void add_line(struct strbuf *out, const struct axis *axis, const char *class, double value)
{
	if (isfinite(value))
		strbuf_addf(out, "<path class=\"%s\" d=\"M%.1f 0V%d\"/>", class, place(axis, value), HEIGHT);
}

/* What is tolerated is shaded, so that whatever lies outside stands out without any colour. */
static void add_room(struct strbuf *out, const struct html_strip *strip, const struct axis *axis)
{
	double left = isfinite(strip->at_least) ? place(axis, strip->at_least) : 0;
	double right = isfinite(strip->at_most) ? place(axis, strip->at_most) : WIDTH;

	if (!isfinite(strip->at_least) && !isfinite(strip->at_most))
		return;
	if (right > left)
		strbuf_addf(out, "<rect class=\"room\" x=\"%.1f\" width=\"%.1f\" height=\"%d\"/>", left, right - left,
			    HEIGHT);
}

static size_t dots_of(const struct html_strip *strip)
{
	return strip->n > DOTS_MOST ? DOTS_MOST : strip->n;
}

/* Strokes without length, whose round ends are the dots: a few bytes each. */
static void add_dots(struct strbuf *out, const struct html_strip *strip, const struct axis *axis)
{
	size_t dots = dots_of(strip);
	double step = dots > 1 ? (HEIGHT - 2.0 * MARGIN) / (double)(dots - 1) : 0;
	double top = dots > 1 ? MARGIN : HEIGHT / 2.0;

	strbuf_adds(out, "<path class=\"dots\" d=\"");
	for (size_t i = 0; i < dots; i++)
		strbuf_addf(out, "M%.1f %.1fh0", place(axis, strip->values[i * strip->n / dots]),
			    top + step * (double)i);
	strbuf_adds(out, "\"/>");
}

static void add_value(struct strbuf *out, const char *words, double value, const struct metric *metric)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!isfinite(value))
		return;
	strbuf_adds(out, words);
	format_measured(&text, value, metric);
	markup_text(out, text.buf);
}

/* The same in words. */
static void add_title(struct strbuf *out, const struct html_strip *strip)
{
	struct axis range = {strip->values[0], strip->values[0]};
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	for (size_t i = 1; i < strip->n; i++)
		axis_take(&range, strip->values[i]);
	strbuf_addf(out, "<title>%zu %s", strip->n, strip->runs);
	if (dots_of(strip) < strip->n)
		strbuf_addf(out, " (%zu drawn)", dots_of(strip));
	add_value(out, ", from ", range.low, strip->metric);
	add_value(out, " to ", range.high, strip->metric);
	strbuf_addf(&words, "; %s ", strip->base ? strip->base : "baseline");
	add_value(out, words.buf, strip->baseline, strip->metric);
	add_value(out, "; tolerated at least ", strip->at_least, strip->metric);
	add_value(out, "; tolerated at most ", strip->at_most, strip->metric);
	strbuf_adds(out, "</title>");
}

void html_strip(struct strbuf *out, const struct html_strip *strip)
{
	struct axis axis;

	if (!strip->n) {
		strbuf_adds(out, "-");
		return;
	}
	axis = axis_of(strip);
	strbuf_addf(out, "<svg class=\"strip\" role=\"img\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">", WIDTH,
		    HEIGHT, WIDTH, HEIGHT);
	add_title(out, strip);
	add_room(out, strip, &axis);
	add_line(out, &axis, "limit", strip->at_least);
	add_line(out, &axis, "limit", strip->at_most);
	add_line(out, &axis, "base", strip->baseline);
	add_dots(out, strip, &axis);
	strbuf_adds(out, "</svg>");
}
