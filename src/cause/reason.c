#include "cause/reason.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "cause/kinds.h"
#include "cause/own_costs.h"
#include "cause/suspects.h"
#include "cause/system_calls.h"
#include "cause/touched.h"
#include "cause/work.h"
#include "model/cost.h"
#include "profile/names.h"

/* True if X begins in the source function that contains C. Its symbol may have another name. */
static bool begins_in(const struct suspect *x, const struct change *c)
{
	const struct code *code = code_of(x);

	return code->source && source_is_path(code->source, c->path) && code->line >= c->span.first && code->line <= c->span.last;
}

/* Returns the changed function that was inlined into X: in the source, it is the one that costs more. NULL: none. */
static const char *inlined_in(const struct suspect *x)
{
	return x->touched && x->touch.how == TOUCH_INLINED && !begins_in(x, x->touch.change) ? x->touch.through : NULL;
}

static const char *place_of(const struct search *s, const struct code *code)
{
	if (!code->source || !code->line)
		return NULL;
	return arena_printf(&s->scenario->arena, "%s:%u", path_name(code->source), code->line);
}

static const char *inlined_place(const struct search *s, const struct change *c)
{
	return arena_printf(&s->scenario->arena, "%s:%u", path_name(c->path), c->span.first ?: c->line);
}

const char *reason_name(const struct search *s, const struct suspect *x)
{
	const struct code *code = code_of(x);
	const char *place = place_of(s, code), *inlined = inlined_in(x);
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	if (code_nameless(code) && !inlined)
		strbuf_addf(&name, "%s, of which no function has a name,", path_name(code->object));
	else
		name_brief(inlined ?: code->function, &name);
	if (inlined)
		place = inlined_place(s, x->touch.change);
	if (place)
		strbuf_addf(&name, " (%s)", place);
	if (inlined && !code_nameless(code)) {
		strbuf_adds(&name, ", inlined into ");
		name_brief(code->function, &name);
		strbuf_addc(&name, ',');
	}
	return arena_strdup(&s->scenario->arena, name.buf);
}

static const char *changed_line(const struct search *s, const struct suspect *x)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!x->touched)
		return NULL;
	change_text(x->touch.change, &text);
	return arena_strdup(&s->scenario->arena, text.buf);
}

void reason_set_code(const struct search *s, struct cause *cause, const struct suspect *x)
{
	const struct code *code = code_of(x);
	const char *inlined = inlined_in(x), *function = inlined ? inlined : code_nameless(code) ? NULL : code->function;

	cause->function = function ? arena_strdup(&s->scenario->arena, function) : NULL;
	cause->object = arena_strdup(&s->scenario->arena, path_name(code->object));
	cause->place = inlined ? inlined_place(s, x->touch.change) : place_of(s, code);
	cause->changed = changed_line(s, x);
	cause->changed_at = x->touched ? change_place(x->touch.change, &s->scenario->arena) : NULL;
}

/* Returns "40,000". */
static struct cost_text grouped(double n)
{
	struct cost_text out, digits;
	size_t len = (size_t)snprintf(digits.text, sizeof digits.text, "%.0f", n), at = 0;

	for (size_t i = 0; i < len && at + 2 < sizeof out.text; i++) {
		if (i && (len - i) % 3 == 0)
			out.text[at++] = ',';
		out.text[at++] = digits.text[i];
	}
	out.text[at] = '\0';
	return out;
}

static void add_times(struct strbuf *out, struct cost_text n)
{
	if (!strcmp(n.text, "1"))
		strbuf_adds(out, "once");
	else
		strbuf_addf(out, "%s times", n.text);
}

/* Appends "3 times as often", "40,000 times instead of 12". */
static void add_change_of_times(struct strbuf *out, double before, double now)
{
	if (before > 0 && now / before < 20) {
		strbuf_addf(out, now / before < 1.95 ? "%.0f %% more often" : "%.1f times as often",
			    now / before < 1.95 ? 100 * (now / before - 1) : now / before);
		return;
	}
	add_times(out, grouped(now));
	if (before > 0)
		strbuf_addf(out, " instead of %s", grouped(before).text);
	else
		strbuf_adds(out, ", never before");
}

/* Returns "18", "1.04". */
static struct cost_text per_unit(double n)
{
	struct cost_text out;

	snprintf(out.text, sizeof out.text, "%.3g", n);
	return n < 1000 ? out : grouped(n);
}

static void add_calls_of_service(const struct search *s, double before, double now, struct strbuf *out)
{
	const struct system_calls *calls = &s->in->head->system_calls;
	double all = system_calls_total(calls);

	if (calls->work > 0) {
		add_times(out, per_unit(now / calls->work));
		strbuf_addf(out, " per %s", scenario_result_work_unit(s->scenario));
		strbuf_addf(out, before > 0 ? " instead of %s" : ", never before", per_unit(before / calls->work).text);
		return;
	}
	/* Both sides are scaled to the same number of calls. */
	strbuf_addf(out, "in %.3g %% of the system calls", 100 * now / all);
	strbuf_addf(out, before > 0 ? " instead of %.3g %%" : ", never before", 100 * before / all);
}

void reason_add_calls(const struct search *s, const struct system_call *now, const struct system_call *was, struct strbuf *out)
{
	if (s->in->head->system_calls.attached) {
		add_calls_of_service(s, was ? was->calls : 0, now->calls, out);
		return;
	}
	strbuf_adds(out, s->in->head->system_calls.cut ? "at least " : "");
	add_change_of_times(out, was ? was->calls : 0, now->calls);
}

static void add_foreign(struct strbuf *out, const struct foreign_cost *now, const struct foreign_cost *was)
{
	double before = was ? was->calls : 0;

	if (now->calls > MORE_CALLS * before) {
		strbuf_addf(out, "it calls %s ", now->name);
		add_change_of_times(out, before, now->calls);
	} else {
		strbuf_addf(out, "%s, which it calls, costs more", now->name);
	}
}

/* Appends that the kernel works longer, for unknown system calls. */
static void add_kernel(const struct suspect *x, struct strbuf *out)
{
	const struct foreign_cost *before, *foreign = kind_dearer_foreign(x, &before);

	if (foreign && foreign->calls > MORE_CALLS * (before ? before->calls : 0)) {
		add_foreign(out, foreign, before);
		strbuf_adds(out, ", and ");
	}
	strbuf_adds(out, "the kernel works longer for it");
}

/* Appends the system call that X makes more often, or that the callee makes whose cost X causes. */
static void add_system_call(const struct search *s, const struct suspect *x, struct strbuf *out)
{
	const struct suspect *maker = x;
	const struct system_call *was, *now = suspects_own_call(s, x, &was);

	if (!now) {
		maker = suspects_dearest(s, x);
		now = suspects_own_call(s, maker, &was);
	}
	if (!now) {
		add_kernel(x, out);
		return;
	}
	strbuf_adds(out, "it calls ");
	if (maker != x) {
		name_brief(code_of(maker)->function, out);
		strbuf_adds(out, ", which calls ");
	}
	strbuf_addf(out, "%s ", now->name);
	reason_add_calls(s, now, was, out);
	if (now->bytes > 0 && was && was->bytes > 0 && (s->in->head->system_calls.cut || fabs(now->bytes / was->bytes - 1) < 0.1))
		strbuf_addf(out, ", %s bytes each time instead of %s", grouped(now->bytes / now->calls).text,
			    grouped(was->bytes / was->calls).text);
}

/* Appends F as WHOLE ("%s times the instructions") from about 2 on, below that as MORE ("%s %% more instructions"). */
static void add_factor(struct strbuf *out, double f, const char *whole, const char *more)
{
	char text[32];

	snprintf(text, sizeof text, f < 1.95 ? "%.0f" : "%.2g", f < 1.95 ? 100 * (f - 1) : f);
	strbuf_addf(out, f < 1.95 ? more : whole, f < 99.5 ? text : grouped(f).text);
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

	if (suspects_timed(s) || !kind_factors(x, &instructions, &each) || each < EACH_SLOWER || !(change_of(x->cpu) > 2 * x->cpu_error))
		return false;
	if (instructions > MORE_CALLS)
		add_factor(out, instructions, "%s times the instructions", "%s %% more instructions");
	else
		strbuf_adds(out, "the same instructions");
	add_factor(out, each, ", each %s times as slow", ", each %s %% slower");
	return true;
}

void reason_add(const struct search *s, enum cause_kind kind, const struct suspect *x, struct strbuf *out)
{
	const struct suspect *callee = &s->suspects[x->busiest];
	const struct foreign_cost *foreign, *was;

	if (kind == CAUSE_SYSTEM_CALLS || (kind == CAUSE_WAITING && !suspects_timed(s))) {
		add_system_call(s, x, out);
		return;
	}
	if (kind == CAUSE_FAULTS) {
		double pages = change_of(x->faults);

		if (pages > 0)
			strbuf_addf(out, "it touches %s pages more for the first time", grouped(pages).text);
		else
			strbuf_adds(out, "it touches more memory for the first time");
		return;
	}
	if (kind == CAUSE_SLOWER) {
		if (!add_factors(s, x, out))
			strbuf_adds(out, "the same instructions take longer");
		strbuf_adds(out, " (caches, branches or memory shared between threads)");
		return;
	}
	if (callee != x && callee->ms > 0 && callee->ms > x->ms && callee->responsible == (size_t)(x - s->suspects)) {
		strbuf_adds(out, "it calls ");
		name_brief(code_of(callee)->function, out);
		strbuf_addc(out, ' ');
		add_change_of_times(out, callee->calls[BASE], callee->calls[HEAD]);
		return;
	}
	if (suspect_called_more(x)) {
		strbuf_adds(out, "it is called ");
		add_change_of_times(out, x->calls[BASE], x->calls[HEAD]);
		return;
	}
	foreign = kind_dearer_foreign(x, &was);
	if (foreign) {
		add_foreign(out, foreign, was);
	} else if (x->part_of) {
		strbuf_adds(out, "it is no longer a part of ");
		name_brief(code_of(x->part_of)->function, out);
	} else if (!x->code[BASE] && x->work[HEAD] > 0) {
		strbuf_adds(out, "it is new");
	} else if (x->self[HEAD] > MORE_CALLS * x->self[BASE] && add_factors(s, x, out)) {
		return;
	} else if (s->work[HEAD].total > 0 && x->self[BASE] > 0 && x->self[HEAD] > 3 * x->self[BASE]) {
		double times = x->self[HEAD] / x->self[BASE];

		if (times < 100)
			strbuf_addf(out, "its own code is executed %.3g times as often", times);
		else
			strbuf_addf(out, "its own code is executed %s times as often", grouped(times).text);
	} else if (s->work[HEAD].total > 0 && x->self[BASE] > 0) {
		strbuf_addf(out, suspects_timed(s) ? "called as often as before, it takes %+.3g %% itself" : "it executes %.3g %% more instructions itself",
			    100 * (x->self[HEAD] / x->self[BASE] - 1));
	}
}

