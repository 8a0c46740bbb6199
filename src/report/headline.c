#include "report/headline.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "report/format.h"
#include "report/judged_words.h"
#include "report/nothing.h"
#include "report/pairs.h"

/* Names in a list before "and N more", and bytes of a symbol's. */
enum { LISTED = 3, CULPRIT_NAME = 60 };

static struct headline_part *add_part(struct headline *headline, enum tone tone, const char *word, struct strbuf *text)
{
	VEC_GROW(headline->items, headline->n, headline->cap);
	headline->items[headline->n] = (struct headline_part){ .tone = tone, .word = word, .text = strbuf_take(text) };
	return &headline->items[headline->n++];
}

void headline_lead(struct headline *headline, enum tone tone, const char *word, struct strbuf *text)
{
	struct headline_part lead = *add_part(headline, tone, word, text);

	memmove(headline->items + 1, headline->items, (headline->n - 1) * sizeof *headline->items);
	headline->items[0] = lead;
}

static void add_count(struct strbuf *out, size_t n, const char *one, const char *many)
{
	strbuf_addf(out, "%zu %s", n, n == 1 ? one : many);
}

/* The subject of a sentence: "gzip" when there is no other scenario, else "2 of 6 scenarios". */
static void add_scenarios(struct strbuf *out, const struct result *result, size_t n)
{
	if (result->n_scenarios == 1)
		strbuf_adds(out, result->scenarios[0].name);
	else
		strbuf_addf(out, "%zu of %zu scenarios", n, result->n_scenarios);
}

static void add_gates(struct strbuf *out, const struct result *result, size_t n)
{
	size_t all = standing_gates_loud(result);

	if (n == all)
		add_count(out, n, "gate", "gates");
	else
		strbuf_addf(out, "%zu of %zu gates", n, all);
}

/* Before the next item of a list in parentheses; false when the list is full. */
static bool next_item(struct strbuf *out, size_t *listed)
{
	if (*listed < LISTED)
		strbuf_adds(out, *listed ? ", " : " (");
	return (*listed)++ < LISTED;
}

static void end_list(struct strbuf *out, size_t listed)
{
	if (listed > LISTED)
		strbuf_addf(out, " and %zu more", listed - LISTED);
	if (listed)
		strbuf_addc(out, ')');
}

/* " (gzip ipc, xz ipc and 3 more)" */
static void list_gates(struct strbuf *out, const struct result *result, enum standing standing)
{
	size_t listed = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *scenario = &result->scenarios[i];

		for (size_t k = 0; k < scenario->n_gates; k++) {
			if (standing_of_gate(&scenario->gates[k]) != standing ||
			    standing_follows(scenario, &scenario->gates[k]) || !next_item(out, &listed))
				continue;
			if (result->n_scenarios > 1)
				strbuf_addf(out, "%s ", scenario->name);
			format_finding(out, scenario, &scenario->gates[k]);
		}
	}
	end_list(out, listed);
}

static void list_scenarios(struct strbuf *out, const struct result *result, enum standing standing)
{
	size_t listed = 0;

	if (result->n_scenarios == 1)
		return;
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (standing_count(&result->scenarios[i], standing) && next_item(out, &listed))
			strbuf_adds(out, result->scenarios[i].name);
	end_list(out, listed);
}

/* Parts */

/* "slower", when that is all there is to say of them. */
static const char *worse_word(const struct result *result)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct gate_result *gate = standing_gate(&result->scenarios[i], STANDING_REGRESSION);

		if (gate && strcmp(format_worse(gate->gate.metric), "slower"))
			return "worse";
	}
	return "slower";
}

/* ", hash +6.1 ms": the symbol that did it, where one was accused. */
static void add_culprit(struct strbuf *out, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct symbol_result *worst = scenario_result_worst_symbol(scenario);
	double more = worst ? worst->cost_ms - worst->base_cost_ms : NAN;

	if (!worst || worst->verdict != VERDICT_REGRESSION || gate->gate.metric->source == SOURCE_PROFILE)
		return;
	strbuf_adds(out, ", ");
	format_symbol(out, worst->symbol, CULPRIT_NAME);
	strbuf_addc(out, ' ');
	if (isnan(more)) {
		format_points(out, worst->change_pp);
	} else {
		strbuf_addc(out, '+');
		format_value(out, more, UNIT_MS);
	}
}

/* " (gzip task-clock +5.2 %, hash +6.1 ms, xz ipc -12.0 % and 3 more)", one gate a scenario. */
static void list_regressed(struct strbuf *out, const struct result *result)
{
	size_t listed = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct gate_result *gate = standing_gate(&result->scenarios[i], STANDING_REGRESSION);

		if (!gate || !next_item(out, &listed))
			continue;
		if (result->n_scenarios > 1)
			strbuf_addf(out, "%s ", result->scenarios[i].name);
		format_finding(out, &result->scenarios[i], gate);
		add_culprit(out, &result->scenarios[i], gate);
	}
	end_list(out, listed);
}

static void say_regression(const struct result *result, struct headline *headline)
{
	size_t n = standing_scenarios_with(result, STANDING_REGRESSION);
	struct strbuf text = STRBUF_INIT;

	if (!n)
		return;
	add_scenarios(&text, result, n);
	strbuf_addf(&text, " %s %s", n == 1 ? "is" : "are", worse_word(result));
	list_regressed(&text, result);
	add_part(headline, TONE_BAD, "REGRESSION", &text);
}

static void list_failures(struct strbuf *out, const struct result *result)
{
	size_t listed = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *scenario = &result->scenarios[i];

		if (standing_of(scenario) != STANDING_FAILED || !next_item(out, &listed))
			continue;
		if (result->n_scenarios > 1)
			strbuf_addf(out, "%s%s", scenario->name, scenario->failure ? ": " : "");
		nothing_add_failure(out, scenario);
	}
	end_list(out, listed);
}

static void say_failed(const struct result *result, struct headline *headline)
{
	size_t failed = standing_scenarios(result, STANDING_FAILED), missing = standing_gates(result, STANDING_MISSING);
	struct strbuf text = STRBUF_INIT;

	if (failed) {
		add_scenarios(&text, result, failed);
		strbuf_adds(&text, " failed");
		list_failures(&text, result);
	}
	if (missing) {
		strbuf_adds(&text, failed ? ", and " : "");
		add_count(&text, missing, "required gate", "required gates");
		list_gates(&text, result, STANDING_MISSING);
	}
	if (failed || missing)
		add_part(headline, TONE_BAD, "COULD NOT MEASURE", &text);
}

static void say_partial(const struct result *result, struct headline *headline)
{
	size_t unfinished = 0;
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < result->n_scenarios; i++)
		unfinished +=
		    result->scenarios[i].state == SCENARIO_PARTIAL || result->scenarios[i].state == SCENARIO_SKIPPED;
	if (!result->partial && !unfinished)
		return;
	strbuf_adds(&text, "interrupted, ");
	if (result->n_scenarios == 1)
		strbuf_addf(&text, "%s is incomplete", result->scenarios[0].name);
	else
		strbuf_addf(&text, "%zu of %zu scenarios measured in full", result->n_scenarios - unfinished,
			    result->n_scenarios);
	add_part(headline, TONE_DOUBT, "PARTIAL", &text)->whole = true;
}

static void say_gates(const struct result *result, struct headline *headline, enum standing standing)
{
	size_t n = standing_gates(result, standing);
	struct strbuf text = STRBUF_INIT;

	if (!n)
		return;
	add_gates(&text, result, n);
	list_gates(&text, result, standing);
	add_part(headline, standing_tone(standing), standing_word(standing), &text);
}

/*
 * "2 of 3 scenarios have no baseline (a, b), so 4 of 7 gates were not compared". A scenario with a baseline may lack a part of it: then
 * only its gates are counted.
 */
static void say_new(const struct result *result, struct headline *headline)
{
	size_t gates = standing_gates(result, STANDING_NEW), scenarios = standing_scenarios_with(result, STANDING_NEW);
	bool known = false, paired = false;
	struct strbuf text = STRBUF_INIT;

	if (!gates)
		return;
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];
		bool is_new = standing_count(s, STANDING_NEW) > 0;

		known |= is_new && s->baseline_label;
		paired |= is_new && pairs_only(s);
	}
	if (known) {
		add_gates(&text, result, gates);
		strbuf_addf(&text, " %s nothing to compare with", gates == 1 ? "has" : "have");
		list_scenarios(&text, result, STANDING_NEW);
	} else {
		add_scenarios(&text, result, scenarios);
		strbuf_addf(&text, " %s %s", scenarios == 1 ? paired ? "is" : "has" : paired ? "are" : "have",
			    paired ? "not in the base" : "no baseline");
		list_scenarios(&text, result, STANDING_NEW);
		strbuf_adds(&text, ", so ");
		add_gates(&text, result, gates);
		strbuf_adds(&text, gates == 1 ? " was not compared" : " were not compared");
	}
	add_part(headline, TONE_DOUBT, "NEW", &text);
}

static void say_no_gates(const struct result *result, struct headline *headline)
{
	size_t n = standing_scenarios(result, STANDING_NO_GATES);
	struct strbuf text = STRBUF_INIT;

	if (!n)
		return;
	add_scenarios(&text, result, n);
	strbuf_addf(&text, " %s no gate", n == 1 ? "has" : "have");
	add_part(headline, TONE_DOUBT, "NO GATES", &text);
}

/* What was judged: gates that were compared, and those that have nothing but a limit, or no baseline beside it. */
struct judged {
	size_t scenarios, compared, limited;
};

static struct judged count_judged(const struct result *result)
{
	struct judged judged = { 0 };

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];

		judged.scenarios += standing_compared(s) > 0;
		for (size_t k = 0; k < s->n_gates; k++) {
			const struct gate_result *g = &s->gates[k];
			enum verdict verdict = gate_judgement(g)->verdict;
			bool lacks = verdict == VERDICT_NEW || verdict == VERDICT_NOT_MEASURED;

			if (gate_result_judged(g) && g->gate.relative && !lacks)
				judged.compared++;
			else if (gate_result_judged(g))
				judged.limited++;
		}
	}
	return judged;
}

/* "2 scenarios, 5 gates compared"; "1 of 2 scenarios, 3 of 5 gates compared, 1 within its limit". */
static void say_pass(const struct result *result, struct headline *headline)
{
	struct judged judged = count_judged(result);
	struct strbuf text = STRBUF_INIT;

	if (result->status != STATUS_OK || result->partial || standing_gates(result, STANDING_INCONCLUSIVE))
		return;
	if (judged.scenarios == result->n_scenarios)
		add_count(&text, judged.scenarios, "scenario", "scenarios");
	else
		strbuf_addf(&text, "%zu of %zu scenarios", judged.scenarios, result->n_scenarios);
	strbuf_adds(&text, ", ");
	if (judged.compared) {
		add_gates(&text, result, judged.compared);
		strbuf_adds(&text, judged.limited ? " compared, " : " compared");
	}
	if (judged.compared && judged.limited)
		strbuf_addf(&text, "%zu", judged.limited);
	else if (judged.limited)
		add_gates(&text, result, judged.limited);
	if (judged.limited)
		strbuf_adds(&text, judged.limited == 1 ? " within its limit" : " within their limits");
	add_part(headline, TONE_GOOD, "pass", &text);
}

/* Which files these are stands below. */
static void say_judge(const struct result *result, struct headline *headline)
{
	const struct judged_by *by = &result->judged_by;
	struct strbuf text = STRBUF_INIT;

	if (judged_edits(result)) {
		add_count(&text, judged_edits(result), "file", "files");
		strbuf_addf(&text, " that judge%s changed; %s used", judged_edits(result) == 1 ? "s is" : " are",
			    by->own ? "the change's own were" : "those of the base were");
		add_part(headline, TONE_DOUBT, "JUDGE EDITED", &text);
	} else if (judged_is_loud(result)) {
		strbuf_adds(&text, "see below");
		add_part(headline, TONE_DOUBT, "JUDGE NOT PROTECTED", &text);
	}
}

static void say_status(const struct result *result, struct headline *headline)
{
	struct strbuf text = STRBUF_INIT;

	headline_add_status(&text, result);
	add_part(headline, TONE_DOUBT, "status", &text);
}

static void say_nothing_compared(const struct result *result, enum blame blame, struct headline *headline)
{
	bool bad = blame == BLAME_FAILED || standing_gates(result, STANDING_MISSING);
	struct strbuf why = STRBUF_INIT, command = STRBUF_INIT;
	struct headline_part *part;

	nothing_explain(result, blame, &why, &command);
	part = add_part(headline, bad ? TONE_BAD : TONE_DOUBT, "NOTHING WAS COMPARED", &why);
	part->command = strbuf_take(&command);
	part->whole = true;
}

void headline_build(const struct result *result, struct headline *out)
{
	struct headline headline = { 0 };
	enum blame blame = nothing_blame(result);

	if (blame != BLAME_NOBODY)
		say_nothing_compared(result, blame, &headline);
	if (blame != BLAME_FAILED)
		say_failed(result, &headline);
	say_regression(result, &headline);
	if (blame != BLAME_UNFINISHED)
		say_partial(result, &headline);
	say_gates(result, &headline, STANDING_INCONCLUSIVE);
	say_gates(result, &headline, STANDING_NOT_MEASURED);
	if (blame != BLAME_NEW)
		say_new(result, &headline);
	if (blame != BLAME_NO_GATES)
		say_no_gates(result, &headline);
	if (blame == BLAME_NOBODY)
		say_pass(result, &headline);
	say_gates(result, &headline, STANDING_ACCEPTED);
	say_gates(result, &headline, STANDING_IMPROVEMENT);
	if (!headline.n)
		say_status(result, &headline);
	say_judge(result, &headline);
	*out = headline;
}

void headline_release(struct headline *headline)
{
	for (size_t i = 0; i < headline->n; i++) {
		free(headline->items[i].text);
		free(headline->items[i].command);
	}
	free(headline->items);
	*headline = (struct headline){ 0 };
}

static const char *meaning(int status)
{
	switch (status) {
	case STATUS_OK:
		return "nothing that could be judged regressed";
	case STATUS_REGRESSION:
		return "a regression";
	case STATUS_MISUSE:
		return "misuse: nothing was measured";
	case STATUS_NOT_MEASURED:
		return "could not measure";
	case STATUS_DOUBTFUL:
		return "--strict, and something is inconclusive, new or not measured";
	default:
		return status >= 128 ? "interrupted by a signal" : "unknown";
	}
}

static bool is_doubtful(const struct result *result)
{
	return standing_gates(result, STANDING_INCONCLUSIVE) || standing_gates(result, STANDING_NOT_MEASURED) ||
	       standing_gates(result, STANDING_NEW) || standing_scenarios(result, STANDING_NO_GATES);
}

void headline_add_status(struct strbuf *out, const struct result *result)
{
	strbuf_addf(out, "%d: %s", result->status, meaning(result->status));
	if (result->status == STATUS_OK && is_doubtful(result))
		strbuf_addf(out, "; %d with --strict", STATUS_DOUBTFUL);
}
