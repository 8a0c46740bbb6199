#include "judge/judge.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "stats/stats.h"

/* -------- which symbols account for a change */

/* Symbols are named until so much of the change is told, or so many are. */
#define TOLD_ENOUGH 0.8
enum { NAMED = 5 };
/* A smaller part of the change is not worth a line; and a largest one that is smaller stands for nothing. */
#define ATTRIBUTE_WORTH_TELLING 0.02
#define STANDS_OUT 0.1
/* Of a change of wall time: with less of it in CPU time, waiting is worth a line. */
#define CPU_MOST 0.7

/* CPU time itself; time in which the target may also wait; what the CPU does in its time. */
enum kind { CPU_TIME, WAITING, WORK, KINDS };

/* Of the metric: a smaller change is not explained. */
#define CHANGE_LEAST 0.005

static int by_delta(const void *a, const void *b)
{
	const struct cost_part *x = a, *y = b;

	return (x->delta < y->delta) - (x->delta > y->delta);
}

static int by_fall(const void *a, const void *b)
{
	return by_delta(b, a);
}

static void give(struct cost_part *from, struct cost_part *to)
{
	to->delta += from->delta;
	to->error = sqrt(to->error * to->error + from->error * from->error);
	from->delta = from->error = 0;
}

static bool is_gone(const struct cost_part *part)
{
	return !part->pair->now && !part->pair->unnamed;
}

struct cost_part *attribute_parts(const struct symbol_pairs *pairs, double before, double now)
{
	struct cost_part *parts = xcalloc(pairs->n + 1, sizeof *parts);

	for (size_t i = 0; i < pairs->n; i++) {
		const struct symbol_pair *pair = &pairs->items[i];

		parts[i] = (struct cost_part){
			.pair = pair,
			.delta = pair->share * now - pair->base_share * before,
			.error = sqrt(pow(pair->share_error * now, 2) + pow(pair->base_share_error * before, 2)),
		};
	}
	for (size_t i = 0; i < pairs->n; i++)
		if (pairs->items[i].unnamed && pairs->items[i].unnamed != &pairs->items[i])
			give(&parts[i], &parts[pairs->items[i].unnamed - pairs->items]);
	qsort(parts, pairs->n, sizeof *parts, now >= before ? by_delta : by_fall);
	return parts;
}

static bool is_sure(const struct cost_part *part)
{
	return fabs(part->delta) > SYMBOL_Z_PASS * part->error;
}

/* What a part is a percentage of: the change, or all that surely went its way where something else went the other. */
static double whole_of(const struct cost_part *parts, size_t n, double change)
{
	double whole = 0;

	for (size_t i = 0; i < n; i++)
		if (is_sure(&parts[i]) && parts[i].delta * change > 0)
			whole += fabs(parts[i].delta);
	return fmax(whole, fabs(change));
}

struct wording {
	const struct scenario_result *scenario;
	const struct judgement *judgement;
	bool by_time;	/* the profile is of what the metric counts */
	bool waits;	/* the metric counts waiting too */
	double change, whole;
};

static void begin_line(struct strbuf *line, const struct wording *w)
{
	strbuf_addf(line, "%s%s: ", w->judgement->ref.metric->name, w->judgement->ref.simulated ? " (simulated)" : "");
}

static const char *unit_of_work(const struct wording *w)
{
	return w->judgement->ref.per_work ? scenario_result_work_unit(w->scenario) : scenario_result_runs(w->scenario, 1);
}

static void tell_part(struct strv *out, const struct wording *w, const struct cost_part *part)
{
	struct strbuf line = STRBUF_INIT;
	const char *what = part->pair->change_kind == SYMBOL_NEW ? " is new and costs " : " costs ";

	begin_line(&line, w);
	symbol_pair_name(part->pair, &line);
	strbuf_adds(&line, is_gone(part) ? " is gone, which saves " : what);
	/* Shares of CPU time are those of the instructions only where all code has the same IPC. */
	strbuf_adds(&line, w->by_time ? "" : "about ");
	cost_add(&line, part->delta, w->judgement->ref.metric);
	strbuf_addf(&line, "%s per %s, %.0f %% of %s",
		    part->pair->change_kind == SYMBOL_NEW || is_gone(part) ? "" : part->delta > 0 ? " more" : " less",
		    unit_of_work(w), 100 * fabs(part->delta) / w->whole,
		    w->whole > 1.1 * fabs(w->change) ? w->change > 0 ? "what was added" : "what was saved" : "the change");
	strv_take(out, strbuf_take(&line));
}

/* The largest part that went the other way, where it takes much of the change away. */
static void tell_offset(struct strv *out, const struct wording *w, const struct cost_part *parts, size_t n)
{
	const struct cost_part *last = &parts[n - 1];
	struct strbuf line = STRBUF_INIT;

	if (!w->by_time || last->delta * w->change >= 0 || !is_sure(last) || fabs(last->delta) < ATTRIBUTE_WORTH_TELLING * 5 * w->whole)
		return;
	begin_line(&line, w);
	symbol_pair_name(last->pair, &line);
	strbuf_adds(&line, is_gone(last) ? " is gone, which saves " : " costs ");
	cost_add(&line, last->delta, w->judgement->ref.metric);
	strbuf_addf(&line, "%s per %s, which hides a part of it", is_gone(last) ? "" : last->delta > 0 ? " more" : " less",
		    unit_of_work(w));
	strv_take(out, strbuf_take(&line));
}

static void tell_spread(struct strv *out, const struct wording *w, const struct cost_part *largest)
{
	struct strbuf line = STRBUF_INIT;

	begin_line(&line, w);
	strbuf_adds(&line, "no symbol stands out, the change is spread: the largest part is ");
	symbol_pair_name(largest->pair, &line);
	strbuf_adds(&line, " with ");
	cost_add(&line, largest->delta, w->judgement->ref.metric);
	strbuf_addf(&line, " per %s, ", unit_of_work(w));
	if (is_sure(largest)) {
		strbuf_addf(&line, "%.0f %% of it", 100 * fabs(largest->delta) / w->whole);
	} else {
		strbuf_adds(&line, "within what its samples leave open (+-");
		cost_add(&line, SYMBOL_Z_PASS * largest->error, w->judgement->ref.metric);
		strbuf_addc(&line, ')');
	}
	strv_take(out, strbuf_take(&line));
}

/* Whether any symbol surely has a part worth naming. */
static bool stands_out(const struct cost_part *parts, size_t n, const struct wording *w)
{
	for (size_t i = 0; i < n && parts[i].delta * w->change >= STANDS_OUT * w->whole * fabs(w->change); i++)
		if (is_sure(&parts[i]))
			return true;
	return false;
}

/* What passed while nothing ran is in no profile of CPU time. */
static void tell_waiting(struct strv *out, const struct wording *w, double cpu)
{
	struct strbuf line = STRBUF_INIT;

	if (!w->waits || cpu / w->change > CPU_MOST)
		return;
	begin_line(&line, w);
	strbuf_adds(&line, "CPU time accounts for ");
	cost_add(&line, fmax(cpu, 0), w->judgement->ref.metric);
	strbuf_adds(&line, " of ");
	cost_add(&line, w->change, w->judgement->ref.metric);
	strbuf_addf(&line, " more per %s: the rest is waiting, which the profile does not see", unit_of_work(w));
	strv_take(out, strbuf_take(&line));
}

/* PARTS, which sum up to CPU of the change. */
static void attribute(struct strv *out, const struct wording *w, const struct cost_part *parts, size_t n, double cpu)
{
	double told = 0;
	size_t named = 0;

	if (!stands_out(parts, n, w)) {
		if (w->judgement->verdict == VERDICT_REGRESSION && !w->waits)
			tell_spread(out, w, &parts[0]);
		tell_waiting(out, w, cpu);
		return;
	}
	for (size_t i = 0; i < n && named < NAMED && told < TOLD_ENOUGH * w->whole; i++) {
		if (parts[i].delta * w->change <= 0 || fabs(parts[i].delta) < ATTRIBUTE_WORTH_TELLING * w->whole)
			break;
		if (!is_sure(&parts[i]))
			continue;
		tell_part(out, w, &parts[i]);
		told += fabs(parts[i].delta);
		named++;
	}
	tell_offset(out, w, parts, n);
	tell_waiting(out, w, cpu);
}

/*
 * Shares of CPU time times instructions fall to whoever is there when others' IPC rises. So of those, only symbols count
 * whose CPU time surely moved the same way. How many are left.
 */
static size_t keep_moved(struct cost_part *parts, size_t n, double change, const struct cost *cost)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct symbol_pair *pair = parts[i].pair;
		const struct cost_part time = {
			.delta = pair->share * cost->now - pair->base_share * cost->before,
			.error = sqrt(pow(pair->share_error * cost->now, 2) + pow(pair->base_share_error * cost->before, 2)),
		};

		if (time.delta * change > 0 && is_sure(&time))
			parts[kept++] = parts[i];
	}
	return kept;
}

static void tell_no_time(struct strv *out, const struct wording *w)
{
	struct strbuf line = STRBUF_INIT;

	if (w->judgement->verdict != VERDICT_REGRESSION)
		return;
	begin_line(&line, w);
	strbuf_adds(&line, "no symbol takes surely more CPU time, so the profile does not tell which one executes them");
	strv_take(out, strbuf_take(&line));
}

/* TOLD: which symbols took the CPU time has been said already. */
static void attribute_gate(struct scenario_result *s, const struct judgement *j, enum kind kind, bool told,
			   const struct symbol_pairs *pairs, const struct cost *cost)
{
	double before = kind == WAITING ? cost->before : j->baseline, now = kind == WAITING ? cost->now : j->current;
	CLEANUP(free_ptr) struct cost_part *parts = attribute_parts(pairs, before, now);
	size_t n = pairs->n;
	struct wording w = {
		.scenario = s, .judgement = j, .by_time = kind != WORK, .waits = kind == WAITING,
		.change = j->current - j->baseline,
	};

	if (!pairs->n || !(fabs(w.change) >= CHANGE_LEAST * j->baseline))
		return;
	if (kind == WORK && cost->metric && cost->metric->unit == UNIT_MS)
		n = keep_moved(parts, n, w.change, cost);
	w.whole = whole_of(parts, n, w.change);
	if (told)
		tell_waiting(&s->explanation, &w, now - before);
	else if (n)
		attribute(&s->explanation, &w, parts, n, now - before);
	else
		tell_no_time(&s->explanation, &w);
}

/* Which metrics a profile of CPU time tells of, the first of a kind that was decided speaking for those behind it. */
static const struct {
	const char *metric;
	enum kind kind;
} attributed[] = {
	{ "task-clock", CPU_TIME }, { "cpu-time", CPU_TIME }, { "user-time", CPU_TIME }, { "cycles", CPU_TIME },
	{ "wall-time", WAITING }, { "instructions", WORK },
};

/* Only what was decided has a cause; what took less CPU time needs no word on waiting. */
static bool is_decided(const struct judgement *j, enum kind kind)
{
	return j->verdict == VERDICT_REGRESSION || (j->verdict == VERDICT_IMPROVEMENT && kind != WAITING);
}

static const struct judgement *find_decided(const struct scenario_result *s, const char *metric, enum kind kind)
{
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct judgement *j = gate_judgement(&s->gates[i]);

		if (!strcmp(j->ref.metric->name, metric) && is_decided(j, kind) && isfinite(j->baseline) && isfinite(j->current))
			return j;
	}
	return NULL;
}

void attribute_changes(struct scenario_result *scenario, const struct symbol_pairs *pairs, const struct cost *cost)
{
	bool told[KINDS] = { [CPU_TIME] = false, [WAITING] = !cost->metric || cost->metric->unit != UNIT_MS, [WORK] = false };

	for (size_t i = 0; i < sizeof attributed / sizeof attributed[0]; i++) {
		const struct judgement *j = find_decided(scenario, attributed[i].metric, attributed[i].kind);

		if (!j || told[attributed[i].kind])
			continue;
		told[attributed[i].kind] = true;
		attribute_gate(scenario, j, attributed[i].kind, attributed[i].kind == WAITING && told[CPU_TIME], pairs, cost);
	}
}

/* -------- what a change is made of */

/* Below this a part of a change is not worth a word, in log units. */
#define WORTH_TELLING 0.005
/* The same of a time, which is told with one decimal. */
#define MS_WORTH_TELLING 0.05

/* A logarithm of a ratio as a change in percent. */
static double percent(double log_ratio)
{
	return expm1(log_ratio) * 100;
}

/* True where what grows with the work is told per unit of it, as it was judged. */
static bool per_work(const struct scenario_result *scenario)
{
	return scenario_result_count(scenario_result_measured(scenario), METRIC_WORK) > 0;
}

static double median_of(const struct scenario_result *s, const struct baseline *base, const char *metric, bool now)
{
	const struct scenario_result *measured = scenario_result_measured(s);
	const struct metric_ref ref = scenario_result_normalised(measured, metric);
	CLEANUP(free_ptr) char *series = metric_ref_name(&ref);
	CLEANUP(free_ptr) double *values = NULL;
	size_t n;

	values = now ? scenario_result_values(measured, series, &n) : baseline_values(base, series, &n);
	return n ? stats_median(values, n) : NAN;
}

double explain_change(const struct scenario_result *scenario, const struct baseline *base, const char *metric)
{
	double change = log(median_of(scenario, base, metric, true) / median_of(scenario, base, metric, false));

	return isfinite(change) ? change : NAN;
}

/* " per request", behind the name of what is told so. */
static void add_per_work(struct strbuf *out, const struct scenario_result *s)
{
	if (per_work(s))
		strbuf_addf(out, " per %s", scenario_result_work_unit(s));
}

static void add_part(struct strbuf *line, double change, const char *what, const char *up, const char *down)
{
	if (fabs(change) < WORTH_TELLING)
		return;
	strbuf_addf(line, "%s%+.1f %% %s (%s)", strbuf_ends_with(line, ": ") ? "" : ", ", percent(change), what,
		    change > 0 ? up : down);
}

static void explain_parts(struct scenario_result *s, const struct baseline *base)
{
	double clock = explain_change(s, base, "task-clock");
	double instructions = explain_change(s, base, "instructions");
	double cycles = explain_change(s, base, "cycles");
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	if (isnan(clock) || isnan(instructions) || isnan(cycles) || fabs(clock) < WORTH_TELLING)
		return;
	strbuf_adds(&line, "task-clock");
	add_per_work(&line, s);
	strbuf_addf(&line, " %+.1f %% is made of: ", percent(clock));
	add_part(&line, instructions, "instructions", "more work", "less work");
	add_part(&line, cycles - instructions, "cycles per instruction", "worse IPC", "better IPC");
	add_part(&line, clock - cycles, "time per cycle", "slower clock", "faster clock");
	if (!strbuf_ends_with(&line, ": "))
		strv_push(&s->explanation, line.buf);
}

/* "-0.2 ms": a time of one request is told in a smaller unit. */
static void add_ms(struct strbuf *out, double ms, double largest_ms)
{
	static const struct { double from; const char *unit; double in_ms; } units[] = {
		{ 1, "ms", 1 }, { 1e-3, "us", 1e-3 }, { 0, "ns", 1e-6 },
	};
	size_t i = 0;

	while (largest_ms < units[i].from)
		i++;
	strbuf_addf(out, "%+.1f %s", ms / units[i].in_ms, units[i].unit);
}

static void explain_modes(struct scenario_result *s, const struct baseline *base)
{
	double user = median_of(s, base, "user-time", true) - median_of(s, base, "user-time", false);
	double sys = median_of(s, base, "system-time", true) - median_of(s, base, "system-time", false);
	double largest = fmax(fabs(user), fabs(sys));
	double worth = MS_WORTH_TELLING;
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	if (per_work(s))
		worth /= scenario_result_median(scenario_result_measured(s), METRIC_WORK);
	if (isnan(user) || isnan(sys) || largest < worth)
		return;
	strbuf_adds(&line, "CPU time");
	if (per_work(s))
		add_per_work(&line, s);
	else
		strbuf_addf(&line, " per %s", scenario_result_runs(s, 1));
	strbuf_adds(&line, ": user ");
	add_ms(&line, user, per_work(s) ? largest : 1);
	strbuf_adds(&line, ", system ");
	add_ms(&line, sys, per_work(s) ? largest : 1);
	strv_push(&s->explanation, line.buf);
}

static void explain_simulated(struct scenario_result *s, const struct baseline *base)
{
	double instructions = explain_change(s, base, "sim-instructions");

	if (!isnan(instructions) && fabs(instructions) >= WORTH_TELLING)
		strv_pushf(&s->explanation, "instructions (simulated) %+.1f %%: the program does %s work", percent(instructions),
			   instructions > 0 ? "more" : "less");
}

/* task-clock contains time the hypervisor took away; user and system time mostly do not. */
static void explain_steal(struct scenario_result *s, const struct baseline *base)
{
	double clock = explain_change(s, base, "task-clock"), cpu = explain_change(s, base, "cpu-time");
	CLEANUP(strbuf_release) struct strbuf unit = STRBUF_INIT;

	add_per_work(&unit, s);
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct judgement *j = gate_judgement(&s->gates[i]);

		if (strcmp(j->ref.metric->name, "task-clock") || isnan(clock) || isnan(cpu))
			continue;
		if (clock > 0 && clock - cpu > log1p(j->tolerance_pct / 100))
			strv_pushf(&s->explanation,
				   "task-clock%s rose by %+.1f %%, user and system time only by %+.1f %%: the rest is steal, "
				   "time the hypervisor gave to others", unit.buf, percent(clock), percent(cpu));
	}
}

/* Of the parts that settings_difference() names. */
static bool is_plural(const char *part)
{
	static const char *const plurals[] = { "events", "cpus", "services", "metrics" };

	for (size_t i = 0; i < sizeof plurals / sizeof plurals[0]; i++)
		if (!strcmp(plurals[i], part))
			return true;
	return false;
}

static void explain_identity(struct scenario_result *s, const struct baseline *base)
{
	const char *before = base->n_sessions ? base->sessions[base->n_sessions - 1].executable : NULL;
	const char *differs = settings_difference(&s->settings, &base->settings);

	if (differs)
		strv_pushf(&s->explanation, "the scenario changed since the baseline: its %s %s", differs,
			   is_plural(differs) ? "differ" : "differs");
	if (before && s->executable && !strcmp(before, s->executable))
		strv_pushf(&s->explanation, "same executable as the baseline's (%.24s)%s", s->executable,
			   scenario_result_regressed(s) ? ": look at its input, its libraries or the machine" : "");
}

void explain_scenario(struct scenario_result *scenario, const struct baseline *base, bool same_class)
{
	/* What nobody could tell has no cause. */
	if (same_class && scenario_result_cost_changed(scenario)) {
		explain_parts(scenario, base);
		explain_modes(scenario, base);
		explain_simulated(scenario, base);
		explain_steal(scenario, base);
	}
	scenario->n_causes = scenario->explanation.n;
	/* The sides of a pair are told apart by who compared them. */
	if (!scenario->pairing)
		explain_identity(scenario, base);
}
