#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/result.h"

/* Bytes of a symbol that a finding has room for. */
enum { FINDING_NAME = 60 };

/* -------- numbers and names */

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

	if (gate->gate.kind == GATE_METRIC)
		format_metric(out, scenario, metric);
	else
		strbuf_adds(out, gate_name(gate));
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
	if (gate->gate.kind != GATE_METRIC)
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

	if (gate->gate.kind == GATE_METRIC)
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

void format_symbol(struct strbuf *out, const char *symbol, size_t most)
{
	size_t len = utf8_clip(symbol, most);

	strbuf_add(out, symbol, len);
	strbuf_adds(out, symbol[len] ? "..." : "");
}

/* -------- what a gate found */

static void add_separator(struct strbuf *out, size_t start)
{
	if (out->len > start)
		strbuf_adds(out, ", ");
}

static void add_budget(struct strbuf *out, const char *name, double value, const struct metric *metric)
{
	strbuf_addf(out, "%s ", name);
	format_written(out, value, metric);
}

static void add_budgets(struct strbuf *out, const struct gate *gate)
{
	size_t start = out->len;

	if (!isnan(gate->max))
		add_budget(out, "max", gate->max, gate->metric);
	if (isnan(gate->min))
		return;
	add_separator(out, start);
	add_budget(out, "min", gate->min, gate->metric);
}

/* What its tolerance and changes are counted in. */
static const char *unit_of(const struct gate *gate)
{
	return gate->kind == GATE_METRIC ? "%" : "pp";
}

void format_tolerance(struct strbuf *out, const struct gate_result *result)
{
	const struct gate *gate = &result->gate;
	size_t start = out->len;

	if (gate->relative)
		strbuf_addf(out, "%c%.6g %s", gate->metric->higher_is_better ? '-' : '+', gate_judgement(result)->tolerance_pct,
			    unit_of(gate));
	if (isnan(gate->max) && isnan(gate->min))
		return;
	add_separator(out, start);
	add_budgets(out, gate);
}

static bool breaks_budget(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return j->current > gate->gate.max || j->current < gate->gate.min;
}

/* The change is what a reader looks for, unless a budget is all there is or is what broke. */
static bool shows_change(const struct gate_result *gate)
{
	return gate->gate.relative && !isnan(gate_judgement(gate)->change_pct) && !breaks_budget(gate);
}

void format_gate_symbol(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate,
			size_t most)
{
	const struct symbol_result *worst = scenario_result_worst_symbol(scenario);

	if (gate->gate.kind != GATE_SYMBOLS || !worst || !shows_change(gate))
		return;
	strbuf_addc(out, ' ');
	format_symbol(out, worst->symbol, most);
}

/* Of symbols a share alone says nothing. */
static bool has_value(const struct gate_result *gate)
{
	return !isnan(gate_judgement(gate)->current) && (gate->gate.kind != GATE_SYMBOLS || shows_change(gate));
}

void format_finding(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	format_gate(out, scenario, gate);
	if (!has_value(gate))
		return;
	format_gate_symbol(out, scenario, gate, FINDING_NAME);
	strbuf_addc(out, ' ');
	if (shows_change(gate)) {
		format_gate_change(out, gate, j->change_pct);
		return;
	}
	format_measured(out, j->current, gate->gate.metric);
	if (isnan(gate->gate.max) && isnan(gate->gate.min))
		return;
	if (j->current > gate->gate.max) {
		add_budget(out, " over max", gate->gate.max, gate->gate.metric);
	} else if (j->current < gate->gate.min) {
		add_budget(out, " under min", gate->gate.min, gate->gate.metric);
	} else {
		strbuf_adds(out, " (");
		add_budgets(out, &gate->gate);
		strbuf_addc(out, ')');
	}
}

/* The bound of the interval that is nearer to no change, in the direction of CHANGE_PCT. */
static double nearer_bound(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return j->change_pct > 0 ? j->low_pct : j->high_pct;
}

/* -------- pairs */

static bool is_fine(double pct)
{
	return pct != 0 && fabs(pct) < 0.095;
}

void pairs_evidence(struct strbuf *out, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	double least = j->change_pct > 0 ? j->low_pct : j->high_pct;
	int decimals = is_fine(j->low_pct) || is_fine(j->high_pct) ? 2 : 1;

	if (j->verdict != VERDICT_INCONCLUSIVE) {
		if (!isfinite(least) || least * j->change_pct <= 0)
			return;
		strbuf_adds(out, " (at least ");
		format_change(out, least);
	} else {
		/* Too few pairs have no bound, or one that says nothing by itself. */
		if (!isfinite(j->low_pct) || !isfinite(j->high_pct))
			return;
		strbuf_addf(out, " (%+.*f to %+.*f", decimals, j->low_pct, decimals, j->high_pct);
	}
	strbuf_addc(out, ')');
}

void pairs_count(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	unsigned least = paired_first_look(scenario->pairing ? scenario->pairing->gates : 1);

	strbuf_addf(out, ", %u pair%s", j->pairs, j->pairs == 1 ? "" : "s");
	if (j->verdict != VERDICT_INCONCLUSIVE)
		return;
	if (j->pairs < least)
		strbuf_addf(out, "; at least %u are needed", least);
	else if (isinf(j->more_pairs))
		strbuf_adds(out, "; cannot be resolved on this machine");
	else if (isfinite(j->more_pairs))
		strbuf_addf(out, "; about %.0f more would decide", ceil(j->more_pairs));
}

static void add_evidence(struct strbuf *out, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	double least = nearer_bound(gate);

	if (j->pairs) {
		pairs_evidence(out, gate);
		return;
	}
	if (j->verdict == VERDICT_INCONCLUSIVE) {
		if (isfinite(j->low_pct) || isfinite(j->high_pct)) {
			strbuf_adds(out, " (");
			format_gate_interval(out, gate);
			strbuf_addc(out, ')');
		}
	} else if (isfinite(least) && least * j->change_pct > 0) {
		strbuf_adds(out, " (at least ");
		format_gate_change(out, gate, least);
		strbuf_addc(out, ')');
	}
}

const char *format_worse(const struct metric *metric)
{
	bool speed = metric->source != SOURCE_PRINTED || metric->unit == UNIT_MS;

	return metric->kind == KIND_TIME && speed ? "slower" : "worse";
}

/* "not slower by more than 2.2 %": what a pass has shown. */
static void add_pass(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	const struct metric *metric = gate->gate.metric;
	double worst = metric->higher_is_better ? -j->low_pct : j->high_pct;

	if (!shows_change(gate) || !isfinite(worst)) {
		format_finding(out, scenario, gate);
		return;
	}
	format_gate(out, scenario, gate);
	if (gate->gate.kind != GATE_METRIC) {
		strbuf_addf(out, ": none rose by more than %.1f pp", fmax(worst, 0));
		return;
	}
	strbuf_addf(out, ": not %s", format_worse(metric));
	if (worst > 0)
		strbuf_addf(out, " by more than %.*f %s", worst < 0.995 ? 2 : 1, worst, unit_of(&gate->gate));
	if (j->pairs)
		pairs_count(out, scenario, gate);
}

static void add_change(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	format_finding(out, scenario, gate);
	if (!shows_change(gate))
		return;
	add_evidence(out, gate);
	strbuf_addf(out, ", tolerance %.6g %s", j->tolerance_pct, unit_of(&gate->gate));
	if (j->pairs)
		pairs_count(out, scenario, gate);
}

static void add_value(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	format_gate(out, scenario, gate);
	if (!has_value(gate))
		return;
	strbuf_addc(out, ' ');
	format_measured(out, gate_judgement(gate)->current, gate->gate.metric);
}

void format_words(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	switch (gate_judgement(gate)->verdict) {
	case VERDICT_PASS:
		add_pass(out, scenario, gate);
		break;
	case VERDICT_NEW:
		add_value(out, scenario, gate);
		strbuf_adds(out, ", no baseline to compare with");
		break;
	case VERDICT_NOT_MEASURED:
		add_value(out, scenario, gate);
		break;
	default:
		add_change(out, scenario, gate);
		break;
	}
}

const char *format_verdict(const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	enum severity severity = severity_of_gate(scenario, gate);

	if (j->pairs && severity == SEVERITY_PASS)
		return "PASS";
	return j->pairs && severity == SEVERITY_IMPROVEMENT ? "IMPROVEMENT" : severity_word(severity);
}

void format_headline(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	strbuf_addf(out, "%s ", format_verdict(scenario, gate));
	format_words(out, scenario, gate);
}

/* -------- whose files judged */

/* Files that are listed; result.json has all. */
enum { LISTED_MOST = 40 };

static void add_base(struct strbuf *out, const struct judged_by *by)
{
	strbuf_adds(out, by->ref);
	if (by->commit && strncmp(by->commit, by->ref, strlen(by->ref)))
		strbuf_addf(out, " (%.*s)", COMMIT_SHOWN, by->commit);
}

/* "edits pawl.yaml and scenarios/a.yaml", or nothing. */
static void words_add_change(struct strbuf *out, const struct judged_by *by, enum judge_change change, const char *verb, size_t *listed)
{
	size_t n = 0, left = 0;

	for (size_t i = 0; i < by->n_edits; i++) {
		const struct judge_edit *edit = &by->edits[i];

		if (edit->change != change)
			continue;
		if (*listed >= LISTED_MOST) {
			left++;
			continue;
		}
		if (!n)
			strbuf_addf(out, "%s%s ", *listed ? "; " : "", verb);
		strbuf_addf(out, "%s%s", n++ ? ", " : "", edit->path);
		if (change == JUDGE_RENAMED)
			strbuf_addf(out, " to %s", edit->note ?: "?");
		++*listed;
	}
	if (left)
		strbuf_addf(out, "%s%zu more that it %s", *listed ? "; " : "", left, verb);
}

static void add_changes(struct strbuf *out, const struct judged_by *by)
{
	static const struct {
		enum judge_change change;
		const char *verb;
	} verbs[] = {
		{ JUDGE_EDITED, "edits" }, { JUDGE_ADDED, "adds" }, { JUDGE_REMOVED, "removes" }, { JUDGE_RENAMED, "renames" },
	};
	size_t listed = 0;

	for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
		words_add_change(out, by, verbs[i].change, verbs[i].verb, &listed);
}

static void add_who(struct strv *out, const struct judged_by *by)
{
	struct strbuf line = STRBUF_INIT;

	if (by->own && !by->n_edits)
		return;
	if (by->n_edits) {
		strbuf_adds(&line, "this change ");
		add_changes(&line, by);
		strbuf_adds(&line, by->own ? ", compared with " : ": what judged are the files of ");
		add_base(&line, by);
		strbuf_adds(&line, by->own ? "; its own judged" : ", not its own");
	} else {
		strbuf_adds(&line, "pawl.yaml, scenarios, baselines and calibration are those of ");
		add_base(&line, by);
		strbuf_adds(&line, "; this change edits none of them");
	}
	strv_take(out, strbuf_take(&line));
}

void judged_lines(struct strv *out, const struct judged_by *by)
{
	if (by->ref)
		add_who(out, by);
	for (size_t i = 0; i < by->n_edits; i++)
		if (by->edits[i].note && by->edits[i].change != JUDGE_RENAMED)
			strv_pushf(out, "%s: %s", by->edits[i].path, by->edits[i].note);
	for (size_t i = 0; i < by->open.n; i++)
		strv_pushf(out, "not protected: %s", by->open.items[i]);
}

/* -------- foreign text on a terminal */

/* Bytes of a log's line that are worth a reader's time. */
enum { LOG_LINE_LONGEST = 400 };

static void break_line(struct strbuf *out, unsigned indent)
{
	while (out->len && out->buf[out->len - 1] == ' ')
		strbuf_truncate(out, out->len - 1);
	strbuf_addc(out, '\n');
	strbuf_pad(out, ' ', indent);
}

/* One line of the text, without its newline. */
static void add_line(struct strbuf *out, const char *line, unsigned indent, unsigned width)
{
	size_t column = indent;

	while (*line) {
		size_t len = strcspn(line, " "), columns;
		CLEANUP(free_ptr) char *word = xstrndup(line, len);

		columns = utf8_width(word);
		if (column > indent && column + columns > width) {
			break_line(out, indent);
			column = indent;
		}
		if (column == indent && escape_is_command(line))
			strbuf_addc(out, '\\');
		strbuf_adds(out, word);
		line += len;
		column += columns;
		if (*line) {
			strbuf_addc(out, *line++);
			column++;
		}
	}
}

void prose_add(struct strbuf *out, const char *text, unsigned indent, unsigned width)
{
	while (true) {
		size_t len = strcspn(text, "\n");
		CLEANUP(free_ptr) char *line = xstrndup(text, len);
		CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

		escape_terminal(&shown, line);
		add_line(out, shown.buf, indent, width);
		text += len;
		if (!text[0] || !text[1])
			break;
		break_line(out, indent);
		text++;
	}
	strbuf_addc(out, '\n');
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n' || !text[1];
	return n;
}

static void add_log_line(struct strbuf *out, const char *line, size_t len)
{
	size_t shown = utf8_clip(line, LOG_LINE_LONGEST);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (shown > len)
		shown = len;
	for (size_t i = 0; i < shown; i++)
		if (line[i] == '\t')
			strbuf_pad(&text, ' ', 8 - text.len % 8);
		else if (line[i] != '\r' || i + 1 < len)
			strbuf_addc(&text, line[i]);
	escape_terminal(out, text.buf);
	if (shown < len)
		strbuf_addf(out, "... (%zu more bytes)", len - shown);
}

void prose_add_log(struct strbuf *out, const char *text, const char *margin, size_t max)
{
	size_t n = count_lines(text);

	if (n > max)
		strbuf_addf(out, "%s(%zu earlier lines left out)\n", margin, n - max);
	for (; n; n--) {
		size_t len = strcspn(text, "\n");

		if (n <= max) {
			strbuf_adds(out, margin);
			add_log_line(out, text, len);
			strbuf_addc(out, '\n');
		}
		text += len + 1;
	}
}
