#include "gate/attribute.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/symbol_rule.h"

/* Symbols are named until so much of the change is told, or so many are. */
#define TOLD_ENOUGH 0.8
enum { NAMED = 5 };
/* A smaller part of the change is not worth a line; and a largest one that is smaller stands for nothing. */
#define WORTH_TELLING 0.02
#define STANDS_OUT 0.1
/* Of a change of wall time: with less of it in CPU time, waiting is worth a line. */
#define CPU_MOST 0.7

/* CPU time itself; time in which the target may also wait; what the CPU does in its time. */
enum kind { CPU_TIME, WAITING, WORK, KINDS };

/* Of the metric: a smaller change is not explained. */
#define CHANGE_LEAST 0.005

static int by_delta(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return (x->delta < y->delta) - (x->delta > y->delta);
}

static int by_fall(const void *a, const void *b)
{
	return by_delta(b, a);
}

static void give(struct part *from, struct part *to)
{
	to->delta += from->delta;
	to->error = sqrt(to->error * to->error + from->error * from->error);
	from->delta = from->error = 0;
}

static bool is_gone(const struct part *part)
{
	return !part->pair->now && !part->pair->unnamed;
}

struct part *attribute_parts(const struct symbol_pairs *pairs, double before, double now)
{
	struct part *parts = xcalloc(pairs->n + 1, sizeof *parts);

	for (size_t i = 0; i < pairs->n; i++) {
		const struct symbol_pair *pair = &pairs->items[i];

		parts[i] = (struct part){
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

static bool is_sure(const struct part *part)
{
	return fabs(part->delta) > SYMBOL_CLEARING * part->error;
}

/* What a part is a percentage of: the change, or all that surely went its way where something else went the other. */
static double whole_of(const struct part *parts, size_t n, double change)
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

static void tell_part(struct strv *out, const struct wording *w, const struct part *part)
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
static void tell_offset(struct strv *out, const struct wording *w, const struct part *parts, size_t n)
{
	const struct part *last = &parts[n - 1];
	struct strbuf line = STRBUF_INIT;

	if (!w->by_time || last->delta * w->change >= 0 || !is_sure(last) || fabs(last->delta) < WORTH_TELLING * 5 * w->whole)
		return;
	begin_line(&line, w);
	symbol_pair_name(last->pair, &line);
	strbuf_adds(&line, is_gone(last) ? " is gone, which saves " : " costs ");
	cost_add(&line, last->delta, w->judgement->ref.metric);
	strbuf_addf(&line, "%s per %s, which hides a part of it", is_gone(last) ? "" : last->delta > 0 ? " more" : " less",
		    unit_of_work(w));
	strv_take(out, strbuf_take(&line));
}

static void tell_spread(struct strv *out, const struct wording *w, const struct part *largest)
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
		cost_add(&line, SYMBOL_CLEARING * largest->error, w->judgement->ref.metric);
		strbuf_addc(&line, ')');
	}
	strv_take(out, strbuf_take(&line));
}

/* Whether any symbol surely has a part worth naming. */
static bool stands_out(const struct part *parts, size_t n, const struct wording *w)
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
static void attribute(struct strv *out, const struct wording *w, const struct part *parts, size_t n, double cpu)
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
		if (parts[i].delta * w->change <= 0 || fabs(parts[i].delta) < WORTH_TELLING * w->whole)
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
 * Shares of CPU time times instructions blame whoever is there when others' IPC rises. So of those, only symbols count
 * whose CPU time surely moved the same way. How many are left.
 */
static size_t keep_moved(struct part *parts, size_t n, double change, const struct cost *cost)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		const struct symbol_pair *pair = parts[i].pair;
		const struct part time = {
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
	CLEANUP(free_ptr) struct part *parts = attribute_parts(pairs, before, now);
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
