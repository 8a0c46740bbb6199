#include "cause/explain.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/changed.h"
#include "cause/evidence.h"
#include "cause/kind.h"
#include "cause/sentence.h"
#include "profile/names.h"

/* -------- costs outside own functions: other programs, what a script makes its interpreter do, start-up, and the kernel. */

/* Returns the increase without an own caller. Samples are preferred, since they include the kernel. */
static double unowned_more(const struct search *s)
{
	bool sampled = s->asked.cost == COST_TIME && ledger_has(&s->ledger, COST_TIME);

	return sampled ? change_of(s->ledger.unowned[COST_TIME]) : change_of(s->ledger.unowned[COST_INSTRUCTIONS]) * s->asked.pace;
}

static struct call_change dearest_call(const struct search *s, struct call_filter filter)
{
	return system_calls_dearest(&s->in->base->system_calls, &s->in->head->system_calls, &filter);
}

static bool starts_more(const struct search *s)
{
	return s->in->head->system_calls.processes > s->in->base->system_calls.processes;
}

/* Appends how much more often CALL is made; for one that starts processes, their number if all were traced. */
static void add_calls(const struct search *s, const struct call_change *call, struct strbuf *out)
{
	const struct system_calls *head = &s->in->head->system_calls;

	if (system_call_starts(call->now) && !head->attached && starts_more(s)) {
		strbuf_addf(out, "%u processes instead of %u", head->processes, s->in->base->system_calls.processes);
		return;
	}
	strbuf_addf(out, "%s is called ", call->now->name);
	sentence_add_calls(s, call->now, call->was, out);
}

/* Sets CAUSE's function to the one that makes CALL, which is known, and returns its name. */
static const char *name_caller(const struct search *s, struct cause *cause, const struct system_call *call)
{
	const struct suspect *who = suspect_named(s, call->caller);

	if (who)
		return sentence_name_suspect(s, cause, who);
	cause->function = arena_strdup(&s->scenario->arena, call->caller);
	cause->object = arena_strdup(&s->scenario->arena, path_name(call->caller_object));
	return call->caller;
}

/* Returns the call that grew if the kernel works longer or more programs are started. */
static struct call_change grown_call(const struct search *s, bool has_caller)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	struct call_change call = { 0 };

	if (median_more(s, METRIC(SYSTEM_TIME)) >= MOST_OF * s->asked.change)
		call = dearest_call(s, (struct call_filter){ .has_caller = has_caller, .least_part = 1 - 1 / MORE_CALLS });
	if (!call.now && !head->attached && head->processes > MORE_CALLS * base->processes)
		call = dearest_call(s, (struct call_filter){ .starts = true, .has_caller = has_caller });
	return call;
}

/* Adds a cause if programs started by an own function take most of the increase. */
static void find_processes(struct search *s)
{
	struct call_change call = dearest_call(s, (struct call_filter){ .starts = true, .has_caller = true });
	double more = unowned_more(s);
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;
	struct cause *cause;

	if (!call.now || !starts_more(s) || s->ledger.timed || !(more > MOST_OF * s->asked.change))
		return;
	cause = sentence_add_cause(s, CAUSE_SYSTEM_CALLS);
	sentence_set_amount(s, cause, more);
	strbuf_adds(&reason, "it starts other programs, ");
	add_calls(s, &call, &reason);
	sentence_set(s, cause, s->asked.metric, &(struct words){ .who = name_caller(s, cause, call.now), .does = "costs", .reason = reason.buf });
}

/* Adds a cause of MORE if a script of an interpreter changed. Returns false if no script did. */
static bool script_explain(struct search *s, double more)
{
	struct call_change call = grown_call(s, false);
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;
	size_t n;
	const struct change *c = changed_script(s, &n);
	struct cause *cause;
	const char *who;

	if (!c)
		return false;
	cause = sentence_add_cause(s, call.now ? CAUSE_SYSTEM_CALLS : changed_on_import(s, c) ? CAUSE_STARTUP : CAUSE_WORK);
	sentence_set_amount(s, cause, more);
	if (call.now)
		add_calls(s, &call, &reason);
	who = sentence_name_change(s, cause, c, n);
	sentence_set(s, cause, s->asked.metric, &(struct words){
		.who = arena_printf(&s->scenario->arena, "%s changed, and %s", who, path_name(c->path)), .does = "costs", .reason = reason.buf,
	});
	return true;
}

static bool is_linker(const char *file)
{
	return TEXT_IS(file, "ld-linux*", "ld-musl*", "ld.so*");
}

/* Instructions that the foreign functions of one file execute themselves. */
struct executed {
	const char *file;
	double more;
};

/*
 * Returns the foreign file whose instructions grew most; more 0: none. LINKER_OUT is the increase in the dynamic
 * linker.
 */
static struct executed dearest_file(const struct search *s, double *linker_out)
{
	const struct ledger *ledger = &s->ledger;
	CLEANUP(free_ptr) struct executed *files = xcalloc(ledger->codes.n + 1, sizeof *files);
	struct executed best = { 0 };
	size_t n = 0, at;

	*linker_out = 0;
	for (code_id id = 0; id < ledger->codes.n; id++) {
		const struct code *code = code_of(&ledger->codes, id);
		const char *file = path_name(code->object);
		double more = change_of(ledger->entries[id].self[COST_INSTRUCTIONS]);

		if (code->own || !*file)
			continue;
		*linker_out += is_linker(file) ? more : 0;
		for (at = 0; at < n && strcmp(files[at].file, file) != 0;)
			at++;
		files[at] = (struct executed){ file, files[at].more + more };
		n += at == n;
	}
	for (at = 0; at < n; at++)
		if (files[at].more > best.more)
			best = files[at];
	return best;
}

/*
 * Adds a cause if foreign code without an own caller takes most of the increase: the dynamic linker before main, an
 * interpreter without known scripts, or other programs.
 */
static void find_unowned(struct search *s)
{
	double counted = change_of(s->ledger.unowned[COST_INSTRUCTIONS]), more = unowned_more(s), by_linker;
	struct executed file = dearest_file(s, &by_linker);
	bool linker = by_linker >= MOST_OF * counted;
	struct arena *arena = &s->scenario->arena;
	const char *library = s->in->library;
	struct cause *cause;

	/* For Python this is the interpreter's own work, whose time varies with the machine. */
	if (s->scenario->n_causes || s->ledger.timed || !(more > MOST_OF * s->asked.change) || script_explain(s, more))
		return;
	if (!ledger_has(&s->ledger, COST_INSTRUCTIONS) || !(counted * s->asked.pace > MOST_OF * s->asked.change) || (!linker && !file.file))
		return;
	cause = sentence_add_cause(s, library ? CAUSE_LIBRARY : linker ? CAUSE_STARTUP : CAUSE_WORK);
	sentence_set_amount(s, cause, more);
	sentence_set(s, cause, s->asked.metric, &(struct words){
		.who = linker ? "what runs before main" : arena_printf(arena, "what %s executes by itself", file.file), .does = "costs", .tail = library,
		.reason = linker ? "loading and linking" : "none of the project's functions calls it",
	});
}

static void explain_unowned(struct search *s)
{
	find_processes(s);
	find_unowned(s);
}

/* -------- system calls */

bool explain_calls(struct search *s)
{
	struct call_change call = grown_call(s, true);
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;
	struct cause *cause;

	if (!call.now)
		return false;
	cause = sentence_add_cause(s, CAUSE_SYSTEM_CALLS);
	if (!system_call_starts(call.now))
		sentence_set_amount(s, cause, median_more(s, METRIC(SYSTEM_TIME)));
	add_calls(s, &call, &reason);
	sentence_set(s, cause, s->asked.metric, &(struct words){ .who = name_caller(s, cause, call.now), .reason = reason.buf });
	return true;
}

/* -------- the project's functions that account for most of the increase; those that the diff touches rank first */

/* Least part for the first cause, unless the diff touches it. */
#define FIRST_LEAST 0.15
/* Least part for a further cause that the diff does not touch. */
#define OTHER_LEAST 0.25

/* Weight of a function sampled on one side only. Engines inline at will, so its cost may have been elsewhere before. */
#define SEEN_ONCE 0.25

static double score(const struct search *s, const struct suspect *x)
{
	bool counted = x->at->cost[COST_INSTRUCTIONS][BASE] > 0 || x->at->cost[COST_INSTRUCTIONS][HEAD] > 0;

	return x->caused * suspect_nearness(x) * (!counted && !x->touch && !suspect_in(s, x, BASE) ? SEEN_ONCE : 1);
}

static int by_score(const void *a, const void *b, void *search)
{
	double x = score(search, *(const struct suspect *const *)a), y = score(search, *(const struct suspect *const *)b);

	return (x < y) - (x > y);
}

/* Returns what applies to the whole change, such as "Cargo.toml changed"; NULL: nothing. */
static const char *lead_of(const struct search *s)
{
	enum cause_kind whole = s->whole;
	const struct traced_file *file = whole == CAUSE_INPUT ? kind_grown_input(s) : NULL;
	const char *path = changed_place(s) ? changed_place(s)->path : changed_file(s);
	struct arena *arena = &s->scenario->arena;

	if (whole == CAUSE_BUILD && s->in->build)
		return s->in->build;
	if (whole == CAUSE_BUILD)
		return path ? arena_printf(arena, "%s changed", path_name(path)) : "files that say how to build it changed";
	if (whole == CAUSE_LIBRARY)
		return s->in->library;
	if (file)
		return arena_printf(arena, "%s, which it reads, is larger", path_name(file->path));
	if (whole == CAUSE_INPUT)
		return arena_printf(arena, "the same program has more to do%s%s", s->in->given ? ", as " : "", s->in->given ?: "");
	return NULL;
}

/* Adds the cost that X causes. */
static void add_suspect_cause(struct search *s, const struct suspect *x)
{
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;
	enum cause_kind own = kind_of(s, x);
	struct cause *cause = sentence_add_cause(s, kind_whole(s, own));
	const char *used = x->touch && x->touch->how == TOUCH_WORD ? x->touch->through : NULL;
	struct words words = { .lead = lead_of(s), .who = sentence_name_suspect(s, cause, x), .does = "costs", .part = true };

	sentence_set_amount(s, cause, x->caused);
	/*
	 * A changed build executes other instructions, so it needs no reason. With more input, the program does more
	 * work but is not slower.
	 */
	if (s->whole != CAUSE_BUILD)
		sentence_add_reason(s, s->whole == CAUSE_INPUT && own == CAUSE_SLOWER ? CAUSE_WORK : own, x, &reason);
	words.reason = reason.buf;
	words.tail = used ? arena_printf(&s->scenario->arena, "%s, which it uses, changed", used) : NULL;
	sentence_set(s, cause, s->asked.metric, &words);
}

/* Removes the last cause if it repeats an earlier change: changed code may be inlined into several functions. */
static void leave_out_again(struct scenario_result *s)
{
	const struct cause *last = &s->causes[s->n_causes - 1];
	bool again = false;

	for (const struct cause *c = s->causes; c < last && last->changed; c++)
		again |= text_same(c->function, last->function) && text_same(c->changed, last->changed);
	s->n_causes -= again;
}

/* Least part of the change to name a single sampled function. So large a part is hardly due to chance. */
#define NEARLY_ALL 0.75
/* Least part if that function is the only changed one. */
#define ONLY_LEAST 0.25

/*
 * Adds a cause if no cost is certain: the changed function if its samples cover most of the change, else a function
 * whose samples cover nearly all of it.
 */
static void name_changed(struct search *s)
{
	struct suspect *best;
	size_t n_changed = 0;
	double least;

	for (size_t i = 0; i < s->n; i++)
		n_changed += suspect_changed(&s->suspects[i]);
	least = (n_changed == 1 ? ONLY_LEAST : MOST_OF) * s->asked.change;
	best = SUSPECT_MOST(s, x, suspect_changed(x) && more_of(x, COST_TIME) >= least ? more_of(x, COST_TIME) : 0);
	/* An interpreter's work for a changed function, such as importing, mostly has no owner. */
	for (size_t i = 0; i < s->n && !best && s->ledger.timed; i++)
		if (suspect_changed(&s->suspects[i]) && s->suspects[i].caused > 0) {
			add_suspect_cause(s, &s->suspects[i]);
			return;
		}
	least = NEARLY_ALL * s->asked.change;
	if (!best)
		best = SUSPECT_MOST(s, x, more_of(x, COST_TIME) >= least && more_of(x, COST_TIME) > 2 * entry_error(x->at) ? more_of(x, COST_TIME) : 0);
	if (!best)
		return;
	best->more = best->caused = more_of(best, COST_TIME);
	add_suspect_cause(s, best);
}

/*
 * Returns the change to the only changed function, if costs come from samples alone and its samples did not grow. An
 * engine or a compiler inlined it, or it makes other functions do more. Otherwise NULL.
 */
static const struct change *unseen_change(const struct search *s)
{
	const struct change *only = changed_function(s);

	if (!only || s->ledger.total[COST_INSTRUCTIONS][HEAD] > 0)
		return NULL;
	for (size_t i = 0; i < s->n; i++)
		if (symbol_is_named(suspect_code(s, &s->suspects[i])->key, only->function) && s->suspects[i].caused >= CAUSE_LEAST * s->asked.change)
			return NULL;
	return only;
}

static void name_unseen(struct search *s)
{
	struct cause *cause = s->scenario->n_causes ? &s->scenario->causes[0] : NULL;
	const struct change *c = cause ? unseen_change(s) : NULL;

	if (!c || text_same(cause->function, c->function))
		return;
	/* The kind of a function that did not change is less certain than that of the change. */
	if (cause->kind == CAUSE_WORK)
		cause->kind = kind_of_place(s, c);
	cause->sentence = arena_printf(&s->scenario->arena, "%s changed, and %s", sentence_name_change(s, cause, c, 1), cause->sentence);
}

/* Returns the total of the causes so far. */
static double told(const struct search *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->scenario->n_causes; i++)
		sum += s->scenario->causes[i].share_pct / 100 * s->asked.change;
	return sum;
}

void explain_costs(struct search *s, const struct question *question)
{
	CLEANUP(free_ptr) const struct suspect **order = xcalloc(s->n + 1, sizeof *order);

	kind_ask(s, question);
	for (size_t i = 0; i < s->n; i++)
		order[i] = &s->suspects[i];
	explain_unowned(s);
	qsort_r(order, s->n, sizeof *order, by_score, s);
	for (size_t i = 0; i < s->n && s->scenario->n_causes < CAUSES_MOST; i++) {
		const struct suspect *x = order[i];
		bool changed = suspect_changed(x), other = s->scenario->n_causes && !changed;

		/* The causes so far cover nearly all: this is the same time again, of a caller or a callee. */
		if (other && x->caused > s->asked.change * (1 + CAUSE_LEAST) - told(s))
			continue;
		/*
		 * If a cause is known, a further function needs more than samples, which may be chance, unless the diff
		 * touches it.
		 */
		if (x->caused >= (changed ? CAUSE_LEAST : other ? OTHER_LEAST : FIRST_LEAST) * s->asked.change &&
		    !(other && x->counted < x->caused / 2)) {
			add_suspect_cause(s, x);
			leave_out_again(s->scenario);
		}
	}
	if (!s->scenario->n_causes && question->cost == COST_TIME)
		name_changed(s);
	if (s->whole == CAUSE_KINDS)
		name_unseen(s);
}

/* -------- memory */

/* Least part of the change for a cause. */
#define MEMORY_LEAST 0.25

/* Memory that is counted and needs no estimate: allocated, held or touched. */
static const struct memory {
	enum metric_id metric;
	enum cause_kind kind;
	enum cost_kind cost;
	const char *does;
} memories[] = {
	{ METRIC_ALLOCATIONS, CAUSE_ALLOCATION, COST_ALLOCATIONS, "makes" },
	{ METRIC_TEMPORARY_ALLOCATIONS, CAUSE_ALLOCATION, COST_ALLOCATIONS, "makes" },
	{ METRIC_HEAP_PEAK, CAUSE_ALLOCATION, COST_HEAP_PEAK, "holds" },
	{ METRIC_HEAP_LEAKED, CAUSE_ALLOCATION, COST_HEAP_PEAK, "holds" },
	{ METRIC_MAX_RSS, CAUSE_ALLOCATION, COST_HEAP_PEAK, "holds" },
	{ METRIC_RSS_GROWTH, CAUSE_ALLOCATION, COST_FAULTS, "touches" },
	{ METRIC_PAGE_FAULTS, CAUSE_FAULTS, COST_FAULTS, "causes" },
};

/* Returns the memory metric that regressed, if no other metric did; else NULL. */
static const struct memory *memory_regressed(const struct scenario_result *s)
{
	const struct memory *found = NULL;

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct metric *metric = regressed_metric(s, i);
		const struct memory *m = memories, *end = memories + sizeof memories / sizeof memories[0];

		while (metric && m < end && metric != &metric_catalogue[m->metric])
			m++;
		if (m == end)
			return NULL;
		if (metric)
			found = found && found < m ? found : m;
	}
	return found;
}

/*
 * Adds the function that allocates, holds or touches most of the additional memory. For an attached target, stacks come
 * from windows in which the sides did different amounts of work. They give each function's part of the counted total,
 * also for the faults through which memory grows.
 */
static bool explain_growth(struct search *s, const struct memory *m)
{
	const struct metric *metric = &metric_catalogue[m->metric];
	double measured = median_more(s, metric), each[SIDES] = { 1, 1 }, most;
	const double *total = s->ledger.total[m->cost];
	struct question question = { m->cost, median_of(s, BASE, metric), 0, 0, metric };
	const struct suspect *best;
	struct cause *cause;

	for (int i = 0; i < SIDES; i++)
		if (s->scenario->head.attached && total[i] > 0)
			each[i] = median_of(s, i, METRIC(PAGE_FAULTS)) / total[i];
	/* Samples of faults miss some. */
	question.change = m->kind == CAUSE_FAULTS && measured > 0 ? measured : total[HEAD] * each[HEAD] - total[BASE] * each[BASE];
	kind_ask(s, &question);
	best = SUSPECT_MOST(s, x, x->at->cost[m->cost][HEAD] * each[HEAD] - x->at->cost[m->cost][BASE] * each[BASE]);
	most = best ? best->at->cost[m->cost][HEAD] * each[HEAD] - best->at->cost[m->cost][BASE] * each[BASE] : 0;
	if (!best || !(question.change > 0) || !(most > MEMORY_LEAST * question.change))
		return false;
	cause = sentence_add_cause(s, kind_whole(s, m->kind));
	sentence_set_amount(s, cause, most);
	if (s->scenario->head.attached)
		cause->amount = cause->share_pct / 100 * measured;
	sentence_set(s, cause, metric, &(struct words){ .who = sentence_name_suspect(s, cause, best), .does = m->does, .part = true });
	return true;
}

bool explain_memory(struct search *s)
{
	const struct memory *memory = memory_regressed(s->scenario);

	return memory && explain_growth(s, memory);
}
