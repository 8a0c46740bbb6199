#include "cause/cause.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/evidence.h"
#include "cause/kinds.h"
#include "cause/memory.h"
#include "cause/own_costs.h"
#include "cause/reason.h"
#include "cause/suspects.h"
#include "cause/system_calls.h"
#include "cause/touched.h"
#include "cause/waiting.h"
#include "cause/work.h"
#include "model/cost.h"
#include "profile/names.h"

/* Names the project functions that account for most of the increase; functions touched by the diff rank first. */

/*
 * Least part of the change for any cause, and for the first cause. The latter does not apply to functions touched by
 * the diff.
 */
#define CAUSE_LEAST 0.08
#define FIRST_LEAST 0.15
/* Least part for a further cause that the diff does not touch. */
#define OTHER_LEAST 0.25

/* Returns how closely the diff touches X, as a factor; 1: not at all. */
static double nearness(const struct suspect *x)
{
	static const double weights[] = {
		[TOUCH_BODY] = 12, [TOUCH_INLINED] = 12, [TOUCH_WORD] = 4, [TOUCH_CALLEE] = 3, [TOUCH_CALLER] = 2,
	};

	return x->touched ? fmax(weights[x->touch.how] / (1 + x->touch.distance / 2.0), 1) : 1;
}

/* Weight of a function sampled on one side only. Engines inline at will, so its cost may have been elsewhere before. */
#define SEEN_ONCE 0.25

static double score(const struct suspect *x)
{
	bool counted = x->work[BASE] > 0 || x->work[HEAD] > 0;

	return x->caused_ms * nearness(x) * (!counted && !x->touched && !x->code[BASE] ? SEEN_ONCE : 1);
}

static int by_score(const void *a, const void *b)
{
	double x = score(*(const struct suspect *const *)a), y = score(*(const struct suspect *const *)b);

	return (x < y) - (x > y);
}

/*
 * Sets CAUSE's amount for an increase of MS, and returns it as text. The unit is instructions if counted_alone, else
 * ms.
 */
static struct cost_text set_amount(const struct search *s, struct cause *cause, double ms)
{
	/* Estimates of parts may add up to more than the measured change. */
	ms = fmin(ms, s->change_ms);
	cause->unit = s->counted_alone ? UNIT_COUNT : UNIT_MS;
	cause->amount = s->counted_alone ? ms / s->ms_per_instruction : ms;
	cause->share_pct = s->change_ms > 0 ? 100 * ms / s->change_ms : NAN;
	return cost_text(cause->amount, s->counted_alone ? METRIC(INSTRUCTIONS) : METRIC(TASK_CLOCK));
}

/* True if the sides differ in one place. */
static bool differ_once(const struct search *s)
{
	const struct changes *changes = s->in->changes;

	return changes && changes->known && !changes->cut && changes->n + changes->others.n == 1;
}

/* Returns "Cargo.toml changed", for a build whose options are unknown. */
static const char *changed_build(const struct search *s)
{
	const struct changes *changes = s->in->changes;
	const char *path = !differ_once(s) ? NULL : changes->n ? changes->items[0].path : changes->others.items[0];

	return path ? arena_printf(&s->scenario->arena, "%s changed", path_name(path)) : "files that say how to build it changed";
}

static void add_suspect_cause(struct search *s, const struct suspect *x, enum cause_kind whole)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, reason = STRBUF_INIT;
	struct arena *arena = &s->scenario->arena;
	enum cause_kind own = kind_of(s, x);
	struct cause *cause = suspects_add_cause(s, whole != CAUSE_KINDS ? whole : own);
	struct cost_text more = set_amount(s, cause, x->caused_ms);

	reason_set_code(s, cause, x);
	/*
	 * A changed build executes other instructions, so it needs no reason. With more input, the program does more
	 * work but is not slower.
	 */
	if (whole != CAUSE_BUILD)
		reason_add(s, whole == CAUSE_INPUT && own == CAUSE_SLOWER ? CAUSE_WORK : own, x, &reason);
	if (whole == CAUSE_BUILD)
		strbuf_addf(&text, "%s; ", s->in->build ?: changed_build(s));
	else if (whole == CAUSE_LIBRARY && s->in->library)
		strbuf_addf(&text, "%s; ", s->in->library);
	else if (whole == CAUSE_INPUT && kind_grown_input(s))
		strbuf_addf(&text, "%s, which it reads, is larger; ", path_name(kind_grown_input(s)->path));
	else if (whole == CAUSE_INPUT)
		strbuf_addf(&text, "the same program has more to do%s%s; ", s->in->given ? ", as " : "", s->in->given ?: "");
	strbuf_addf(&text, "%s costs %s more per %s", reason_name(s, x), more.text, s->per);
	if (cause->share_pct < 99.5)
		strbuf_addf(&text, ", %.0f %% of the change", cause->share_pct);
	if (reason.len)
		strbuf_addf(&text, ": %s", reason.buf);
	if (x->touched && x->touch.how == TOUCH_WORD && x->touch.through)
		strbuf_addf(&text, "; %s, which it uses, changed", x->touch.through);
	cause->sentence = arena_strdup(arena, text.buf);
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

static const struct suspect *find_function(const struct search *s, const char *function)
{
	for (size_t i = 0; function && i < s->n; i++)
		if (!strcmp(code_of(&s->suspects[i])->function, function))
			return &s->suspects[i];
	return NULL;
}

/*
 * Sets CAUSE's function to WHO, or if that is NULL, to the caller of CALL, which may be NULL, too. Returns its name or
 * NULL.
 */
static const char *set_function(const struct search *s, struct cause *cause, const struct suspect *who, const struct system_call *call)
{
	struct arena *arena = &s->scenario->arena;

	if (who) {
		reason_set_code(s, cause, who);
		return reason_name(s, who);
	}
	if (!call || !call->caller)
		return NULL;
	cause->function = arena_strdup(arena, call->caller);
	cause->object = arena_strdup(arena, path_name(call->caller_object));
	return call->caller;
}

/* -------- CPU time */

/* Returns the increase in ms without an own caller. Samples are preferred, since they include the kernel. */
static double unowned_more(const struct search *s)
{
	double ms[SIDES];

	if (!(s->cpu[BASE].total > 0 && s->cpu[HEAD].total > 0))
		return (s->work[HEAD].unowned - s->work[BASE].unowned) * s->ms_per_instruction;
	for (int i = 0; i < SIDES; i++)
		ms[i] = s->cpu[i].unowned / s->cpu[i].total * s->total_ms[i];
	return change_of(ms);
}

/* True for a call that starts processes and has a known own caller. */
static bool is_starter(const struct system_call *now, double before, const struct suspect *x)
{
	(void)before;
	(void)x;
	return system_call_starts(now) && now->caller;
}

/* Appends how much more often CALL is made; for one that starts processes, their number if all were traced. */
static void add_calls(const struct search *s, const struct system_call *call, const struct system_call *was, struct strbuf *out)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;

	if (system_call_starts(call) && !head->attached && head->processes > base->processes) {
		strbuf_addf(out, "%u processes instead of %u", head->processes, base->processes);
		return;
	}
	strbuf_addf(out, "%s is called ", call->name);
	reason_add_calls(s, call, was, out);
}

/* Adds a cause if programs started by an own function take most of the increase. */
static void find_processes(struct search *s)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	const struct system_call *was, *call = head->processes > base->processes ? suspects_grown_call(s, is_starter, NULL, &was) : NULL;
	double more = unowned_more(s);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct cause *cause;
	const char *name;

	if (!call || suspects_timed(s) || !(more > MOST_OF * s->change_ms))
		return;
	cause = suspects_add_cause(s, CAUSE_SYSTEM_CALLS);
	name = set_function(s, cause, find_function(s, call->caller), call);
	strbuf_addf(&text, "%s costs %s more per %s: it starts other programs, ", name, set_amount(s, cause, more).text, s->per);
	add_calls(s, call, was, &text);
	cause->sentence = arena_strdup(&s->scenario->arena, text.buf);
}

/* True if FILE is PATH compiled by Python: "shop/__pycache__/order.cpython-312.pyc" for shop/order.py. */
static bool is_compiled(const char *file, const char *path)
{
	const char *cache = strstr(file, "/__pycache__/"), *name = path_name(file);
	CLEANUP(free_ptr) char *source = NULL;

	if (!cache)
		return false;
	source = text_printf("%.*s/%.*s.py", (int)(cache - file), file, (int)strcspn(name, "."), name);
	return source_is_path(source, path);
}

/* True if the program reads PATH of the diff, a script that an interpreter executes. */
static bool is_read(const struct system_calls *calls, const char *path)
{
	for (size_t i = 0; i < calls->n_files; i++)
		if (source_is_path(calls->files[i].path, path) || is_compiled(calls->files[i].path, path))
			return true;
	return false;
}

/* True if C lies outside all functions of a Python module. Such code runs once, on import. */
static bool is_imported(const struct system_calls *calls, const struct change *c)
{
	for (size_t i = 0; i < calls->n_files && !c->function; i++)
		if (is_compiled(calls->files[i].path, c->path))
			return true;
	return false;
}

/*
 * Returns the largest change to scripts that head reads, and the number of such changes. Changes in functions rank
 * first. NULL: none.
 */
static const struct change *changed_script(const struct search *s, size_t *n_out)
{
	const struct changes *changes = s->in->changes;
	const struct change *best = NULL;

	*n_out = 0;
	for (size_t i = 0; changes && changes->known && i < changes->n; i++) {
		const struct change *c = &changes->items[i];

		if (!is_read(&s->in->head->system_calls, c->path))
			continue;
		++*n_out;
		if (!best || (c->function && !best->function) || (!c->function == !best->function && c->now.n > best->now.n))
			best = c;
	}
	return best;
}

/*
 * Sets CAUSE's place and changed line to C. Returns "page_of (logs.pl:10)" and the number of further places, N in all.
 */
static const char *set_change(const struct search *s, struct cause *cause, const struct change *c, size_t n)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, rest = STRBUF_INIT;
	struct arena *arena = &s->scenario->arena;

	change_text(c, &text);
	cause->changed = arena_strdup(arena, text.buf);
	cause->changed_at = change_place(c, arena);
	cause->object = arena_strdup(arena, path_name(c->path));
	cause->function = arena_strdup(arena, c->function ?: path_name(c->path));
	cause->place = arena_printf(arena, "%s:%u", path_name(c->path), c->line);
	if (n > 1)
		strbuf_addf(&rest, " and %zu more place%s", n - 1, n > 2 ? "s" : "");
	return c->function ? arena_printf(arena, "%s (%s)%s", c->function, cause->place, rest.buf) :
			     arena_printf(arena, "%s%s", cause->place, rest.buf);
}

static bool starts(const struct system_call *now, double before, const struct suspect *x)
{
	(void)before;
	(void)x;
	return system_call_starts(now);
}

static bool has_grown(const struct system_call *now, double before, const struct suspect *x)
{
	(void)x;
	return now->calls > MORE_CALLS * before;
}

static bool has_caller(const struct system_call *now, double before, const struct suspect *x)
{
	return now->caller && has_grown(now, before, x);
}

/* Adds a cause of MORE ms if a script of an interpreter changed. Returns false if no script did. */
static bool script_explain(struct search *s, double more)
{
	double system = side_result_median(scenario_result_measured(s->scenario), METRIC(SYSTEM_TIME)) -
			side_result_median(&s->scenario->base, METRIC(SYSTEM_TIME));
	const struct system_calls *calls[SIDES] = { &s->in->base->system_calls, &s->in->head->system_calls };
	const struct system_call *was, *call = system >= MOST_OF * s->change_ms ? suspects_grown_call(s, has_grown, NULL, &was) : NULL;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t n;
	const struct change *c = changed_script(s, &n);
	struct cost_text cost;
	struct cause *cause;

	if (!c)
		return false;
	if (!call && calls[HEAD]->processes > MORE_CALLS * calls[BASE]->processes)
		call = suspects_grown_call(s, starts, NULL, &was);
	cause = suspects_add_cause(s, call ? CAUSE_SYSTEM_CALLS : is_imported(calls[HEAD], c) ? CAUSE_STARTUP : CAUSE_WORK);
	cost = set_amount(s, cause, more);
	strbuf_addf(&text, "%s changed, and %s costs %s more per %s", set_change(s, cause, c, n), path_name(c->path), cost.text, s->per);
	strbuf_adds(&text, call ? ": " : "");
	if (call)
		add_calls(s, call, was, &text);
	cause->sentence = arena_strdup(&s->scenario->arena, text.buf);
	return true;
}

/* Returns the instructions that FILE's foreign functions execute themselves. FILE is NULL for the dynamic linker. */
static double executed_in(const struct work *work, const char *file)
{
	double sum = 0;

	for (size_t i = 0; i < work->n_functions; i++) {
		const struct code *code = &work->functions[i].code;
		const char *name = path_name(code->object);
		bool wanted = file ? !strcmp(name, file) : text_starts(name, "ld-linux") || text_starts(name, "ld-musl") || text_starts(name, "ld.so");

		if (!code->own && wanted)
			sum += work->functions[i].self;
	}
	return sum;
}

/* Returns the foreign file whose instructions grew most; NULL: none. */
static const char *dearest_file(const struct search *s)
{
	const struct work *base = &s->in->base->work, *head = &s->in->head->work;
	CLEANUP(strv_release) struct strv seen = STRV_INIT;
	const char *best = NULL;
	double most = 0;

	for (size_t i = 0; i < head->n_functions; i++) {
		const char *name = path_name(head->functions[i].code.object);

		if (head->functions[i].code.own || !*name || strv_has(&seen, name))
			continue;
		strv_push(&seen, name);
		if (executed_in(head, name) - executed_in(base, name) > most) {
			most = executed_in(head, name) - executed_in(base, name);
			best = name;
		}
	}
	return best;
}

/*
 * Adds a cause if foreign code without an own caller takes most of the increase: the dynamic linker before main, an
 * interpreter without known scripts, or other programs.
 */
static void find_unowned(struct search *s)
{
	const struct work *base = &s->in->base->work, *head = &s->in->head->work;
	double counted = s->work[HEAD].unowned - s->work[BASE].unowned, more = s->counted_alone ? counted * s->ms_per_instruction : unowned_more(s);
	bool linker, has_work = s->work[BASE].total > 0 && s->work[HEAD].total > 0;
	struct arena *arena = &s->scenario->arena;
	struct cost_text cost;
	struct cause *cause;
	const char *file;

	/* For Python this is the interpreter's own work, whose time varies with the machine. */
	if (s->scenario->n_causes || suspects_timed(s) || !(more > MOST_OF * s->change_ms) || script_explain(s, more))
		return;
	linker = executed_in(head, NULL) - executed_in(base, NULL) >= MOST_OF * counted;
	file = dearest_file(s);
	if (!has_work || !(counted * s->ms_per_instruction > MOST_OF * s->change_ms) || (!linker && !file))
		return;
	cause = suspects_add_cause(s, s->in->library ? CAUSE_LIBRARY : linker ? CAUSE_STARTUP : CAUSE_WORK);
	cost = set_amount(s, cause, more);
	if (linker)
		cause->sentence = arena_printf(arena, "what runs before main costs %s more per %s: loading and linking%s%s", cost.text, s->per,
					       s->in->library ? "; " : "", s->in->library ?: "");
	else
		cause->sentence = arena_printf(arena, "what %s executes by itself costs %s more per %s: none of the project's functions calls it%s%s",
					       file, cost.text, s->per, s->in->library ? "; " : "", s->in->library ?: "");
}

/* Least part of the change to name a single sampled function. So large a part is hardly due to chance. */
#define NEARLY_ALL 0.75
/* Least part if that function is the only changed one. */
#define ONLY_LEAST 0.25

/*
 * Adds a cause if no cost is certain: the changed function if its samples cover most of the change, else a function
 * whose samples cover nearly all of it.
 */
static void name_changed(struct search *s, enum cause_kind whole)
{
	struct suspect *best = NULL;
	size_t n_changed = 0;
	double least;

	for (size_t i = 0; i < s->n; i++)
		n_changed += suspect_changed(&s->suspects[i]);
	least = (n_changed == 1 ? ONLY_LEAST : MOST_OF) * s->change_ms;

	for (size_t i = 0; i < s->n; i++) {
		struct suspect *x = &s->suspects[i];

		if (suspect_changed(x) && change_of(x->cpu) >= least &&
		    (!best || change_of(x->cpu) > change_of(best->cpu)))
			best = x;
	}
	/* An interpreter's work for a changed function, such as importing, mostly has no owner. */
	for (size_t i = 0; i < s->n && !best && suspects_timed(s); i++)
		if (suspect_changed(&s->suspects[i]) && s->suspects[i].caused_ms > 0) {
			add_suspect_cause(s, &s->suspects[i], whole);
			return;
		}
	for (size_t i = 0; i < s->n && !best; i++) {
		struct suspect *x = &s->suspects[i];

		if (change_of(x->cpu) >= NEARLY_ALL * s->change_ms && change_of(x->cpu) > 2 * x->cpu_error)
			best = x;
	}
	if (!best)
		return;
	best->ms = best->caused_ms = change_of(best->cpu);
	add_suspect_cause(s, best, whole);
}

/*
 * Returns the change to the only changed function, if costs come from samples alone and its samples did not grow. An
 * engine or a compiler inlined it, or it makes other functions do more. Otherwise NULL.
 */
static const struct change *unseen_change(const struct search *s)
{
	const struct changes *changes = s->in->changes;
	const struct change *only = changes && changes->known && changes->n ? &changes->items[0] : NULL;

	if (!only || !only->function || s->work[HEAD].total > 0)
		return NULL;
	for (size_t i = 1; i < changes->n; i++)
		if (!text_same(changes->items[i].function, only->function) || strcmp(changes->items[i].path, only->path) != 0)
			return NULL;
	for (size_t i = 0; i < s->n; i++)
		if (symbol_is_named(code_of(&s->suspects[i])->key, only->function) && s->suspects[i].caused_ms >= CAUSE_LEAST * s->change_ms)
			return NULL;
	return only;
}

static void name_unseen(struct search *s)
{
	struct cause *cause = s->scenario->n_causes ? &s->scenario->causes[0] : NULL;
	const struct change *c = cause ? unseen_change(s) : NULL;

	if (c && !text_same(cause->function, c->function))
		cause->sentence = arena_printf(&s->scenario->arena, "%s changed, and %s", set_change(s, cause, c, 1), cause->sentence);
}

/* Returns the total of the causes so far, in ms. */
static double told_ms(const struct search *s)
{
	double sum = 0;

	for (size_t i = 0; i < s->scenario->n_causes; i++)
		sum += s->scenario->causes[i].share_pct / 100 * s->change_ms;
	return sum;
}

static void explain_cpu(struct search *s)
{
	CLEANUP(free_ptr) const struct suspect **order = xcalloc(s->n + 1, sizeof *order);
	enum cause_kind whole;

	suspects_weigh(s);
	for (size_t i = 0; i < s->n; i++)
		order[i] = &s->suspects[i];
	whole = kind_of_all(s);
	find_processes(s);
	find_unowned(s);
	qsort(order, s->n, sizeof *order, by_score);
	for (size_t i = 0; i < s->n && s->scenario->n_causes < CAUSES_MOST; i++) {
		const struct suspect *x = order[i];
		bool changed = suspect_changed(x), other = s->scenario->n_causes && !changed;

		/* The causes so far cover nearly all: this is the same time again, of a caller or a callee. */
		if (other && x->caused_ms > s->change_ms * (1 + CAUSE_LEAST) - told_ms(s))
			continue;
		/*
		 * If a cause is known, a further function needs more than samples, which may be chance, unless the diff
		 * touches it.
		 */
		if (x->caused_ms >= (changed ? CAUSE_LEAST : other ? OTHER_LEAST : FIRST_LEAST) * s->change_ms &&
		    !(other && x->counted_ms < x->caused_ms / 2)) {
			add_suspect_cause(s, x, whole);
			leave_out_again(s->scenario);
		}
	}
	if (!s->scenario->n_causes && !s->counted_alone)
		name_changed(s, whole);
	if (whole == CAUSE_KINDS)
		name_unseen(s);
}

/* -------- where no cost is sure */

/* Least exact growth to report, however little time it takes: a factor, and a number of page faults. */
#define COUNT_ROSE 1.05
enum { FAULTS_ROSE = 50 };

/*
 * Returns the changed function with the largest exact growth: in page faults (FAULTS), else in instructions, callees
 * included. NULL: none.
 */
static const struct suspect *changed_and_grown(const struct search *s, bool faults)
{
	const struct suspect *best = NULL;
	double most = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct suspect *x = &s->suspects[i];
		double more = faults ? change_of(x->faults) : fmax(change_of(x->work), x->caused_counted_ms / s->ms_per_instruction);
		bool rose = faults ? more >= FAULTS_ROSE && x->faults[HEAD] > COUNT_ROSE * x->faults[BASE] : more > (COUNT_ROSE - 1) * x->work[BASE];

		if (suspect_changed(x) && rose && more > most) {
			most = more;
			best = x;
		}
	}
	return best;
}

static bool explain_by_counts(struct search *s, enum cause_kind whole)
{
	bool counted = s->work[BASE].total > 0 && s->work[HEAD].total > 0 && !suspects_timed(s);
	const struct suspect *grown = counted ? changed_and_grown(s, false) : NULL, *faulting = grown ? NULL : changed_and_grown(s, true);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct cause *cause;

	if (!grown && !faulting)
		return false;
	cause = suspects_add_cause(s, whole != CAUSE_KINDS ? whole : faulting ? CAUSE_FAULTS : kind_of(s, grown));
	reason_set_code(s, cause, grown ?: faulting);
	strbuf_addf(&text, "%s changed, and ", reason_name(s, grown ?: faulting));
	if (faulting)
		reason_add(s, CAUSE_FAULTS, faulting, &text);
	else
		strbuf_addf(&text, "%s more per %s are executed for it",
			    cost_text(fmax(change_of(grown->work), grown->caused_counted_ms / s->ms_per_instruction), METRIC(INSTRUCTIONS)).text, s->per);
	cause->sentence = arena_strdup(&s->scenario->arena, text.buf);
	return true;
}

/*
 * Adds the system call that an own function makes more often, if the kernel works longer or more programs are started.
 */
static bool explain_by_calls(struct search *s)
{
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	double system = side_result_median(scenario_result_measured(s->scenario), METRIC(SYSTEM_TIME)) -
			side_result_median(&s->scenario->base, METRIC(SYSTEM_TIME));
	bool processes = !head->attached && head->processes > base->processes;
	const struct system_call *was, *call = processes ? suspects_grown_call(s, is_starter, NULL, &was) : NULL;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct cause *cause;

	if (!call && system >= MOST_OF * s->change_ms)
		call = suspects_grown_call(s, has_caller, NULL, &was);
	if (!call)
		return false;
	cause = suspects_add_cause(s, CAUSE_SYSTEM_CALLS);
	if (!processes)
		set_amount(s, cause, system);
	strbuf_addf(&text, "%s: ", set_function(s, cause, find_function(s, call->caller), call));
	add_calls(s, call, was, &text);
	cause->sentence = arena_strdup(&s->scenario->arena, text.buf);
	return true;
}

/* Adds the only place where the sides differ: any increase comes from there. */
static bool explain_by_place(struct search *s, enum cause_kind whole)
{
	const struct change *c = differ_once(s) && s->in->changes->n ? &s->in->changes->items[0] : NULL;
	struct cause *cause;
	const char *name;

	if (!c)
		return false;
	cause = suspects_add_cause(s, whole != CAUSE_KINDS ? whole : kind_of_totals(s));
	name = set_change(s, cause, c, 1);
	cause->sentence = arena_printf(&s->scenario->arena, "%s changed, the only place where the sides differ: %s more per %s", name,
				       set_amount(s, cause, s->change_ms).text, s->per);
	return true;
}

/* Adds the input file that grew, if only the input differs. */
static bool explain_by_input(struct search *s, enum cause_kind whole)
{
	const struct traced_file *file = whole == CAUSE_INPUT ? kind_grown_input(s) : NULL;
	struct cause *cause;

	if (!file)
		return false;
	cause = suspects_add_cause(s, CAUSE_INPUT);
	cause->sentence = arena_printf(&s->scenario->arena, "%s, which it reads, is larger: %s more per %s", path_name(file->path),
				       set_amount(s, cause, s->change_ms).text, s->per);
	return true;
}

/* Explains an increase without a costlier function, by counts and by other differences. */
static void explain_otherwise(struct search *s)
{
	enum cause_kind whole = kind_of_all(s);

	if (!(explain_by_input(s, whole) || explain_by_counts(s, whole) || explain_by_calls(s)))
		explain_by_place(s, whole);
}

/*
 * Explains the additional instructions at their estimated cost. For changes without a regression in time, or without a
 * function that accounts for it.
 */
static void explain_instructions(struct search *s)
{
	s->counted_alone = true;
	s->change_ms = (s->work[HEAD].total - s->work[BASE].total) * s->ms_per_instruction;
	explain_cpu(s);
}

/* -------- waiting */

/*
 * Returns the function whose waits grew most, by LEAST ms or more. Functions touched by the diff rank first. NULL:
 * none.
 */
static const struct suspect *longest_waiter(const struct search *s, int which, double least)
{
	const struct suspect *best = NULL;
	double most = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct suspect *x = &s->suspects[i];
		double more = change_of(x->waits[which]);

		if (more >= least && more * nearness(x) > most) {
			most = more * nearness(x);
			best = x;
		}
	}
	return best;
}

static const struct suspect *changed_one(const struct search *s, bool locking)
{
	for (size_t i = 0; i < s->n; i++)
		if (suspect_changed(&s->suspects[i]) && (!locking || kind_locks(&s->suspects[i]) > 0))
			return &s->suspects[i];
	return NULL;
}

static int waits_of(const struct wall_change *wall)
{
	return wall->kind == CAUSE_LOCK ? WAITS_LOCKED : wall->kind == CAUSE_PARALLELISM ? WAITS_FOR_OTHERS : WAITS_HELD;
}

/*
 * Returns the own function that takes a contended lock, or whose waiting delays the command. If unknown, returns a
 * changed function, or NULL. A function that merely waits for others does not count.
 */
static const struct suspect *who_waits(const struct search *s, const struct wall_change *wall)
{
	const struct suspect *best = longest_waiter(s, waits_of(wall), CAUSE_LEAST * wall->rest_ms);

	/* A function that waits for a lock, or for others to finish, may be the victim of a changed one. */
	if ((wall->kind == CAUSE_LOCK || wall->kind == CAUSE_PARALLELISM) && !(best && suspect_changed(best)))
		best = changed_one(s, wall->kind == CAUSE_LOCK) ?: best;
	return best ?: changed_one(s, false);
}

/*
 * Appends how WHO waits. CALLEE is the C library function it waits in, or NULL. The system call of that name gives the
 * count.
 */
static void add_wait(const struct search *s, const struct wall_change *wall, double ms, const char *who, const char *callee, struct strbuf *out)
{
	static const char *const what[WAIT_KINDS] = {
		[WAIT_IO] = "for files", [WAIT_PIPE] = "for what another process writes or reads",
		[WAIT_LOCK] = "for a lock", [WAIT_THREAD] = "for another thread", [WAIT_CHILD] = "for a process that it started",
	};
	const struct system_call *call, *was;

	strbuf_addf(out, "%s %s %s more per %s", who, wall->wait == WAIT_SLEEP ? "sleeps" : "waits", cost_text(ms, METRIC(WALL_TIME)).text, s->per);
	if (wall->wait != WAIT_NONE && what[wall->wait])
		strbuf_addf(out, " %s", what[wall->wait]);
	if (!callee)
		return;
	call = system_calls_find(&s->in->head->system_calls, callee);
	was = system_calls_find(&s->in->base->system_calls, callee);
	if (call && (!was || call->calls > MORE_CALLS * was->calls)) {
		strbuf_addf(out, ": %s is called ", callee);
		reason_add_calls(s, call, was, out);
	} else {
		strbuf_addf(out, ": in %s", callee);
	}
}

/*
 * Turns WALL into a wait for locks, if a changed function takes locks more often and threads wait longer for them.
 * Other waits, such as those for files, vary between executions.
 */
static void prefer_lock(struct search *s, struct wall_change *wall)
{
	double more = wall->head.waited_ms[WAIT_LOCK] - wall->base.waited_ms[WAIT_LOCK];

	if (wall->kind == CAUSE_WORK || wall->wait == WAIT_LOCK || !(more >= MOST_OF * wall->rest_ms))
		return;
	for (size_t i = 0; i < s->n; i++)
		if (suspect_changed(&s->suspects[i]) && kind_locks_more(&s->suspects[i])) {
			wall->kind = CAUSE_LOCK;
			wall->wait = WAIT_LOCK;
			wall->waited_ms = more;
			wall->unseen = false;
			return;
		}
}

/*
 * Returns the waiting time to report, at most the waits that were recorded: a thread that is ready to run does not
 * wait.
 */
static double waiting_ms(const struct wall_change *wall)
{
	bool seen = wall->wait != WAIT_NONE && !wall->unseen && wall->kind != CAUSE_PARALLELISM;

	return seen ? fmin(wall->rest_ms, wall->waited_ms) : wall->rest_ms;
}

static void explain_waiting(struct search *s, const struct wall_change *wall)
{
	double wall_ms = wall->head.wall_ms - wall->base.wall_ms;
	struct arena *arena = &s->scenario->arena;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct suspect *who;
	const char *name;
	const struct change *script;
	size_t n_scripts;
	struct cause *cause;

	who = who_waits(s, wall);
	cause = suspects_add_cause(s, wall->kind);
	cause->amount = waiting_ms(wall);
	cause->share_pct = 100 * fmin(1, cause->amount / wall_ms);
	name = set_function(s, cause, who, NULL);
	if (!name && (script = changed_script(s, &n_scripts)))
		name = arena_printf(arena, "%s, in which %s changed,", path_name(script->path), set_change(s, cause, script, n_scripts));
	if (wall->kind == CAUSE_PARALLELISM)
		strbuf_addf(&text, "%s in parallel: %.2f CPUs are at work instead of %.2f, which takes %s more per %s",
			    who ? arena_printf(arena, "%s makes it run less", name) : "the program runs less",
			    wall->head.cpus, wall->base.cpus, cost_text(wall->rest_ms, METRIC(WALL_TIME)).text, s->per);
	else if (wall->unseen && !name)
		strbuf_addf(&text, "%s more per %s pass in which it neither runs nor was seen to wait", cost_text(wall->rest_ms, METRIC(WALL_TIME)).text,
			    s->per);
	else
		add_wait(s, wall, cause->amount, name ?: "it", who ? kind_longest_callee(who, waits_of(wall)) : NULL, &text);
	cause->sentence = arena_strdup(arena, text.buf);
}

/* -------- everything together */

/* True if instructions regressed and are known by function. Sets TIMES if a time regressed, too. */
static bool has_instructions(const struct search *s, bool *times)
{
	bool counted = s->work[BASE].total > 0 && s->work[HEAD].total > s->work[BASE].total && !suspects_timed(s), any = false;

	*times = false;
	for (size_t i = 0; i < s->scenario->n_gates; i++) {
		const struct gate_result *g = &s->scenario->gates[i];

		if (g->gate.kind != GATE_METRIC || gate_judgement(g)->verdict != VERDICT_REGRESSION)
			continue;
		any |= g->gate.metric == METRIC(INSTRUCTIONS) || g->gate.metric == METRIC(SIM_INSTRUCTIONS);
		*times |= g->gate.metric->unit == UNIT_MS;
	}
	return counted && any;
}

/* True if a gate regressed: on a metric that includes waiting (WAITS), else on CPU time and its parts. */
static bool has_regressed(const struct scenario_result *s, bool waits)
{
	for (size_t i = 0; i < s->n_gates; i++) {
		const struct gate_result *g = &s->gates[i];

		if (g->gate.kind == GATE_METRIC && gate_judgement(g)->verdict == VERDICT_REGRESSION && g->gate.metric->waits == waits)
			return true;
	}
	return false;
}

/* Returns the text of the only change between the sides, the source of any increase; NULL: there are several. */
static const char *only_change(const struct search *s)
{
	const struct changes *changes = s->in->changes;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!differ_once(s))
		return NULL;
	if (changes->n)
		change_text(&changes->items[0], &text);
	else
		strbuf_adds(&text, changes->others.items[0]);
	return arena_strdup(&s->scenario->arena, text.buf);
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
static double pace(const struct search *s, double total_ms)
{
	const struct own_costs *cpu = &s->cpu[BASE], *work = &s->work[BASE];
	double kernel = 0, own = cpu->total - cpu->unowned;

	for (size_t i = 0; i < cpu->n; i++)
		kernel += cpu->items[i].kernel;
	if (s->in->base->helpers && own - kernel > 0 && work->total > work->unowned)
		return total_ms * part_of(own - kernel, cpu->total) / (work->total - work->unowned);
	return work->total > 0 ? total_ms * (1 - part_of(kernel, cpu->total)) / work->total : 0;
}

void causes_find(struct scenario_result *scenario, const struct baseline *base, const struct cause_input *in)
{
	CLEANUP(suspects_release) struct search s = { .scenario = scenario, .in = in };
	bool waits = has_regressed(scenario, true), runs = has_regressed(scenario, false), times, instructions;
	struct wall_change wall;
	struct cost cost;

	scenario->n_causes = 0;
	scenario->evidence = (struct strv)STRV_INIT;
	cost_find(scenario, base, &cost);
	if ((!waits && !runs) || !cost.metric || cost.metric->unit != UNIT_MS) {
		add_missing(scenario, in);
		return;
	}
	s.total_ms[BASE] = cost.before;
	s.total_ms[HEAD] = cost.now;
	s.change_ms = cost.now - cost.before;
	s.per = cost.per_work ? scenario_result_work_unit(scenario) : scenario_result_runs(scenario, 1);
	suspects_gather(&s);
	if (memory_explain(&s)) {
		add_missing(scenario, in);
		return;
	}
	s.ms_per_instruction = pace(&s, cost.before);
	instructions = has_instructions(&s, &times);
	/* A profile of CPU time has no waits. */
	waits = waits && wall_change_of(scenario, in->base, in->head, &wall);
	if (waits) {
		prefer_lock(&s, &wall);
		add_wall(&wall, scenario);
	}
	/* Unexplained time may belong to other programs, so known costs come first. */
	if (waits && wall.kind != CAUSE_WORK && !(wall.unseen && runs))
		explain_waiting(&s, &wall);
	if (s.change_ms > 0 && !scenario->n_causes && (times || !instructions))
		explain_cpu(&s);
	if (!scenario->n_causes && instructions)
		explain_instructions(&s);
	if (!scenario->n_causes && waits && wall.kind != CAUSE_WORK)
		explain_waiting(&s, &wall);
	if (!scenario->n_causes && s.change_ms > 0)
		explain_otherwise(&s);
	if (scenario->n_causes && !scenario->causes[0].changed)
		scenario->causes[0].changed = only_change(&s);
	add_missing(scenario, in);
}
