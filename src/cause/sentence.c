#include "cause/sentence.h"

#include <math.h>

#include "base/mem.h"
#include "cause/kind.h"
#include "model/cost.h"
#include "profile/names.h"

/* -------- numbers */

struct short_text times_text(double n)
{
	struct short_text number = format_count(n);

	return strcmp(number.s, "1") != 0 ? format_short("%s times", number.s) : format_short("once");
}

/* Appends "3 times as often", "40,000 times instead of 12", "4 times per call of PER instead of once"; PER may be NULL. */
static void add_change_of_times(double before, double now, const char *per, struct strbuf *out)
{
	double factor = now / before;
	const char *per_call = per ? " per call of " : "";

	if (before > 0 && factor < 1.95)
		strbuf_addf(out, "%s %% more often", format_count(round(100 * (factor - 1))).s);
	else if (before > 0 && factor < 20)
		strbuf_addf(out, "%s times as often", format_count(factor).s);
	else if (before > 0)
		strbuf_addf(out, "%s%s%s instead of %s", times_text(now).s, per_call, per ?: "", format_count(before).s);
	else
		strbuf_addf(out, "%s%s%s, never before", times_text(now).s, per_call, per ?: "");
}

/* Appends F as WHOLE ("%s times the instructions") from about 2 on, below that as MORE ("%s %% more instructions"). */
static void add_factor(double f, const char *whole, const char *more, struct strbuf *out)
{
	strbuf_addf(out, f < 1.95 ? more : whole, format_count(f < 1.95 ? round(100 * (f - 1)) : f).s);
}

void sentence_add_calls(const struct search *s, const struct system_call *now, const struct system_call *was, struct strbuf *out)
{
	const struct system_calls *calls = &s->in->head->system_calls;
	double before = was ? was->calls : 0, all = system_calls_total(calls);

	if (!calls->attached) {
		strbuf_adds(out, calls->cut ? "at least " : "");
		add_change_of_times(before, now->calls, NULL, out);
	} else if (calls->work > 0) {
		double rate = now->calls / calls->work;

		strbuf_addf(out, "%s%s per %s", rate == 1 ? "once" : format_count(rate).s, rate == 1 ? "" : " times", scenario_result_work_unit(s->scenario));
		strbuf_addf(out, before > 0 ? " instead of %s" : ", never before", format_count(before / calls->work).s);
	} else {
		/* Both sides are scaled to the same number of calls. */
		strbuf_addf(out, "in %s of the system calls", format_percent(100 * now->calls / all).s);
		strbuf_addf(out, before > 0 ? " instead of %s" : ", never before", format_percent(100 * before / all).s);
	}
}

/* -------- names and places */

enum { NAME_LONGEST = 80 };	/* bytes of a name */

void sentence_add_code(const struct code *code, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	size_t len;

	name_brief(code->function, &name);
	len = utf8_clip(name.buf, NAME_LONGEST);
	strbuf_addf(out, "%.*s%s", (int)len, name.buf, name.buf[len] ? "..." : "");
	if (code->source && code->line)
		strbuf_addf(out, " (%s:%u)", path_name(code->source), code->line);
}

/* True if CODE begins in the source function that contains C. Its symbol may have another name. */
static bool begins_in(const struct search *s, const struct code *code, const struct change *c)
{
	return code->source && changes_has_source(s->in->changes, HEAD, code->source, c->path) && code->line >= c->span.first && code->line <= c->span.last;
}

/* Appends the first lines of one side of a change, each after SIGN. */
static void add_lines(struct strbuf *out, const struct strv *lines, char sign)
{
	enum { MOST = 12 };

	for (size_t i = 0; i < lines->n && i < MOST; i++)
		strbuf_addf(out, "%s%c %s", out->len ? "\n" : "", sign, lines->items[i]);
	if (lines->n > MOST)
		strbuf_addf(out, "\n%c ...", sign);
}

void sentence_set_change(const struct search *s, struct cause *cause, const struct change *c)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, hunk = STRBUF_INIT;
	struct arena *arena = &s->scenario->arena;

	change_text(c, &text);
	add_lines(&hunk, &c->before, '-');
	add_lines(&hunk, &c->now, '+');
	cause->changed = arena_strdup(arena, text.buf);
	cause->hunk = hunk.len ? arena_strdup(arena, hunk.buf) : NULL;
	cause->changed_at = change_place(c, arena);
}

const char *sentence_name_suspect(const struct search *s, struct cause *cause, const struct suspect *x)
{
	const struct code *code = suspect_code(s, x);
	struct arena *arena = &s->scenario->arena;
	const struct change *c = x->touch ? x->touch->change : NULL;
	/* In the source, a changed function that was inlined is the one that costs more. */
	const char *inlined = c && x->touch->how == TOUCH_INLINED && !begins_in(s, code, c) ? x->touch->through : NULL;
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	const char *function = inlined ? inlined : code_nameless(code) ? NULL : code->function;

	cause->function = arena_strdup(arena, function);
	cause->object = arena_strdup(arena, path_name(code->object));
	/* Without debug information, the changed function begins where its source says. */
	if (inlined || (c && x->touch->how == TOUCH_BODY && c->span.first && !(code->source && code->line)))
		cause->place = arena_printf(arena, "%s:%u", path_name(c->path), c->span.first ?: c->line);
	else if (code->source && code->line)
		cause->place = arena_printf(arena, "%s:%u", path_name(code->source), code->line);
	if (c)
		sentence_set_change(s, cause, c);
	if (function)
		name_brief(function, &name);
	else
		strbuf_addf(&name, "%s, of which no function has a name,", path_name(code->object));
	if (cause->place)
		strbuf_addf(&name, " (%s)", cause->place);
	if (inlined && !code_nameless(code)) {
		strbuf_adds(&name, ", inlined into ");
		name_brief(code->function, &name);
		strbuf_addc(&name, ',');
	}
	return arena_strdup(arena, name.buf);
}

const char *sentence_name_change(const struct search *s, struct cause *cause, const struct change *c, size_t n)
{
	struct arena *arena = &s->scenario->arena;
	const char *rest = n > 1 ? arena_printf(arena, " and %zu more place%s", n - 1, n > 2 ? "s" : "") : "";

	sentence_set_change(s, cause, c);
	cause->object = arena_strdup(arena, path_name(c->path));
	cause->function = arena_strdup(arena, c->function ?: path_name(c->path));
	cause->place = arena_printf(arena, "%s:%u", path_name(c->path), c->line);
	return c->function ? arena_printf(arena, "%s (%s)%s", c->function, cause->place, rest) : arena_printf(arena, "%s%s", cause->place, rest);
}

/* -------- reasons */

static void add_callee(const struct search *s, const struct callee_cost *callee, struct strbuf *out)
{
	if (callee->calls[HEAD] > MORE_CALLS * callee->calls[BASE]) {
		strbuf_addf(out, "it calls %s ", callee->callee);
		add_change_of_times(callee->calls[BASE], callee->calls[HEAD], s->ledger.per, out);
	} else {
		strbuf_addf(out, "%s, which it calls, costs more", callee->callee);
	}
}

/* Appends that the kernel works longer, for unknown system calls. */
static void add_kernel(const struct search *s, const struct suspect *x, struct strbuf *out)
{
	const struct callee_cost *callee = suspect_dearest_callee(s, x);

	if (callee && callee->calls[HEAD] > MORE_CALLS * callee->calls[BASE]) {
		add_callee(s, callee, out);
		strbuf_adds(out, ", and ");
	}
	strbuf_adds(out, "the kernel works longer for it");
}

/* Appends the system call that X makes more often, or that the callee makes whose cost X causes. */
static void add_system_call(const struct search *s, const struct suspect *x, struct strbuf *out)
{
	const struct system_calls *calls = &s->in->head->system_calls;
	const struct suspect *maker = x;
	struct call_change call = suspect_call(s, x);

	if (!call.now) {
		maker = suspect_dearest(x);
		call = suspect_call(s, maker);
	}
	if (!call.now) {
		add_kernel(s, x, out);
		return;
	}
	strbuf_adds(out, "it calls ");
	if (maker != x) {
		name_brief(suspect_code(s, maker)->function, out);
		strbuf_adds(out, ", which calls ");
	}
	strbuf_addf(out, "%s ", call.now->name);
	sentence_add_calls(s, call.now, call.was, out);
	if (call.now->bytes > 0 && call.was && call.was->bytes > 0 && (calls->cut || fabs(call.now->bytes / call.was->bytes - 1) < 0.1))
		strbuf_addf(out, ", %s bytes each time instead of %s", format_count(call.now->bytes / call.now->calls).s,
			    format_count(call.was->bytes / call.was->calls).s);
}

static void add_faults(const struct suspect *x, struct strbuf *out)
{
	if (more_of(x, COST_FAULTS) > 0)
		strbuf_addf(out, "it touches %s pages more for the first time", format_count(more_of(x, COST_FAULTS)).s);
	else
		strbuf_adds(out, "it touches more memory for the first time");
}

/* Smallest factor for instructions to count as slower. */
#define EACH_SLOWER 1.2

/*
 * Appends the factors of X's time: "4.1 times the instructions, each 2.3 times as slow". Returns false if samples do
 * not show with certainty that each instruction takes longer.
 */
static bool add_factors(const struct search *s, const struct suspect *x, struct strbuf *out)
{
	double instructions, each;

	if (s->ledger.timed || !kind_factors(x, &instructions, &each) || each < EACH_SLOWER ||
	    !(more_of(x, COST_TIME) > 2 * entry_error(x->at)))
		return false;
	if (instructions > MORE_CALLS)
		add_factor(instructions, "%s times the instructions", "%s %% more instructions", out);
	else if (instructions < 1 / MORE_CALLS)
		strbuf_addf(out, "%s %% fewer instructions", format_count(round(100 * (1 - instructions))).s);
	else
		strbuf_adds(out, "the same instructions");
	add_factor(each, ", each %s times as slow", ", each %s %% slower", out);
	return true;
}

static void add_slower(const struct search *s, const struct suspect *x, struct strbuf *out)
{
	if (!add_factors(s, x, out))
		strbuf_adds(out, "the same instructions take longer");
	strbuf_adds(out, " (caches, branches or memory shared between threads)");
}

/* Appends how X's own instructions grew. */
static void add_own_work(const struct search *s, const struct suspect *x, struct strbuf *out)
{
	const double *self = x->at->self[COST_INSTRUCTIONS];

	if (self[HEAD] > MORE_CALLS * self[BASE] && !s->ledger.per && add_factors(s, x, out))
		return;
	if (!(s->ledger.total[COST_INSTRUCTIONS][HEAD] > 0 && self[BASE] > 0))
		return;
	if (s->ledger.timed) {
		strbuf_adds(out, "called as often as before, it takes ");
		add_factor(self[HEAD] / self[BASE], "%s times as long itself", "%s %% more itself", out);
	} else if (self[HEAD] > 3 * self[BASE]) {
		strbuf_addf(out, "its own code is executed %s times as often", format_count(self[HEAD] / self[BASE]).s);
	} else {
		strbuf_addf(out, "it executes %s more instructions itself", format_percent(100 * (self[HEAD] / self[BASE] - 1)).s);
	}
}

static void add_work(const struct search *s, const struct suspect *x, struct strbuf *out)
{
	const struct suspect *cause = suspect_dearest(x);
	const struct callee_cost *callee = suspect_dearest_callee(s, x);

	if (cause != x && cause->more > 0) {
		strbuf_adds(out, "it calls ");
		name_brief(suspect_code(s, cause)->function, out);
		strbuf_addc(out, ' ');
		add_change_of_times(cause->at->calls[BASE], cause->at->calls[HEAD], s->ledger.per, out);
	} else if (suspect_called_more(x)) {
		strbuf_adds(out, "it is called ");
		add_change_of_times(x->at->calls[BASE], x->at->calls[HEAD], s->ledger.per, out);
	} else if (callee) {
		add_callee(s, callee, out);
	} else if (x->part_of) {
		strbuf_adds(out, "it is no longer a part of ");
		name_brief(suspect_code(s, x->part_of)->function, out);
	} else if (!suspect_in(s, x, BASE) && x->at->cost[COST_INSTRUCTIONS][HEAD] > 0) {
		strbuf_adds(out, "it is new");
	} else {
		add_own_work(s, x, out);
	}
}

void sentence_add_reason(const struct search *s, enum cause_kind kind, const struct suspect *x, struct strbuf *out)
{
	if (kind == CAUSE_SYSTEM_CALLS || (kind == CAUSE_WAITING && !s->ledger.timed))
		add_system_call(s, x, out);
	else if (kind == CAUSE_FAULTS)
		add_faults(x, out);
	else if (kind == CAUSE_SLOWER)
		add_slower(s, x, out);
	else
		add_work(s, x, out);
}

/* -------- the sentence */

struct cause *sentence_add_cause(struct search *s, enum cause_kind kind)
{
	struct scenario_result *out = s->scenario;

	ARENA_GROW(&out->arena, out->causes, out->n_causes, out->cap_causes);
	out->causes[out->n_causes] = (struct cause){ .kind = kind, .amount = NAN, .share_pct = NAN, .unit = UNIT_MS };
	return &out->causes[out->n_causes++];
}

void sentence_set_amount(const struct search *s, struct cause *cause, double amount)
{
	/* Estimates of parts may add up to more than the measured change. */
	cause->amount = fmin(amount, s->asked.change);
	cause->unit = s->asked.metric->unit;
	cause->share_pct = s->asked.change > 0 ? 100 * cause->amount / s->asked.change : NAN;
}

void sentence_set(const struct search *s, struct cause *cause, const struct metric *metric, const struct words *words)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (words->lead)
		strbuf_addf(&text, "%s; ", words->lead);
	strbuf_adds(&text, words->who);
	if (words->does)
		strbuf_addf(&text, " %s %s more per %s%s", words->does, cost_text(cause->amount, metric).text, s->per, words->for_what ?: "");
	if (words->part && cause->share_pct < 99.5)
		strbuf_addf(&text, ", %.0f %% of the change", cause->share_pct);
	if (words->reason && *words->reason)
		strbuf_addf(&text, ": %s", words->reason);
	if (words->tail)
		strbuf_addf(&text, "; %s", words->tail);
	cause->sentence = arena_strdup(&s->scenario->arena, text.buf);
}
