#include "report/format.h"

#include <math.h>

struct scale {
	double from;   /* the least value shown so, a little early: 999.6 would read as 1000 */
	double factor; /* of the metric's unit */
	const char *suffix;
};

/* Each list ascends and ends with an empty entry; the first also serves what is smaller. */
static const struct scale counts[] = {
	{0, 1, ""},		  {9999.5, 1e3, " k"},	 {999.5e3, 1e6, " M"},
	{999.5e6, 1e9, " G"}, {999.5e9, 1e12, " T"}, {.suffix = NULL},
};
static const struct scale times[] = {
	{0, 1e-6, " ns"},	{999.5e-6, 1e-3, " us"}, {0.9995, 1, " ms"},
	{999.5, 1e3, " s"}, {6e5, 6e4, " min"},	 {.suffix = NULL},
};
static const struct scale sizes[] = {
	{0, 1, " B"},
	{1023.5, 0x1p10, " KiB"},
	{1023.5 * 0x1p10, 0x1p20, " MiB"},
	{1023.5 * 0x1p20, 0x1p30, " GiB"},
	{1023.5 * 0x1p30, 0x1p40, " TiB"},
	{.suffix = NULL},
};
static const struct scale rates[] = {
	{0, 1, " Hz"}, {999.5, 1e3, " kHz"}, {999.5e3, 1e6, " MHz"}, {999.5e6, 1e9, " GHz"}, {.suffix = NULL},
};
static const struct scale fractions[] = {{0, 0.01, " %"}, {.suffix = NULL}};

static const struct scale *const scales[] = {
	[UNIT_COUNT] = counts, [UNIT_MS] = times,		[UNIT_BYTES] = sizes,
	[UNIT_RATIO] = counts, [UNIT_FRACTION] = fractions, [UNIT_HZ] = rates,
};

static const struct scale *scale_for(double value, enum metric_unit unit)
{
	const struct scale *scale = scales[unit];

	if (value == 0 && unit == UNIT_MS)
		return &times[2];
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

void format_value(struct strbuf *out, double value, enum metric_unit unit)
{
	const struct scale *scale;
	double scaled;
	int decimals;

	if (!isfinite(value)) {
		strbuf_adds(out, isnan(value) ? "-" : "unknown");
		return;
	}
	scale = scale_for(value, unit);
	scaled = value / scale->factor;
	decimals = decimals_for(scaled);
	/* A whole number of things has no decimals to show. */
	if (scale->factor == 1 && scaled == floor(scaled) && (unit == UNIT_COUNT || unit == UNIT_BYTES))
		decimals = 0;
	if (!value)
		decimals = 0;
	strbuf_addf(out, "%.*f%s", decimals, scaled, scale->suffix);
}

/* The label of a plain number: "82.4 k/s", "912 req/s". Known units are in the number already. */
static void add_label(struct strbuf *out, const struct metric *metric)
{
	if (metric->label && metric->unit == UNIT_RATIO)
		strbuf_addf(out, "%s%s", *metric->label == '/' ? "" : " ", metric->label);
}

void format_measured(struct strbuf *out, double value, const struct metric *metric)
{
	format_value(out, value, metric->unit);
	if (isfinite(value))
		add_label(out, metric);
}

void format_written(struct strbuf *out, double value, const struct metric *metric)
{
	const struct scale *scale = scale_for(value, metric->unit);

	strbuf_addf(out, "%.6g%s", value / scale->factor, scale->suffix);
	add_label(out, metric);
}

void format_metric(struct strbuf *out, const struct scenario_result *scenario, const struct metric *metric)
{
	if (metric_is_per_work(metric))
		strbuf_addf(out, "%s per %s", metric->numerator, scenario_result_work_unit(scenario));
	else
		strbuf_adds(out, metric->name);
	if (metric->source == SOURCE_SIMULATED)
		strbuf_adds(out, " (simulated)");
}

void format_gate(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct metric *metric = gate->gate.metric;
	const struct metric_ref *ref = &gate_judgement(gate)->ref;

	format_metric(out, scenario, metric);
	if (ref->per_work)
		strbuf_addf(out, " per %s", scenario_result_work_unit(scenario));
	if (ref->simulated && metric->source != SOURCE_SIMULATED)
		strbuf_adds(out, " (simulated)");
}

/* "request", "query", "batch" and "unit of work" as there are many of them. */
void format_plural(struct strbuf *out, const char *noun)
{
	const char *of = strstr(noun, " of ");
	size_t len = of ? (size_t)(of - noun) : strlen(noun);
	char last = len ? noun[len - 1] : '\0', before = len > 1 ? noun[len - 2] : '\0';

	if (last == 'y' && before && !strchr("aeiou", before))
		strbuf_addf(out, "%.*sies", (int)len - 1, noun);
	else if (last && (strchr("sxz", last) || (last == 'h' && before && strchr("cs", before))))
		strbuf_addf(out, "%.*ses", (int)len, noun);
	else
		strbuf_addf(out, "%.*ss", (int)len, noun);
	strbuf_adds(out, of ?: "");
}

static void add_factor(struct strbuf *out, double factor)
{
	strbuf_addf(out, "x%.*f", decimals_for(factor), factor);
}

void format_change(struct strbuf *out, double pct)
{
	double size = fabs(pct);

	if (isnan(pct))
		strbuf_adds(out, "-");
	else if (isinf(pct))
		strbuf_adds(out, "unknown");
	else if (pct == 0)
		strbuf_adds(out, "0 %");
	else if (pct > 900)
		add_factor(out, 1 + pct / 100);
	else
		strbuf_addf(out, "%+.*f %%", size < 0.995 ? 2 : size < 99.95 ? 1 : 0, pct);
}

void format_points(struct strbuf *out, double pp)
{
	if (isnan(pp))
		strbuf_adds(out, "-");
	else
		strbuf_addf(out, "%+.*f pp", fabs(pp) < 0.095 && pp != 0 ? 2 : 1, pp);
}

void format_gate_change(struct strbuf *out, const struct gate_result *gate, double change_pct)
{
	if (gate->gate.metric->source == SOURCE_PROFILE)
		format_points(out, change_pct);
	else
		format_change(out, change_pct);
}

static bool has_interval(struct strbuf *out, double low, double high)
{
	if (!isnan(low) || !isnan(high))
		return true;
	strbuf_adds(out, "-");
	return false;
}

void format_interval(struct strbuf *out, double low_pct, double high_pct)
{
	if (!has_interval(out, low_pct, high_pct))
		return;
	if (!isfinite(low_pct) && !isfinite(high_pct)) {
		strbuf_adds(out, "unknown");
		return;
	}
	format_change(out, isnan(low_pct) ? -INFINITY : low_pct);
	strbuf_adds(out, " to ");
	format_change(out, isnan(high_pct) ? INFINITY : high_pct);
}

void format_gate_interval(struct strbuf *out, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	if (gate->gate.metric->source != SOURCE_PROFILE)
		format_interval(out, j->low_pct, j->high_pct);
	else if (has_interval(out, j->low_pct, j->high_pct))
		strbuf_addf(out, "%+.1f to %+.1f pp", j->low_pct, j->high_pct);
}

void format_elapsed(struct strbuf *out, double seconds)
{
	long whole = isfinite(seconds) && seconds > 0 && seconds < 1e9 ? lround(seconds) : 0;

	if (whole < 60)
		strbuf_addf(out, "%ld s", whole);
	else if (whole < 3600)
		strbuf_addf(out, "%ld min %ld s", whole / 60, whole % 60);
	else
		strbuf_addf(out, "%ld h %ld min", whole / 3600, whole % 3600 / 60);
}
