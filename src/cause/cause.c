#include "cause/cause.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/blame.h"
#include "cause/changed.h"
#include "cause/explain.h"
#include "cause/kind.h"
#include "cause/ledger/ledger.h"
#include "cause/ledger/touched.h"
#include "cause/sentence.h"
#include "cause/waiting.h"
#include "model/cost.h"

/* -------- where no cost is certain */

/* Least exact growth to report, however little time it takes: a factor, and a number of page faults or system calls. */
#define COUNT_ROSE 1.05
enum { NUMBER_ROSE = 50 };

/*
 * Returns the increase of X in a COST that is counted exactly: page faults, system calls, or instructions, callees
 * included. 0: it did not rise by more than noise.
 */
static double counted_more(const struct search *s, const struct suspect *x, enum cost_kind cost)
{
	double was = x->at->cost[cost][BASE], more = more_of(x, cost);

	if (cost == COST_INSTRUCTIONS)
		more = fmax(more, x->caused_counted / s->asked.pace);
	return more > (COUNT_ROSE - 1) * was && (cost == COST_INSTRUCTIONS || more >= NUMBER_ROSE) ? more : 0;
}

/* Adds the changed function whose exact counts rose, however little time that takes. */
static bool explain_by_counts(struct search *s)
{
	static const struct { enum cost_kind cost; enum cause_kind kind; } counts[] = {
		{ COST_INSTRUCTIONS, CAUSE_WORK }, { COST_FAULTS, CAUSE_FAULTS }, { COST_CALLS, CAUSE_SYSTEM_CALLS },
	};
	bool counted = ledger_counts(&s->ledger);
	const struct suspect *grown = NULL;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct cause *cause;
	enum cause_kind kind;
	size_t i;

	for (i = counted ? 0 : 1; i < sizeof counts / sizeof counts[0] && !(grown = SUSPECT_MOST(s, x, suspect_changed(x) ? counted_more(s, x, counts[i].cost) : 0));)
		i++;
	if (!grown)
		return false;
	kind = counts[i].cost == COST_INSTRUCTIONS ? kind_of(s, grown) : counts[i].kind;
	cause = sentence_add_cause(s, kind_whole(s, kind));
	strbuf_addf(&text, "%s changed, and ", sentence_name_suspect(s, cause, grown));
	if (counts[i].cost == COST_INSTRUCTIONS)
		strbuf_addf(&text, "%s more per %s are executed for it", cost_text(counted_more(s, grown, COST_INSTRUCTIONS), METRIC(INSTRUCTIONS)).text,
			    s->per);
	else
		sentence_add_reason(s, counts[i].kind, grown, &text);
	sentence_set(s, cause, s->asked.metric, &(struct words){ .who = text.buf });
	return true;
}

/* Sets the whole change as CAUSE's amount, and the sentence "WHO: 60.0 ms more per run". */
static void set_whole(struct search *s, struct cause *cause, const char *who)
{
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;

	sentence_set_amount(s, cause, s->asked.change);
	strbuf_addf(&reason, "%s more per %s", cost_text(cause->amount, s->asked.metric).text, s->per);
	sentence_set(s, cause, s->asked.metric, &(struct words){ .who = who, .reason = reason.buf });
}

/* Adds the only place, or the only function, where the sides differ: any increase comes from there. */
static bool explain_by_place(struct search *s)
{
	const struct change *c = changed_place(s) ?: changed_function(s);
	const struct change_use *use = c ? changed_use(s, c) : NULL;
	struct arena *arena = &s->scenario->arena;
	struct cause *cause;
	const char *place;

	if (!c)
		return false;
	cause = sentence_add_cause(s, kind_whole(s, kind_of_place(s, c)));
	place = arena_printf(arena, "%s changed, the only %s", sentence_name_change(s, cause, c, 1),
			     changed_place(s) ? "place where the sides differ" : "function that did");
	if (use) {
		cause->function = arena_strdup(arena, use->function);
		cause->place = arena_printf(arena, "%s:%u", path_name(use->path), use->line);
		place = arena_printf(arena, "%s (%s) uses %s; %s", use->function, cause->place, use->word, place);
	}
	set_whole(s, cause, place);
	return true;
}

/* Adds the input file that grew, if only the input differs. */
static bool explain_by_input(struct search *s)
{
	const struct traced_file *file = s->whole == CAUSE_INPUT ? kind_grown_input(s) : NULL;

	if (!file)
		return false;
	set_whole(s, sentence_add_cause(s, CAUSE_INPUT), arena_printf(&s->scenario->arena, "%s, which it reads, is larger", path_name(file->path)));
	return true;
}

/* Explains an increase without a costlier function, by counts and by other differences. */
static void explain_otherwise(struct search *s)
{
	if (!(explain_by_input(s) || explain_by_counts(s) || explain_calls(s)))
		explain_by_place(s);
}

/* -------- everything together */

/* The kinds of metrics that regressed. */
struct regressed {
	bool waits, runs;	/* one that includes waiting; another */
	bool times, instructions;
};

static struct regressed find_regressed(const struct scenario_result *s)
{
	struct regressed found = { 0 };

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct metric *metric = regressed_metric(s, i);

		if (!metric)
			continue;
		*(metric->waits ? &found.waits : &found.runs) = true;
		found.times |= metric->unit == UNIT_MS;
		found.instructions |= metric == METRIC(INSTRUCTIONS) || metric == METRIC(SIM_INSTRUCTIONS);
	}
	return found;
}

/* Shows the only change between the sides, the source of any increase. */
static void show_only_change(struct search *s)
{
	struct cause *cause = s->scenario->n_causes ? &s->scenario->causes[0] : NULL;

	if (!cause || cause->changed)
		return;
	if (changed_place(s))
		sentence_set_change(s, cause, changed_place(s));
	else
		cause->changed = arena_strdup(&s->scenario->arena, changed_file(s));
}

static void add_missing_of(struct scenario_result *s, const char *side, const char *missing)
{
	for (size_t k = 0; k < s->evidence.n; k++)
		if (strstr(s->evidence.items[k], missing))
			return;
	arena_pushf(&s->arena, &s->evidence, "%s%s", side, missing);
}

/* Reports missing evidence. If both sides lack it for the same reason, reports it once without a side. */
static void add_missing(struct scenario_result *s, const struct cause_input *in)
{
	for (int step = 0; step < STEPS; step++) {
		const char *was = in->base->missing[step], *now = in->head->missing[step];
		bool same = was && now && !strcmp(was, now);

		if (was)
			add_missing_of(s, same ? "" : "base: ", was);
		if (now && !same)
			add_missing_of(s, "head: ", now);
	}
}

static void add_wall(const struct wall_change *wall, struct scenario_result *s)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	wall_change_words(wall, &words);
	arena_push(&s->arena, &s->evidence, words.buf);
}

/* Returns the base's time per instruction in ms; for own code alone, if helper programs were not counted. */
static double pace(const struct search *s)
{
	const struct ledger *l = &s->ledger;
	double time = l->total[COST_TIME][BASE], own = time - l->unowned[COST_TIME][BASE], kernel = l->total[COST_KERNEL][BASE];
	double work = l->total[COST_INSTRUCTIONS][BASE], own_work = work - l->unowned[COST_INSTRUCTIONS][BASE];

	if (s->in->base->helpers && own - kernel > 0 && own_work > 0)
		return s->total_ms[BASE] * part_of(own - kernel, time) / own_work;
	return work > 0 ? s->total_ms[BASE] * (1 - part_of(kernel, time)) / work : 0;
}

static void explain(struct search *s, struct regressed regressed)
{
	double change_ms = s->total_ms[HEAD] - s->total_ms[BASE];
	const double *work = s->ledger.total[COST_INSTRUCTIONS];
	const struct question time = { COST_TIME, s->total_ms[BASE], change_ms, s->ms_per_instruction, METRIC(TASK_CLOCK) };
	const struct question instructions = { COST_INSTRUCTIONS, work[BASE], change_of(work), 1, METRIC(INSTRUCTIONS) };
	struct wall_change wall;
	bool counted = regressed.instructions && ledger_counts(&s->ledger) && change_of(work) > 0, waits;

	if (explain_memory(s))
		return;
	s->asked = time;
	/* A profile of CPU time has no waits. */
	waits = regressed.waits && wall_change_of(s->scenario, s->in->base, s->in->head, &wall);
	if (waits) {
		wall_change_prefer_lock(s, &wall);
		add_wall(&wall, s->scenario);
	}
	/* Unexplained time may belong to other programs, so known costs come first. */
	if (waits && wall.kind != CAUSE_WORK && !(wall.unseen && regressed.runs))
		wall_change_explain(s, &wall);
	if (change_ms > 0 && !s->scenario->n_causes && (regressed.times || !counted))
		explain_costs(s, &time);
	if (!s->scenario->n_causes && counted)
		explain_costs(s, &instructions);
	if (!s->scenario->n_causes && waits && wall.kind != CAUSE_WORK)
		wall_change_explain(s, &wall);
	if (!s->scenario->n_causes && change_ms > 0) {
		kind_ask(s, &time);
		explain_otherwise(s);
	}
}

/* Least part of a run's time that a change must have, so that samples of one run show it. */
#define SAMPLED_LEAST 0.05

/*
 * Measured runs of a benchmark program take a given time, which does not grow. Those for the cause make the same iterations
 * on both sides, and pairs know what one takes better than the time of one run shows.
 */
static void ask_for_iterations(struct search *s)
{
	const struct metric *benchmark = s->in->benchmark;
	const struct stacks *sampled = &s->in->base->cpu;
	double more;

	if (!s->in->iterations || benchmark->unit != UNIT_MS)
		return;
	more = s->in->iterations * (side_result_median(scenario_result_measured(s->scenario), benchmark) -
				    side_result_median(&s->scenario->base, benchmark));
	if (sampled->n_events && stacks_unit(sampled, 0) == STACKS_NS)
		s->total_ms[BASE] = sampled->events[0].weight / 1e6 / (sampled->run + 1);
	s->total_ms[HEAD] = s->total_ms[BASE] + more;
	s->unsampled = more < SAMPLED_LEAST * s->total_ms[BASE];
}

void causes_find(struct scenario_result *scenario, const struct baseline *base, const struct cause_input *in)
{
	const struct regressed regressed = find_regressed(scenario);
	struct cost cost;

	scenario->n_causes = 0;
	scenario->evidence = (struct strv)STRV_INIT;
	cost_find(scenario, base, &cost);
	if ((regressed.waits || regressed.runs) && cost.metric && cost.metric->unit == UNIT_MS) {
		CLEANUP(search_release) struct search s = { .scenario = scenario, .in = in, .total_ms = { cost.before, cost.now } };

		s.per = cost.per_work ? scenario_result_work_unit(scenario) : scenario_result_runs(scenario, 1);
		ask_for_iterations(&s);
		search_open(&s);
		s.ms_per_instruction = pace(&s);
		explain(&s, regressed);
		show_only_change(&s);
	}
	add_missing(scenario, in);
}
