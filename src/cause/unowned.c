#include "cause/explain.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/changed.h"
#include "cause/evidence.h"
#include "cause/sentence.h"

/* Costs outside own functions: other programs, what a script makes its interpreter do, start-up, and the kernel. */

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

void explain_unowned(struct search *s)
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
