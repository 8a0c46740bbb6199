#include "model/metrics/numbers.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct scale {
	double from;		/* least value in this unit, slightly early: 999.6 would read as 1000 */
	double factor;		/* of the metric's unit */
	const char *suffix;
};

/* Ascending, each ends with an empty entry. The first entry also serves smaller values. */
enum { SCALES = 6 };
static const struct scale counts[SCALES] = {
	{ 0, 1, "" }, { 9999.5, 1e3, " k" }, { 999.5e3, 1e6, " M" }, { 999.5e6, 1e9, " G" }, { 999.5e9, 1e12, " T" },
};
static const struct scale times[SCALES] = {
	{ 0, 1e-6, " ns" }, { 999.5e-6, 1e-3, " us" }, { 0.9995, 1, " ms" }, { 999.5, 1e3, " s" }, { 6e5, 6e4, " min" },
};
static const struct scale sizes[SCALES] = {
	{ 0, 1, " B" }, { 1023.5, 0x1p10, " KiB" }, { 1023.5 * 0x1p10, 0x1p20, " MiB" },
	{ 1023.5 * 0x1p20, 0x1p30, " GiB" }, { 1023.5 * 0x1p30, 0x1p40, " TiB" },
};
static const struct scale rates[SCALES] = {
	{ 0, 1, " Hz" }, { 999.5, 1e3, " kHz" }, { 999.5e3, 1e6, " MHz" }, { 999.5e6, 1e9, " GHz" },
};
static const struct scale fractions[SCALES] = { { 0, 0.01, " %" } };

static const struct scale *const scales[] = {
	[UNIT_COUNT] = counts, [UNIT_MS] = times, [UNIT_BYTES] = sizes, [UNIT_RATIO] = counts,
	[UNIT_FRACTION] = fractions, [UNIT_HZ] = rates,
};

struct short_text format_short(const char *fmt, ...)
{
	struct short_text text;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text.s, sizeof text.s, fmt, args);
	va_end(args);
	return text;
}

static const struct scale *scale_for(double value, enum metric_unit unit)
{
	const struct scale *scale = scales[unit];

	if (value == 0 && unit == UNIT_MS)
		return &scale[2];
	while (scale[1].suffix && fabs(value) >= scale[1].from)
		scale++;
	return scale;
}

/* Decimals that leave three significant digits. */
static int decimals_for(double value)
{
	double size = fabs(value);
	int decimals = 2;

	if (size >= 99.95)
		return 0;
	if (size >= 9.995)
		return 1;
	for (double limit = 0.9995; size && size < limit && decimals < 9; limit /= 10)
		decimals++;
	return decimals;
}

struct short_text format_value(double value, enum metric_unit unit)
{
	const struct scale *scale;
	double scaled;
	bool whole;

	if (!isfinite(value))
		return format_short("%s", isnan(value) ? "-" : "unknown");
	scale = scale_for(value, unit);
	scaled = value / scale->factor;
	/* Whole counts have no decimals. */
	whole = !value || (scale->factor == 1 && scaled == floor(scaled) && (unit == UNIT_COUNT || unit == UNIT_BYTES));
	return format_short("%.*f%s", whole ? 0 : decimals_for(scaled), scaled, scale->suffix);
}

struct short_text format_difference(double value, enum metric_unit unit)
{
	return format_short("%s%s", value >= 0 ? "+" : "", format_value(value, unit).s);
}

struct short_text format_count(double n)
{
	if (fabs(n) >= 999.5e3)
		return format_value(n, UNIT_COUNT);
	if (fabs(n) >= 999.5)
		return format_short("%.0f,%03.0f", trunc(round(n) / 1000), fmod(fabs(round(n)), 1000));
	return format_short("%.3g", n);
}

/* Adds the label of a plain number: "82.4 k/s", "912 req/s". Known units are already in the number. */
static struct short_text add_label(struct short_text number, const struct metric *metric)
{
	if (!metric->label || metric->unit != UNIT_RATIO)
		return number;
	return format_short("%s%s%s", number.s, *metric->label == '/' ? "" : " ", metric->label);
}

struct short_text format_measured(double value, const struct metric *metric)
{
	struct short_text number = format_value(value, metric->unit);

	return isfinite(value) ? add_label(number, metric) : number;
}

struct short_text format_written(double value, const struct metric *metric)
{
	const struct scale *scale = scale_for(value, metric->unit);

	return add_label(format_short("%.6g%s", value / scale->factor, scale->suffix), metric);
}

/* Decimals of a percentage. */
static int decimals_of(double pct)
{
	return pct == 0 || fabs(pct) >= 99.95 ? 0 : fabs(pct) < 0.995 ? 2 : 1;
}

struct short_text format_change(double pct)
{
	if (!isfinite(pct))
		return format_short("%s", isnan(pct) ? "-" : "unknown");
	return format_short(pct == 0 ? "%.*f %%" : "%+.*f %%", decimals_of(pct), fabs(pct) > 0 ? pct : 0);
}

struct short_text format_percent(double pct)
{
	return isfinite(pct) ? format_short("%.*f %%", decimals_of(pct), pct) : format_change(pct);
}

struct short_text format_share(double pct)
{
	return isnan(pct) ? format_short("-") : format_short("%.1f %%", pct);
}

struct short_text format_points(double pp)
{
	if (!isfinite(pp))
		return format_change(pp);
	return format_short("%+.*f pp", fabs(pp) < 0.095 && pp != 0 ? 2 : 1, pp);
}

struct short_text format_limit(double limit, bool points)
{
	return format_short("%.6g %s", limit, points ? "pp" : "%");
}

struct short_text format_interval(double low, double high, bool points)
{
	struct short_text (*format)(double) = points ? format_points : format_change, first;

	if (isnan(low) && isnan(high))
		return format_short("-");
	if (!isfinite(low) && !isfinite(high))
		return format_short("unknown");
	first = format(isnan(low) ? -INFINITY : low);
	/* Points have their unit once. */
	return format_short("%.*s to %s", points ? (int)strcspn(first.s, " ") : -1, first.s, format(isnan(high) ? INFINITY : high).s);
}

struct short_text format_duration(uint64_t ns)
{
	return ns < 999500000000 ? format_short("%.3g s", (double)ns / 1e9) : format_elapsed((double)ns / 1e9);
}

struct short_text format_elapsed(double seconds)
{
	long whole = isfinite(seconds) && seconds > 0 && seconds < 1e9 ? lround(seconds) : 0;

	if (whole < 60)
		return format_short("%ld s", whole);
	if (whole < 3600)
		return format_short("%ld min %ld s", whole / 60, whole % 60);
	return format_short("%ld h %ld min", whole / 3600, whole % 3600 / 60);
}
