#include "cause/cause.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/blame.h"
#include "cause/evidence.h"
#include "cause/kind.h"
#include "cause/ledger/ledger.h"
#include "cause/ledger/system_calls.h"
#include "cause/ledger/touched.h"
#include "cause/sentence.h"
#include "cause/waiting.h"
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

	return x->touch ? fmax(weights[x->touch->how] / (1 + x->touch->distance / 2.0), 1) : 1;
}

/* Weight of a function sampled on one side only. Engines inline at will, so its cost may have been elsewhere before. */
#define SEEN_ONCE 0.25

static double score(const struct search *s, const struct suspect *x)
{
	bool counted = x->at->cost[COST_INSTRUCTIONS][BASE] > 0 || x->at->cost[COST_INSTRUCTIONS][HEAD] > 0;

	return x->caused * nearness(x) * (!counted && !x->touch && !suspect_in(s, x, BASE) ? SEEN_ONCE : 1);
}

static int by_score(const void *a, const void *b, void *search)
{
	double x = score(search, *(const struct suspect *const *)a), y = score(search, *(const struct suspect *const *)b);

	return (x < y) - (x > y);
}

/* Returns the only change to code between the sides; NULL: there are several differences, or another one. */
static const struct change *only_place(const struct search *s)
{
	const struct changes *changes = s->in->changes;

	return changes && changes->known && !changes->cut && changes->n == 1 && !changes->others.n ? &changes->items[0] : NULL;
}

/*
 * Returns a change in the only function that changed; NULL: several did, or something else. Lines that include a file
 * do not count.
 */
static const struct change *only_function(const struct search *s)
{
	const struct changes *changes = s->in->changes;
	const struct change *found = NULL;

	for (size_t i = 0; changes && changes->known && !changes->cut && !changes->others.n && i < changes->n; i++) {
		const struct change *c = &changes->items[i];

		if (!c->function && !c->holder)
			continue;
		if (!c->function || (found && (!text_same(found->function, c->function) || strcmp(found->path, c->path) != 0)))
			return NULL;
		found = found ?: c;
	}
	return found;
}

/* Returns the path of the only changed file without code. */
static const char *only_other(const struct search *s)
{
	const struct changes *changes = s->in->changes;

	return changes && changes->known && !changes->cut && !changes->n && changes->others.n == 1 ? changes->others.items[0] : NULL;
}

/* Returns what applies to the whole change, such as "Cargo.toml changed"; NULL: nothing. */
static const char *lead_of(const struct search *s, enum cause_kind whole)
{
	const struct traced_file *file = whole == CAUSE_INPUT ? kind_grown_input(s) : NULL;
	const char *path = only_place(s) ? only_place(s)->path : only_other(s);
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

/* Adds the cost that X causes. WHOLE is the kind of the whole change, or CAUSE_KINDS. */
static void add_suspect_cause(struct search *s, const struct suspect *x, enum cause_kind whole)
{
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;
	enum cause_kind own = kind_of(s, x);
	struct cause *cause = sentence_add_cause(s, whole != CAUSE_KINDS ? whole : own);
	const char *used = x->touch && x->touch->how == TOUCH_WORD ? x->touch->through : NULL;
	struct words words = { .lead = lead_of(s, whole), .who = sentence_name_suspect(s, cause, x), .does = "costs", .part = true };

	sentence_set_amount(s, cause, x->caused);
	/*
	 * A changed build executes other instructions, so it needs no reason. With more input, the program does more
	 * work but is not slower.
	 */
	if (whole != CAUSE_BUILD)
		sentence_add_reason(s, whole == CAUSE_INPUT && own == CAUSE_SLOWER ? CAUSE_WORK : own, x, &reason);
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

/* -------- costs without an own function */

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

/* True if FILE is PATH compiled by Python: "shop/__pycache__/order.cpython-312.pyc" for shop/order.py. */
static bool is_compiled(const struct changes *changes, const char *file, const char *path)
{
	const char *cache = strstr(file, "/__pycache__/"), *name = path_name(file);
	CLEANUP(free_ptr) char *source = NULL;

	if (!cache)
		return false;
	source = text_printf("%.*s/%.*s.py", (int)(cache - file), file, (int)strcspn(name, "."), name);
	return changes_has_source(changes, HEAD, source, path);
}

/* True if the program reads PATH of the diff, a script that an interpreter executes. */
static bool is_read(const struct changes *changes, const struct system_calls *calls, const char *path)
{
	for (size_t i = 0; i < calls->n_files; i++)
		if (changes_has_source(changes, HEAD, calls->files[i].path, path) || is_compiled(changes, calls->files[i].path, path))
			return true;
	return false;
}

/* True if C lies outside all functions of a Python module. Such code runs once, on import. */
static bool is_imported(const struct changes *changes, const struct system_calls *calls, const struct change *c)
{
	for (size_t i = 0; i < calls->n_files && !c->function; i++)
		if (is_compiled(changes, calls->files[i].path, c->path))
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

		if (!is_read(changes, &s->in->head->system_calls, c->path))
			continue;
		++*n_out;
		if (!best || (c->function && !best->function) || (!c->function == !best->function && c->now.n > best->now.n))
			best = c;
	}
	return best;
}

/* Adds a cause of MORE if a script of an interpreter changed. Returns false if no script did. */
static bool script_explain(struct search *s, double more)
{
	double system = median_of(s, HEAD, METRIC(SYSTEM_TIME)) - median_of(s, BASE, METRIC(SYSTEM_TIME));
	const struct system_calls *base = &s->in->base->system_calls, *head = &s->in->head->system_calls;
	struct call_change call = { 0 };
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;
	size_t n;
	const struct change *c = changed_script(s, &n);
	struct cause *cause;
	const char *who;

	if (!c)
		return false;
	if (system >= MOST_OF * s->asked.change)
		call = dearest_call(s, (struct call_filter){ .least_part = 1 - 1 / MORE_CALLS });
	if (!call.now && head->processes > MORE_CALLS * base->processes)
		call = dearest_call(s, (struct call_filter){ .starts = true });
	cause = sentence_add_cause(s, call.now ? CAUSE_SYSTEM_CALLS : is_imported(s->in->changes, head, c) ? CAUSE_STARTUP : CAUSE_WORK);
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

/* -------- costs of own functions */

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
	least = (n_changed == 1 ? ONLY_LEAST : MOST_OF) * s->asked.change;
	for (size_t i = 0; i < s->n; i++) {
		struct suspect *x = &s->suspects[i];

		if (suspect_changed(x) && more_of(x, COST_TIME) >= least && (!best || more_of(x, COST_TIME) > more_of(best, COST_TIME)))
			best = x;
	}
	/* An interpreter's work for a changed function, such as importing, mostly has no owner. */
	for (size_t i = 0; i < s->n && !best && s->ledger.timed; i++)
		if (suspect_changed(&s->suspects[i]) && s->suspects[i].caused > 0) {
			add_suspect_cause(s, &s->suspects[i], whole);
			return;
		}
	for (size_t i = 0; i < s->n && !best; i++) {
		struct suspect *x = &s->suspects[i];

		if (more_of(x, COST_TIME) >= NEARLY_ALL * s->asked.change && more_of(x, COST_TIME) > 2 * entry_error(x->at))
			best = x;
	}
	if (!best)
		return;
	best->more = best->caused = more_of(best, COST_TIME);
	add_suspect_cause(s, best, whole);
}

/*
 * Returns the change to the only changed function, if costs come from samples alone and its samples did not grow. An
 * engine or a compiler inlined it, or it makes other functions do more. Otherwise NULL.
 */
static const struct change *unseen_change(const struct search *s)
{
	const struct change *only = only_function(s);

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

/* Explains what is asked by the functions that cost more. */
static void explain_costs(struct search *s, const struct question *question)
{
	CLEANUP(free_ptr) const struct suspect **order = xcalloc(s->n + 1, sizeof *order);
	enum cause_kind whole;

	blame(s, question);
	for (size_t i = 0; i < s->n; i++)
		order[i] = &s->suspects[i];
	whole = kind_of_all(s);
	find_processes(s);
	find_unowned(s);
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
			add_suspect_cause(s, x, whole);
			leave_out_again(s->scenario);
		}
	}
	if (!s->scenario->n_causes && question->cost == COST_TIME)
		name_changed(s, whole);
	if (whole == CAUSE_KINDS)
		name_unseen(s);
}

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

/* Returns the changed function with the largest increase in COST; NULL: none. */
static const struct suspect *changed_and_grown(const struct search *s, enum cost_kind cost)
{
	const struct suspect *best = NULL;
	double most = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct suspect *x = &s->suspects[i];
		double more = suspect_changed(x) ? counted_more(s, x, cost) : 0;

		if (more > most) {
			most = more;
			best = x;
		}
	}
	return best;
}

/* Adds the changed function whose exact counts rose, however little time that takes. */
static bool explain_by_counts(struct search *s, enum cause_kind whole)
{
	static const struct { enum cost_kind cost; enum cause_kind kind; } counts[] = {
		{ COST_INSTRUCTIONS, CAUSE_WORK }, { COST_FAULTS, CAUSE_FAULTS }, { COST_CALLS, CAUSE_SYSTEM_CALLS },
	};
	bool counted = ledger_has(&s->ledger, COST_INSTRUCTIONS) && !s->ledger.timed;
	const struct suspect *grown = NULL;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct cause *cause;
	enum cause_kind kind;
	size_t i;

	for (i = counted ? 0 : 1; i < sizeof counts / sizeof counts[0] && !(grown = changed_and_grown(s, counts[i].cost));)
		i++;
	if (!grown)
		return false;
	kind = counts[i].cost == COST_INSTRUCTIONS ? kind_of(s, grown) : counts[i].kind;
	cause = sentence_add_cause(s, whole != CAUSE_KINDS ? whole : kind);
	strbuf_addf(&text, "%s changed, and ", sentence_name_suspect(s, cause, grown));
	if (counts[i].cost == COST_INSTRUCTIONS)
		strbuf_addf(&text, "%s more per %s are executed for it", cost_text(counted_more(s, grown, COST_INSTRUCTIONS), METRIC(INSTRUCTIONS)).text,
			    s->per);
	else
		sentence_add_reason(s, counts[i].kind, grown, &text);
	sentence_set(s, cause, s->asked.metric, &(struct words){ .who = text.buf });
	return true;
}

/*
 * Adds the system call that an own function makes more often, if the kernel works longer or more programs are started.
 */
static bool explain_by_calls(struct search *s)
{
	double system = median_of(s, HEAD, METRIC(SYSTEM_TIME)) - median_of(s, BASE, METRIC(SYSTEM_TIME));
	bool processes = !s->in->head->system_calls.attached && starts_more(s);
	struct call_change call = { 0 };
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;
	struct cause *cause;

	if (processes)
		call = dearest_call(s, (struct call_filter){ .starts = true, .has_caller = true });
	if (!call.now && system >= MOST_OF * s->asked.change)
		call = dearest_call(s, (struct call_filter){ .has_caller = true, .least_part = 1 - 1 / MORE_CALLS });
	if (!call.now)
		return false;
	cause = sentence_add_cause(s, CAUSE_SYSTEM_CALLS);
	if (!processes)
		sentence_set_amount(s, cause, system);
	add_calls(s, &call, &reason);
	sentence_set(s, cause, s->asked.metric, &(struct words){ .who = name_caller(s, cause, call.now), .reason = reason.buf });
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

/* Returns the use of C, a constant or a type outside functions, if one function alone uses it; else NULL. */
static const struct change_use *only_use(const struct search *s, const struct change *c)
{
	const struct changes *changes = s->in->changes;
	const struct change_use *found = NULL;

	for (size_t i = 0; i < changes->n_uses && !c->function; i++) {
		const struct change_use *use = &changes->uses[i];

		if (&changes->items[use->change] != c)
			continue;
		if (!use->function || (found && !text_same(found->function, use->function)))
			return NULL;
		found = found ?: use;
	}
	return found;
}

/* Adds the only place, or the only function, where the sides differ: any increase comes from there. */
static bool explain_by_place(struct search *s, enum cause_kind whole)
{
	const struct change *c = only_place(s) ?: only_function(s);
	const struct change_use *use = c ? only_use(s, c) : NULL;
	struct arena *arena = &s->scenario->arena;
	struct cause *cause;
	const char *place;

	if (!c)
		return false;
	cause = sentence_add_cause(s, whole != CAUSE_KINDS ? whole : kind_of_place(s, c));
	place = arena_printf(arena, "%s changed, the only %s", sentence_name_change(s, cause, c, 1),
			     only_place(s) ? "place where the sides differ" : "function that did");
	if (use) {
		cause->function = arena_strdup(arena, use->function);
		cause->place = arena_printf(arena, "%s:%u", path_name(use->path), use->line);
		place = arena_printf(arena, "%s (%s) uses %s; %s", use->function, cause->place, use->word, place);
	}
	set_whole(s, cause, place);
	return true;
}

/* Adds the input file that grew, if only the input differs. */
static bool explain_by_input(struct search *s, enum cause_kind whole)
{
	const struct traced_file *file = whole == CAUSE_INPUT ? kind_grown_input(s) : NULL;

	if (!file)
		return false;
	set_whole(s, sentence_add_cause(s, CAUSE_INPUT), arena_printf(&s->scenario->arena, "%s, which it reads, is larger", path_name(file->path)));
	return true;
}

/* Explains an increase without a costlier function, by counts and by other differences. */
static void explain_otherwise(struct search *s)
{
	enum cause_kind whole = kind_of_all(s);

	if (!(explain_by_input(s, whole) || explain_by_counts(s, whole) || explain_by_calls(s)))
		explain_by_place(s, whole);
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
		const struct memory *m = NULL;

		if (s->gates[i].gate.kind != GATE_METRIC || gate_judgement(&s->gates[i])->verdict != VERDICT_REGRESSION)
			continue;
		for (size_t k = 0; k < sizeof memories / sizeof memories[0] && !m; k++)
			if (s->gates[i].gate.metric == &metric_catalogue[memories[k].metric])
				m = &memories[k];
		if (!m)
			return NULL;
		found = found && found < m ? found : m;
	}
	return found;
}

static double counted(const struct search *s, int side, const struct metric *metric)
{
	const struct side_result *of = side == BASE ? &s->scenario->base : scenario_result_measured(s->scenario);

	return side_result_median(of, side_result_normalised(of, metric));
}

/*
 * Adds the function that allocates, holds or touches most of the additional memory. For an attached target, stacks come
 * from windows in which the sides did different amounts of work. They give each function's part of the counted total,
 * also for the faults through which memory grows.
 */
static bool explain_memory(struct search *s, const struct memory *m)
{
	const struct metric *metric = &metric_catalogue[m->metric];
	double measured = counted(s, HEAD, metric) - counted(s, BASE, metric), each[SIDES] = { 1, 1 }, most = 0;
	const double *total = s->ledger.total[m->cost];
	struct question question = { m->cost, counted(s, BASE, metric), 0, 0, metric };
	const struct suspect *best = NULL;
	enum cause_kind whole;
	struct cause *cause;

	for (int i = 0; i < SIDES; i++)
		if (s->scenario->head.attached && total[i] > 0)
			each[i] = counted(s, i, METRIC(PAGE_FAULTS)) / total[i];
	/* Samples of faults miss some. */
	question.change = m->kind == CAUSE_FAULTS && measured > 0 ? measured : total[HEAD] * each[HEAD] - total[BASE] * each[BASE];
	blame(s, &question);
	for (size_t i = 0; i < s->n; i++) {
		const double *cost = s->suspects[i].at->cost[m->cost];
		double more = cost[HEAD] * each[HEAD] - cost[BASE] * each[BASE];

		if (more > most) {
			most = more;
			best = &s->suspects[i];
		}
	}
	if (!best || !(question.change > 0) || !(most > MEMORY_LEAST * question.change))
		return false;
	whole = kind_of_all(s);
	cause = sentence_add_cause(s, whole != CAUSE_KINDS ? whole : m->kind);
	sentence_set_amount(s, cause, most);
	if (s->scenario->head.attached)
		cause->amount = cause->share_pct / 100 * measured;
	sentence_set(s, cause, metric, &(struct words){ .who = sentence_name_suspect(s, cause, best), .does = m->does, .part = true });
	return true;
}

/* -------- waiting */

/*
 * Returns the function whose waits grew most, by LEAST ms or more. Functions touched by the diff rank first. NULL:
 * none.
 */
static const struct suspect *longest_waiter(const struct search *s, enum cost_kind wait, double least)
{
	const struct suspect *best = NULL;
	double most = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct suspect *x = &s->suspects[i];
		double more = more_of(x, wait);

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
		if (suspect_changed(&s->suspects[i]) && (!locking || kind_locks(s, &s->suspects[i], HEAD) > 0))
			return &s->suspects[i];
	return NULL;
}

static enum cost_kind waits_of(const struct wall_change *wall)
{
	return wall->kind == CAUSE_LOCK ? COST_LOCKED : wall->kind == CAUSE_PARALLELISM ? COST_OTHERS : COST_HELD;
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
 * Appends why it waits in CALLEE, a C library function. The system call of that name gives the count.
 */
static void add_wait(const struct search *s, const char *callee, struct strbuf *out)
{
	const struct system_call *call = system_calls_find(&s->in->head->system_calls, callee);
	const struct system_call *was = system_calls_find(&s->in->base->system_calls, callee);

	if (call && (!was || call->calls > MORE_CALLS * was->calls)) {
		strbuf_addf(out, "%s is called ", callee);
		sentence_add_calls(s, call, was, out);
	} else {
		strbuf_addf(out, "in %s", callee);
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
		if (suspect_changed(&s->suspects[i]) && kind_locks_more(s, &s->suspects[i])) {
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
	static const char *const what[WAIT_KINDS] = {
		[WAIT_IO] = " for files", [WAIT_PIPE] = " for what another process writes or reads", [WAIT_LOCK] = " for a lock",
		[WAIT_THREAD] = " for another thread", [WAIT_CHILD] = " for a process that it started",
	};
	struct arena *arena = &s->scenario->arena;
	CLEANUP(strbuf_release) struct strbuf reason = STRBUF_INIT;
	const struct suspect *who = who_waits(s, wall);
	const struct callee_cost *callee = who ? suspect_callee(s, who, waits_of(wall), 0) : NULL;
	struct cause *cause = sentence_add_cause(s, wall->kind);
	const char *name = who ? sentence_name_suspect(s, cause, who) : NULL;
	struct words words = { .reason = reason.buf };
	const struct change *script;
	size_t n_scripts;

	cause->amount = waiting_ms(wall);
	cause->share_pct = 100 * fmin(1, cause->amount / (wall->head.wall_ms - wall->base.wall_ms));
	if (!name && (script = changed_script(s, &n_scripts)))
		name = arena_printf(arena, "%s, in which %s changed,", path_name(script->path), sentence_name_change(s, cause, script, n_scripts));
	else if (!name && only_function(s))
		name = sentence_name_change(s, cause, only_function(s), 1);
	if (wall->kind == CAUSE_PARALLELISM) {
		words.who = who ? arena_printf(arena, "%s makes it run less in parallel", name) : "the program runs less in parallel";
		strbuf_addf(&reason, "%s CPUs are at work instead of %s, which takes %s more per %s", format_value(wall->head.cpus, UNIT_RATIO).s,
			    format_value(wall->base.cpus, UNIT_RATIO).s, cost_text(wall->rest_ms, METRIC(WALL_TIME)).text, s->per);
	} else if (wall->unseen && !name) {
		words.who = arena_printf(arena, "%s more per %s pass in which it neither runs nor was seen to wait",
					 cost_text(wall->rest_ms, METRIC(WALL_TIME)).text, s->per);
	} else {
		words.who = name ?: "it";
		words.does = wall->wait == WAIT_SLEEP ? "sleeps" : "waits";
		words.for_what = what[wall->wait];
		if (callee || wall->call)
			add_wait(s, callee ? callee->callee : wall->call, &reason);
	}
	words.reason = reason.buf;
	sentence_set(s, cause, METRIC(WALL_TIME), &words);
}

/* -------- everything together */

/* True if instructions regressed and are known by function. Sets TIMES if a time regressed, too. */
static bool has_instructions(const struct search *s, bool *times)
{
	const double *work = s->ledger.total[COST_INSTRUCTIONS];
	bool counted = work[BASE] > 0 && change_of(work) > 0 && !s->ledger.timed, any = false;

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

/* Shows the only change between the sides, the source of any increase. */
static void show_only_change(struct search *s)
{
	struct cause *cause = s->scenario->n_causes ? &s->scenario->causes[0] : NULL;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!cause || cause->changed)
		return;
	if (only_place(s)) {
		change_text(only_place(s), &text);
		cause->changed = arena_strdup(&s->scenario->arena, text.buf);
		cause->changed_at = change_place(only_place(s), &s->scenario->arena);
	} else {
		cause->changed = arena_strdup(&s->scenario->arena, only_other(s));
	}
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

static void explain(struct search *s, bool runs, bool waits)
{
	double change_ms = s->total_ms[HEAD] - s->total_ms[BASE];
	const double *work = s->ledger.total[COST_INSTRUCTIONS];
	const struct question time = { COST_TIME, s->total_ms[BASE], change_ms, s->ms_per_instruction, METRIC(TASK_CLOCK) };
	const struct question instructions = { COST_INSTRUCTIONS, work[BASE], change_of(work), 1, METRIC(INSTRUCTIONS) };
	const struct memory *memory = memory_regressed(s->scenario);
	struct wall_change wall;
	bool times, counted = has_instructions(s, &times);

	if (memory && explain_memory(s, memory))
		return;
	s->asked = time;
	/* A profile of CPU time has no waits. */
	waits = waits && wall_change_of(s->scenario, s->in->base, s->in->head, &wall);
	if (waits) {
		prefer_lock(s, &wall);
		add_wall(&wall, s->scenario);
	}
	/* Unexplained time may belong to other programs, so known costs come first. */
	if (waits && wall.kind != CAUSE_WORK && !(wall.unseen && runs))
		explain_waiting(s, &wall);
	if (change_ms > 0 && !s->scenario->n_causes && (times || !counted))
		explain_costs(s, &time);
	if (!s->scenario->n_causes && counted)
		explain_costs(s, &instructions);
	if (!s->scenario->n_causes && waits && wall.kind != CAUSE_WORK)
		explain_waiting(s, &wall);
	if (!s->scenario->n_causes && change_ms > 0) {
		blame(s, &time);
		explain_otherwise(s);
	}
}

void causes_find(struct scenario_result *scenario, const struct baseline *base, const struct cause_input *in)
{
	bool waits = has_regressed(scenario, true), runs = has_regressed(scenario, false);
	struct cost cost;

	scenario->n_causes = 0;
	scenario->evidence = (struct strv)STRV_INIT;
	cost_find(scenario, base, &cost);
	if ((waits || runs) && cost.metric && cost.metric->unit == UNIT_MS) {
		CLEANUP(search_release) struct search s = { .scenario = scenario, .in = in, .total_ms = { cost.before, cost.now } };

		s.per = cost.per_work ? scenario_result_work_unit(scenario) : scenario_result_runs(scenario, 1);
		search_open(&s);
		s.ms_per_instruction = pace(&s);
		explain(&s, runs, waits);
		show_only_change(&s);
	}
	add_missing(scenario, in);
}
