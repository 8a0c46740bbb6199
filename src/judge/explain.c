#include "judge/explain.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/metrics/numbers.h"
#include "stats/stats.h"

/* Adds a line that a cause makes unnecessary. */
static void explain_roughly(struct scenario_result *s, const char *line)
{
	EXPLAIN(s, "%s", line);
	arena_push(&s->arena, &s->rougher, line);
}

void explain_by_causes(struct scenario_result *s)
{
	struct strv rest = STRV_INIT;

	if (!s->n_causes)
		return;
	for (size_t i = 0; i < s->explanation.n; i++) {
		const char *line = s->explanation.items[i];

		arena_push(&s->arena, strv_has(&s->rougher, line) ? &s->evidence : &rest, line);
	}
	s->explanation = rest;
	s->n_cost_lines = 0;
}

/* -------- which symbols account for a change */

/* Symbols are named until they cover this share of the change, or reach this number. */
#define NAMED_ENOUGH 0.8
enum { NAMED = 5 };
/* Smallest part of the change that gets a line, and smallest largest part that stands out. */
#define PART_LEAST 0.02
#define STANDS_OUT 0.1
/* Smallest part in the other direction that gets a line. */
#define OFFSET_LEAST 0.1
/* If CPU time accounts for less than this part of a change of wall time, waiting gets a line. */
#define CPU_MOST 0.7

/* CPU time itself, time that includes waiting, and work done by the CPU in its time. */
enum kind { CPU_TIME, WAITING, WORK, KINDS };

/* Smallest change that is explained, as a part of the metric. */
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

static struct cost_part part_of(const struct symbol_pair *pair, double before, double now)
{
	return (struct cost_part){
		.pair = pair, .delta = pair->share * now - pair->base_share * before,
		.error = sqrt(pow(pair->share_error * now, 2) + pow(pair->base_share_error * before, 2)),
	};
}

struct cost_part *attribute_parts(const struct symbol_pairs *pairs, double before, double now)
{
	struct cost_part *parts = xcalloc(pairs->n + 1, sizeof *parts);

	for (size_t i = 0; i < pairs->n; i++)
		parts[i] = part_of(&pairs->items[i], before, now);
	for (size_t i = 0; i < pairs->n; i++) {
		const struct symbol_pair *unnamed = pairs->items[i].unnamed;
		struct cost_part *to = unnamed ? &parts[unnamed - pairs->items] : &parts[i];

		if (to == &parts[i])
			continue;
		to->delta += parts[i].delta;
		to->error = sqrt(to->error * to->error + parts[i].error * parts[i].error);
		parts[i].delta = parts[i].error = 0;
	}
	qsort(parts, pairs->n, sizeof *parts, now >= before ? by_delta : by_fall);
	return parts;
}

static bool is_sure(const struct cost_part *part)
{
	return fabs(part->delta) > SYMBOL_Z_PASS * part->error;
}

/*
 * Returns the whole that parts are percentages of. It is the change, or the sum of all significant parts in its
 * direction if that is larger.
 */
static double whole_of(const struct cost_part *parts, size_t n, double change)
{
	double whole = 0;

	for (size_t i = 0; i < n; i++)
		if (is_sure(&parts[i]) && parts[i].delta * change > 0)
			whole += fabs(parts[i].delta);
	return fmax(whole, fabs(change));
}

struct wording {
	struct scenario_result *scenario;
	const struct gate_result *gate;
	const struct judgement *judgement;	/* the gate's judgement that counts */
	bool by_time;	/* the profile samples what the metric counts */
	bool waits;	/* the metric counts waiting too */
	double change, whole;
};

static PRINTF_LIKE(2, 3) void add_line(const struct wording *w, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	va_list args;

	strbuf_addf(&line, "%s%s: ", w->gate->gate.metric->name,
		    w->judgement->metric->source == SOURCE_SIMULATED ? " (simulated)" : "");
	va_start(args, fmt);
	strbuf_vaddf(&line, fmt, args);
	va_end(args);
	explain_roughly(w->scenario, line.buf);
}

static struct cost_text amount_of(const struct wording *w, double amount)
{
	return cost_text(amount, w->gate->gate.metric);
}

static const char *unit_of_work(const struct wording *w)
{
	return w->judgement->metric->of ? scenario_result_work_unit(w->scenario) : scenario_result_runs(w->scenario, 1);
}

/* HIDES: the part went the other way. */
static void add_part(const struct wording *w, const struct cost_part *part, bool hides)
{
	CLEANUP(free_ptr) char *name = symbol_pair_name(part->pair);
	bool gone = !part->pair->now && !part->pair->unnamed, more = part->delta > 0;
	bool new = !hides && !gone && part->pair->change_kind == SYMBOL_NEW, larger = w->whole > 1.1 * fabs(w->change);
	const char *of = !larger ? "the change" : w->change > 0 ? "what was added" : "what was saved";
	const char *does = gone ? "is gone, which saves" : new ? "is new and costs" : "costs";
	CLEANUP(free_ptr) char *amount = NULL, *end = NULL;

	/* Shares of CPU time equal shares of instructions only if all code has the same IPC. */
	amount = text_printf("%s%s%s", w->by_time ? "" : "about ", amount_of(w, part->delta).text,
			     new || gone ? "" : more ? " more" : " less");
	end = hides ? xstrdup("which hides a part of it") :
		      text_printf("%.0f %% of %s", 100 * fabs(part->delta) / w->whole, of);
	add_line(w, "%s %s %s per %s, %s", name, does, amount, unit_of_work(w), end);
}

/* Start of a line that a cause replaces. */
#define SPREAD "no symbol stands out"

static void add_spread(const struct wording *w, const struct cost_part *largest)
{
	CLEANUP(free_ptr) char *name = symbol_pair_name(largest->pair), *part = NULL;

	if (is_sure(largest))
		part = text_printf("%.0f %% of it", 100 * fabs(largest->delta) / w->whole);
	else
		part = text_printf("within what its samples leave open (+-%s)",
				   amount_of(w, SYMBOL_Z_PASS * largest->error).text);
	add_line(w, SPREAD ", the change is spread: the largest part is %s with %s per %s, %s", name,
		 amount_of(w, largest->delta).text, unit_of_work(w), part);
}

/* A profile of CPU time does not show time spent waiting. */
static void add_waiting(const struct wording *w, double cpu)
{
	if (w->waits && !(cpu / w->change > CPU_MOST))
		add_line(w, "CPU time accounts for %s of %s more per %s: the rest is waiting, which the profile does not "
			 "see", amount_of(w, fmax(cpu, 0)).text, amount_of(w, w->change).text, unit_of_work(w));
}

/* Adds lines on PARTS, which sum up to CPU of the change. */
static void attribute(const struct wording *w, const struct cost_part *parts, size_t n, double cpu)
{
	const struct cost_part *last = &parts[n - 1];
	bool stands_out = false;
	double named = 0;

	for (size_t i = 0; i < n && parts[i].delta * w->change >= STANDS_OUT * w->whole * fabs(w->change); i++)
		stands_out |= is_sure(&parts[i]);
	if (!stands_out && w->judgement->verdict == VERDICT_REGRESSION && !w->waits)
		add_spread(w, &parts[0]);
	for (size_t i = 0, lines = 0; stands_out && i < n && lines < NAMED && named < NAMED_ENOUGH * w->whole; i++) {
		if (parts[i].delta * w->change <= 0 || fabs(parts[i].delta) < PART_LEAST * w->whole)
			break;
		if (!is_sure(&parts[i]))
			continue;
		add_part(w, &parts[i], false);
		named += fabs(parts[i].delta);
		lines++;
	}
	/* The largest part in the other direction, if it hides much of the change. */
	if (stands_out && w->by_time && last->delta * w->change < 0 && is_sure(last) &&
	    fabs(last->delta) >= OFFSET_LEAST * w->whole)
		add_part(w, last, true);
	add_waiting(w, cpu);
}

/*
 * Keeps only the parts of symbols whose CPU time also moved in the direction of the change, beyond chance.
 * Multiplying shares of CPU time by instructions is not enough: a symbol's product also changes if the IPC of others
 * rises. Returns the number of parts left.
 */
static size_t keep_moved(struct cost_part *parts, size_t n, double change, const struct cost *cost)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct cost_part time = part_of(parts[i].pair, cost->before, cost->now);

		if (time.delta * change > 0 && is_sure(&time))
			parts[kept++] = parts[i];
	}
	return kept;
}

/* NAMED: the explanation already names the symbols that took the CPU time. */
static void attribute_gate(struct scenario_result *s, const struct gate_result *gate, enum kind kind, bool named,
			   const struct symbol_pairs *pairs, const struct cost *cost)
{
	const struct judgement *j = gate_judgement(gate);
	double before = kind == WAITING ? cost->before : j->baseline, now = kind == WAITING ? cost->now : j->current;
	CLEANUP(free_ptr) struct cost_part *parts = attribute_parts(pairs, before, now);
	size_t n = pairs->n;
	struct wording w = {
		.scenario = s, .gate = gate, .judgement = j, .by_time = kind != WORK, .waits = kind == WAITING,
		.change = j->current - j->baseline,
	};

	if (!pairs->n || !(fabs(w.change) >= CHANGE_LEAST * j->baseline))
		return;
	if (kind == WORK && cost->metric && cost->metric->unit == UNIT_MS)
		n = keep_moved(parts, n, w.change, cost);
	w.whole = whole_of(parts, n, w.change);
	if (named) {
		add_waiting(&w, now - before);
	} else if (n) {
		attribute(&w, parts, n, now - before);
	} else if (j->verdict == VERDICT_REGRESSION) {
		add_line(&w, "no symbol takes surely more CPU time, so the profile does not show which one "
			 "executes them");
	}
}

/* Metrics that a profile of CPU time explains. The first decided one of a kind speaks for the rest of that kind. */
static const struct {
	enum metric_id metric;
	enum kind kind;
} attributed[] = {
	{ METRIC_TASK_CLOCK, CPU_TIME }, { METRIC_CPU_TIME, CPU_TIME }, { METRIC_USER_TIME, CPU_TIME },
	{ METRIC_CYCLES, CPU_TIME }, { METRIC_WALL_TIME, WAITING }, { METRIC_INSTRUCTIONS, WORK },
};

static const struct gate_result *find_decided(const struct scenario_result *s, enum metric_id metric, enum kind kind)
{
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct judgement *j = gate_judgement(&s->gates[i]);

		if (s->gates[i].gate.metric != &metric_catalogue[metric] || !isfinite(j->baseline) || !isfinite(j->current))
			continue;
		/* Only decided gates have a cause. An improvement needs no line on waiting. */
		if (j->verdict == VERDICT_REGRESSION || (j->verdict == VERDICT_IMPROVEMENT && kind != WAITING))
			return &s->gates[i];
	}
	return NULL;
}

void attribute_changes(struct scenario_result *scenario, const struct symbol_pairs *pairs, const struct cost *cost)
{
	bool done[KINDS] = { [CPU_TIME] = false, [WAITING] = !cost->metric || cost->metric->unit != UNIT_MS, [WORK] = false };

	for (size_t i = 0; i < sizeof attributed / sizeof attributed[0]; i++) {
		enum kind kind = attributed[i].kind;
		const struct gate_result *gate = done[kind] ? NULL : find_decided(scenario, attributed[i].metric, kind);

		if (!gate)
			continue;
		done[kind] = true;
		attribute_gate(scenario, gate, kind, kind == WAITING && done[CPU_TIME], pairs, cost);
	}
}

/* -------- components of a change */

/* Smallest parts that are mentioned: of a change, in log units, and of a time, which is shown with one decimal. */
#define WORTH_A_WORD 0.005
#define MS_WORTH_A_WORD 0.05

/* Converts the logarithm of a ratio to a change in percent. */
static double percent(double log_ratio)
{
	return expm1(log_ratio) * 100;
}

static double median_of(const struct scenario_result *s, const struct baseline *base, const struct metric *plain, bool now)
{
	const struct side_result *measured = scenario_result_measured(s);
	const struct metric *metric = side_result_normalised(measured, plain);
	CLEANUP(free_ptr) double *values = NULL;
	size_t n;

	if (!now && !baseline_counted_alike(base, measured->simulator, metric))
		return NAN;
	values = now ? side_result_values(measured, metric, &n) : baseline_values(base, metric, &n);
	return n ? stats_median(values, n) : NAN;
}

double explain_change(const struct scenario_result *scenario, const struct baseline *base, const struct metric *metric)
{
	double change = log(median_of(scenario, base, metric, true) / median_of(scenario, base, metric, false));

	return isfinite(change) ? change : NAN;
}

static void add_log_part(struct strbuf *line, double change, const char *what, const char *up, const char *down)
{
	if (fabs(change) < WORTH_A_WORD)
		return;
	strbuf_addf(line, "%s%+.1f %% %s (%s)", strbuf_ends_with(line, ": ") ? "" : ", ", percent(change), what,
		    change > 0 ? up : down);
}

/*
 * PER is " per request" if values that grow with the work are judged per request; else empty. WORK is the number of
 * requests.
 */
static void explain_modes(struct scenario_result *s, const struct baseline *base, const char *per, double work)
{
	double user = median_of(s, base, METRIC(USER_TIME), true) - median_of(s, base, METRIC(USER_TIME), false);
	double sys = median_of(s, base, METRIC(SYSTEM_TIME), true) - median_of(s, base, METRIC(SYSTEM_TIME), false);
	double largest = fmax(fabs(user), fabs(sys));
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	if (isnan(user) || isnan(sys) || largest < (*per ? MS_WORTH_A_WORD / work : MS_WORTH_A_WORD))
		return;
	strbuf_addf(&line, "CPU time%s%s: user %s, system %s", *per ? per : " per ", *per ? "" : scenario_result_runs(s, 1),
		    format_difference(user, UNIT_MS).s, format_difference(sys, UNIT_MS).s);
	explain_roughly(s, line.buf);
}

static void explain_cost(struct scenario_result *s, const struct baseline *base)
{
	double clock = explain_change(s, base, METRIC(TASK_CLOCK)), cpu = explain_change(s, base, METRIC(CPU_TIME));
	double instructions = explain_change(s, base, METRIC(INSTRUCTIONS)), cycles = explain_change(s, base, METRIC(CYCLES));
	double simulated = explain_change(s, base, METRIC(SIM_INSTRUCTIONS));
	const struct side_result *measured = scenario_result_measured(s);
	CLEANUP(strbuf_release) struct strbuf per = STRBUF_INIT, line = STRBUF_INIT;

	if (side_result_count(measured, METRIC(WORK)))
		strbuf_addf(&per, " per %s", scenario_result_work_unit(s));
	if (!isnan(instructions) && !isnan(cycles) && fabs(clock) >= WORTH_A_WORD) {
		strbuf_addf(&line, "task-clock%s %+.1f %% is made of: ", per.buf, percent(clock));
		add_log_part(&line, instructions, "instructions", "more work", "less work");
		add_log_part(&line, cycles - instructions, "cycles per instruction", "worse IPC", "better IPC");
		add_log_part(&line, clock - cycles, "time per cycle", "slower clock", "faster clock");
		if (!strbuf_ends_with(&line, ": "))
			explain_roughly(s, line.buf);
	}
	explain_modes(s, base, per.buf, side_result_median(measured, METRIC(WORK)));
	strbuf_reset(&line);
	strbuf_addf(&line, "instructions (simulated) %+.1f %%: the program does %s work", percent(simulated),
		    simulated > 0 ? "more" : "less");
	if (fabs(simulated) >= WORTH_A_WORD)
		explain_roughly(s, line.buf);
	/* task-clock contains time that the hypervisor took away; user and system time mostly do not. */
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct judgement *j = gate_judgement(&s->gates[i]);

		if (s->gates[i].gate.metric == METRIC(TASK_CLOCK) && clock > 0 && clock - cpu > log1p(j->tolerance_pct / 100))
			EXPLAIN(s,
				"task-clock%s rose by %+.1f %%, user and system time only by %+.1f %%: the rest is steal, "
				"time the hypervisor gave to others", per.buf, percent(clock), percent(cpu));
	}
}

/* Returns "its command differs"; NULL if the settings of S are those of BASE. */
static const char *changed_setting(struct scenario_result *s, const struct baseline *base)
{
	/* Plural names returned by settings_difference(). */
	static const char *const plurals[] = { "events", "cpus", "services", "metrics" };
	const char *part = settings_difference(&s->settings, &base->settings), *verb = "differs";

	for (size_t i = 0; part && i < sizeof plurals / sizeof plurals[0]; i++)
		if (!strcmp(plurals[i], part))
			verb = "differ";
	return part ? arena_take(&s->arena, text_printf("its %s %s", part, verb)) : NULL;
}

void explain_identity(struct scenario_result *s, const struct baseline *base)
{
	const char *before = base->n_sessions ? base->sessions[base->n_sessions - 1].executable : NULL, *changed = changed_setting(s, base);

	if (changed)
		EXPLAIN(s, "the scenario changed since the baseline: %s", changed);
	if (before && s->head.executable && !strcmp(before, s->head.executable))
		EXPLAIN(s, "same executable as the baseline's (%.24s)%s", s->head.executable,
			scenario_result_regressed(s) ? ": look at its input, its libraries or the machine" : "");
}

void explain_one_scenario(struct scenario_result *s, const struct baseline *accepted)
{
	const char *changed = changed_setting(s, accepted);

	if (changed)
		EXPLAIN(s, "the scenario changed since the baseline (%s); both sides ran it as it is now", changed);
}

void explain_leave_out(struct scenario_result *scenario, bool counted)
{
	struct strv *lines = &scenario->explanation;
	bool changed = scenario->n_causes && scenario->causes[0].changed;
	size_t kept = 0, cost_lines = 0;

	for (size_t i = 0; i < lines->n; i++) {
		bool of_instructions = text_starts(lines->items[i], "instructions: ") || text_starts(lines->items[i], "instructions (simulated): ");

		if ((counted && of_instructions) || (scenario->n_causes && strstr(lines->items[i], ": " SPREAD)) ||
		    (changed && text_starts(lines->items[i], SAME_EXECUTABLE)))
			continue;
		cost_lines += i < scenario->n_cost_lines;
		lines->items[kept++] = lines->items[i];
	}
	lines->n = kept;
	scenario->n_cost_lines = cost_lines;
}

void explain_scenario(struct scenario_result *scenario, const struct baseline *base, bool same_class)
{
	/* Undecided changes are not explained. */
	if (same_class && scenario_result_cost_changed(scenario))
		explain_cost(scenario, base);
	scenario->n_cost_lines = scenario->explanation.n;
	/* In pairs, explain_sides() of pairs.c compares the sides. */
	if (!scenario->paired)
		explain_identity(scenario, base);
}
