#include "report/format.h"

#include <math.h>

#include "report/standing.h"

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
static const struct scale ratios[] = {{0, 1, ""}, {.suffix = NULL}};
static const struct scale fractions[] = {{0, 0.01, " %"}, {.suffix = NULL}};

static const struct scale *const scales[] = {
	[UNIT_COUNT] = counts, [UNIT_MS] = times,		[UNIT_BYTES] = sizes,
	[UNIT_RATIO] = ratios, [UNIT_FRACTION] = fractions, [UNIT_HZ] = rates,
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
	for (double limit = 0.9995; size && size < limit && decimals < 6; limit /= 10)
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

void format_interval(struct strbuf *out, double low_pct, double high_pct)
{
	if (isnan(low_pct) && isnan(high_pct)) {
		strbuf_adds(out, "-");
		return;
	}
	if (!isfinite(low_pct) && !isfinite(high_pct)) {
		strbuf_adds(out, "unknown");
		return;
	}
	format_change(out, isnan(low_pct) ? -INFINITY : low_pct);
	strbuf_adds(out, " to ");
	format_change(out, isnan(high_pct) ? INFINITY : high_pct);
}

static void add_separator(struct strbuf *out, size_t start)
{
	if (out->len > start)
		strbuf_adds(out, ", ");
}

/* A number somebody wrote: shown with the digits it has. */
static void add_budget(struct strbuf *out, const char *name, double value, enum metric_unit unit)
{
	const struct scale *scale = scale_for(value, unit);

	strbuf_addf(out, "%s %.6g%s", name, value / scale->factor, scale->suffix);
}

static void add_budgets(struct strbuf *out, const struct gate *gate)
{
	size_t start = out->len;

	if (!isnan(gate->max))
		add_budget(out, "max", gate->max, gate->metric->unit);
	if (isnan(gate->min))
		return;
	add_separator(out, start);
	add_budget(out, "min", gate->min, gate->metric->unit);
}

void format_tolerance(struct strbuf *out, const struct gate *gate)
{
	size_t start = out->len;

	if (gate->relative)
		strbuf_addf(out, "%c%.6g %%", gate->metric->higher_is_better ? '-' : '+', gate->tolerance_pct);
	if (isnan(gate->max) && isnan(gate->min))
		return;
	add_separator(out, start);
	add_budgets(out, gate);
}

void format_metric(struct strbuf *out, const struct metric *metric, bool simulated)
{
	strbuf_adds(out, metric->name);
	if (simulated || metric->source == SOURCE_SIMULATED)
		strbuf_adds(out, " (simulated)");
}

static bool breaks_budget(const struct gate_result *gate)
{
	return gate->current > gate->gate.max || gate->current < gate->gate.min;
}

/* The change is what a reader looks for, unless a budget is all there is or is what broke. */
static bool shows_change(const struct gate_result *gate)
{
	return gate->gate.relative && !isnan(gate->change_pct) && !breaks_budget(gate);
}

void format_finding(struct strbuf *out, const struct gate_result *gate)
{
	format_metric(out, gate->gate.metric, gate->simulated);
	if (isnan(gate->current))
		return;
	strbuf_addc(out, ' ');
	if (shows_change(gate)) {
		format_change(out, gate->change_pct);
		return;
	}
	format_value(out, gate->current, gate->gate.metric->unit);
	if (isnan(gate->gate.max) && isnan(gate->gate.min))
		return;
	if (gate->current > gate->gate.max) {
		add_budget(out, " over max", gate->gate.max, gate->gate.metric->unit);
	} else if (gate->current < gate->gate.min) {
		add_budget(out, " under min", gate->gate.min, gate->gate.metric->unit);
	} else {
		strbuf_adds(out, " (");
		add_budgets(out, &gate->gate);
		strbuf_addc(out, ')');
	}
}

/* The bound of the interval that is nearer to no change, in the direction of CHANGE_PCT. */
static double nearer_bound(const struct gate_result *gate)
{
	return gate->change_pct > 0 ? gate->low_pct : gate->high_pct;
}

static void add_evidence(struct strbuf *out, const struct gate_result *gate)
{
	double least = nearer_bound(gate);

	if (gate->verdict == VERDICT_INCONCLUSIVE) {
		if (isfinite(gate->low_pct) || isfinite(gate->high_pct)) {
			strbuf_adds(out, " (");
			format_interval(out, gate->low_pct, gate->high_pct);
			strbuf_addc(out, ')');
		}
	} else if (isfinite(least) && least * gate->change_pct > 0) {
		strbuf_adds(out, " (at least ");
		format_change(out, least);
		strbuf_addc(out, ')');
	}
}

/* "not slower by more than 2.2 %": what a pass has shown. */
static void add_pass(struct strbuf *out, const struct gate_result *gate)
{
	const struct metric *metric = gate->gate.metric;
	double worst = metric->higher_is_better ? -gate->low_pct : gate->high_pct;

	if (!shows_change(gate) || !isfinite(worst)) {
		format_finding(out, gate);
		return;
	}
	format_metric(out, metric, gate->simulated);
	strbuf_addf(out, ": not %s", metric->kind == KIND_TIME ? "slower" : "worse");
	if (worst > 0)
		strbuf_addf(out, " by more than %.*f %%", worst < 0.995 ? 2 : 1, worst);
}

static void add_change(struct strbuf *out, const struct gate_result *gate)
{
	format_finding(out, gate);
	if (!shows_change(gate))
		return;
	add_evidence(out, gate);
	strbuf_addf(out, ", tolerance %.6g %%", gate->gate.tolerance_pct);
}

static void add_value(struct strbuf *out, const struct gate_result *gate)
{
	format_metric(out, gate->gate.metric, gate->simulated);
	if (isnan(gate->current))
		return;
	strbuf_addc(out, ' ');
	format_value(out, gate->current, gate->gate.metric->unit);
}

void format_words(struct strbuf *out, const struct gate_result *gate)
{
	switch (gate->verdict) {
	case VERDICT_PASS:
		add_pass(out, gate);
		break;
	case VERDICT_NEW:
		add_value(out, gate);
		strbuf_adds(out, ", no baseline to compare with");
		break;
	case VERDICT_NOT_MEASURED:
		add_value(out, gate);
		break;
	default:
		add_change(out, gate);
		break;
	}
}

void format_headline(struct strbuf *out, const struct gate_result *gate)
{
	strbuf_addf(out, "%s ", standing_word(standing_of_gate(gate)));
	format_words(out, gate);
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
