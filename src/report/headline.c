#include "report/report.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* Bytes of a failure that a headline has room for; names in a list before "and N more", and bytes of a symbol's. */
enum { FAILURE_LONGEST = 120, LISTED = 3, CULPRIT_NAME = 60 };

/* -------- all scenarios of a result */

/* How many there are of each severity. */
struct census {
	const struct result *result;
	size_t scenarios[SEVERITY_COUNT];	/* whose own it is */
	size_t holding[SEVERITY_COUNT];		/* scenarios that have a gate of it */
	size_t gates[SEVERITY_COUNT];
	size_t loud;				/* gates, without the quiet ones */
};

static struct census take_census(const struct result *result)
{
	struct census census = { .result = result };

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *scenario = &result->scenarios[i];

		census.scenarios[severity_of(scenario)]++;
		for (int severity = 0; severity < SEVERITY_COUNT; severity++) {
			size_t n = severity_count(scenario, (enum severity)severity);

			census.gates[severity] += n;
			census.holding[severity] += n > 0;
			census.loud += severity >= SEVERITY_QUIET_INCONCLUSIVE && severity <= SEVERITY_QUIET_NEW ? 0 : n;
		}
	}
	return census;
}

/* The next of RESULT's gates of that severity, from *SCENARIO's gate *GATE on, which then is the one behind it; or NULL. */
static const struct gate_result *next_gate(const struct result *result, enum severity severity, size_t *scenario, size_t *gate)
{
	for (; *scenario < result->n_scenarios; ++*scenario, *gate = 0) {
		const struct scenario_result *s = &result->scenarios[*scenario];

		while (*gate < s->n_gates)
			if (severity_of_gate(s, &s->gates[(*gate)++]) == severity)
				return &s->gates[*gate - 1];
	}
	return NULL;
}

static const struct scenario_result *first_scenario(const struct result *result, enum severity severity)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (severity_of(&result->scenarios[i]) == severity)
			return &result->scenarios[i];
	return NULL;
}

/* -------- pieces of sentences */

static struct headline_part *add_part(struct headline *headline, enum tone tone, const char *word, struct strbuf *text)
{
	VEC_GROW(headline->items, headline->n, headline->cap);
	headline->items[headline->n] = (struct headline_part){ .tone = tone, .word = word, .text = strbuf_take(text) };
	return &headline->items[headline->n++];
}

static void add_count(struct strbuf *out, size_t n, const char *one, const char *many)
{
	strbuf_addf(out, "%zu %s", n, n == 1 ? one : many);
}

/* The subject of a sentence: "gzip" when there is no other scenario, else "2 of 6 scenarios". */
static void add_scenarios(struct strbuf *out, const struct census *census, size_t n)
{
	if (census->result->n_scenarios == 1)
		strbuf_adds(out, census->result->scenarios[0].name);
	else
		strbuf_addf(out, "%zu of %zu scenarios", n, census->result->n_scenarios);
}

static void add_gates(struct strbuf *out, const struct census *census, size_t n)
{
	if (n == census->loud)
		add_count(out, n, "gate", "gates");
	else
		strbuf_addf(out, "%zu of %zu gates", n, census->loud);
}

/* Before the next item of a list in parentheses, with its scenario's name where there are others; false when it is full. */
static bool next_item(struct strbuf *out, const struct result *result, const struct scenario_result *scenario, size_t *listed)
{
	if (*listed < LISTED)
		strbuf_addf(out, "%s%s", *listed ? ", " : " (", result->n_scenarios > 1 ? scenario->name : "");
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
static void list_gates(struct strbuf *out, const struct result *result, enum severity severity)
{
	const struct gate_result *gate;
	size_t listed = 0;

	for (size_t i = 0, k = 0; (gate = next_gate(result, severity, &i, &k));) {
		if (!next_item(out, result, &result->scenarios[i], &listed))
			continue;
		strbuf_adds(out, result->n_scenarios > 1 ? " " : "");
		format_finding(out, &result->scenarios[i], gate);
	}
	end_list(out, listed);
}

static void list_scenarios(struct strbuf *out, const struct result *result, enum severity severity)
{
	size_t listed = 0;

	for (size_t i = 0; i < result->n_scenarios && result->n_scenarios > 1; i++)
		if (severity_count(&result->scenarios[i], severity))
			next_item(out, result, &result->scenarios[i], &listed);
	end_list(out, listed);
}

void headline_add_failure(struct strbuf *out, const struct scenario_result *scenario)
{
	const char *failure = scenario->failure ?: "";
	size_t line = strcspn(failure, "\n"), len = utf8_clip(failure, FAILURE_LONGEST);

	strbuf_add(out, failure, line < len ? line : len);
	if (len < line)
		strbuf_adds(out, "...");
}

/*
 * -------- nothing was compared
 *
 * A result in which no gate was judged proves nothing, and says so before all else: why it is so, by the gravest reason,
 * and the command that changes it.
 */

static void add_others(struct strbuf *out, size_t n)
{
	if (n > 1)
		strbuf_addf(out, " and %zu more", n - 1);
}

static void explain_failed(const struct census *census, struct strbuf *why, struct strbuf *command)
{
	const struct scenario_result *scenario = first_scenario(census->result, SEVERITY_FAILED);

	strbuf_addf(why, "could not measure %s", scenario->name);
	add_others(why, census->scenarios[SEVERITY_FAILED]);
	if (scenario->failure) {
		strbuf_adds(why, " (");
		headline_add_failure(why, scenario);
		strbuf_addc(why, ')');
	}
	strbuf_adds(why, "; once it is mended");
	command_again(command, census->result, scenario);
}

static void explain_unfinished(const struct census *census, struct strbuf *why, struct strbuf *command)
{
	const struct result *result = census->result;

	strbuf_adds(why, "PARTIAL, interrupted before a gate could be judged; start again");
	command_again(command, result, result->n_scenarios == 1 ? &result->scenarios[0] : NULL);
}

static void explain_new(const struct census *census, struct strbuf *why, struct strbuf *command)
{
	size_t n = census->holding[SEVERITY_NEW], first = 0;

	next_gate(census->result, SEVERITY_NEW, &first, &(size_t){ 0 });
	strbuf_addf(why, "no baseline for %s", census->result->scenarios[first].name);
	add_others(why, n);
	strbuf_adds(why, "; accept what is measured");
	command_accept(command, census->result, n == 1 ? &census->result->scenarios[first] : NULL);
}

/* What a program prints is no matter of this machine's counters; nor is which program was started. */
static bool is_of_the_program(const struct result *result, const struct gate_result *gate)
{
	if (gate->gate.metric->source == SOURCE_PRINTED || gate->gate.metric->source == SOURCE_LOAD)
		return true;
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct pairing *pairing = result->scenarios[i].pairing;

		if (pairing && pairing->one_program && !strcmp(pairing->one_program, gate_judgement(gate)->reason))
			return true;
	}
	return false;
}

/* The first gate of that severity which says why. */
static const struct gate_result *first_reasoned(const struct result *result, enum severity severity)
{
	const struct gate_result *gate;

	for (size_t i = 0, k = 0; (gate = next_gate(result, severity, &i, &k));)
		if (gate_judgement(gate)->reason)
			break;
	return gate;
}

static void explain_not_measured(const struct census *census, struct strbuf *why, struct strbuf *command)
{
	const struct result *result = census->result;
	const struct scenario_result *only = result->n_scenarios == 1 ? &result->scenarios[0] : NULL;
	const char *foreign = scenario_foreign_class(result, &result->scenarios[0]);
	const struct gate_result *gate =
		first_reasoned(result, SEVERITY_MISSING) ?: first_reasoned(result, SEVERITY_NOT_MEASURED);

	if (foreign) {
		strbuf_addf(why, "the baseline is of another machine class (%s); accept one of this class", foreign);
		command_accept(command, result, only);
		return;
	}
	strbuf_adds(why, gate ? gate_judgement(gate)->reason : "no gated metric was measured");
	if (gate && !isnan(gate_judgement(gate)->current)) {
		strbuf_adds(why, "; accept what is measured");
		command_accept(command, result, only);
	} else if (gate && is_of_the_program(result, gate)) {
		strbuf_adds(why, "; once it is mended");
		command_again(command, result, only);
	} else {
		strbuf_adds(why, "; see what this machine can count");
		strbuf_adds(command, "pawl doctor");
	}
}

static void explain_no_gates(const struct census *census, struct strbuf *why, struct strbuf *command)
{
	const struct scenario_result *scenario = first_scenario(census->result, SEVERITY_NO_GATES);

	if (!scenario) {
		strbuf_adds(why, "no scenario was run; see which there are");
		strbuf_adds(command, "pawl list");
		return;
	}
	strbuf_addf(why, "no scenario has a gate; write gates: in %s, then", scenario->path ?: scenario->name);
	command_again(command, census->result, scenario);
}

/* The severity that is the reason; SEVERITY_COUNT: something was judged. */
static enum severity reason_of(const struct census *census)
{
	if (result_judged_anything(census->result))
		return SEVERITY_COUNT;
	if (census->scenarios[SEVERITY_FAILED])
		return SEVERITY_FAILED;
	if (census->result->partial || census->scenarios[SEVERITY_PARTIAL] || census->scenarios[SEVERITY_SKIPPED])
		return SEVERITY_PARTIAL;
	if (census->gates[SEVERITY_MISSING])
		return SEVERITY_NOT_MEASURED;
	if (census->gates[SEVERITY_NEW])
		return SEVERITY_NEW;
	return census->gates[SEVERITY_NOT_MEASURED] ? SEVERITY_NOT_MEASURED : SEVERITY_NO_GATES;
}

static void say_nothing_compared(const struct census *census, enum severity reason, struct headline *headline)
{
	static void (*const explain[])(const struct census *, struct strbuf *why, struct strbuf *command) = {
		[SEVERITY_FAILED] = explain_failed, [SEVERITY_PARTIAL] = explain_unfinished, [SEVERITY_NEW] = explain_new,
		[SEVERITY_NOT_MEASURED] = explain_not_measured, [SEVERITY_NO_GATES] = explain_no_gates,
	};
	bool bad = reason == SEVERITY_FAILED || census->gates[SEVERITY_MISSING];
	struct strbuf why = STRBUF_INIT, command = STRBUF_INIT;
	struct headline_part *part;

	explain[reason](census, &why, &command);
	part = add_part(headline, bad ? TONE_BAD : TONE_WARNING, "NOTHING WAS COMPARED", &why);
	part->command = strbuf_take(&command);
	part->whole = true;
}

/* -------- parts */

/* " (gzip task-clock +5.2 %, hash +6.1 ms, xz ipc -12.0 % and 3 more)": a gate of each scenario, and the symbol that did it. */
static void list_regressed(struct strbuf *out, const struct result *result)
{
	size_t listed = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *scenario = &result->scenarios[i];
		const struct gate_result *gate = severity_gate(scenario, SEVERITY_REGRESSION);
		const struct symbol_result *worst = scenario_result_worst_symbol(scenario);
		double more = worst ? worst->cost_ms - worst->base_cost_ms : NAN;

		if (!gate || !next_item(out, result, scenario, &listed))
			continue;
		strbuf_adds(out, result->n_scenarios > 1 ? " " : "");
		format_finding(out, scenario, gate);
		if (!worst || worst->verdict != VERDICT_REGRESSION || gate->gate.kind != GATE_METRIC)
			continue;
		strbuf_adds(out, ", ");
		strbuf_adds(out, format_symbol(worst->symbol, CULPRIT_NAME).s);
		strbuf_adds(out, isnan(more) ? " " : " +");
		if (isnan(more))
			strbuf_adds(out, format_points(worst->change_pp).s);
		else
			strbuf_adds(out, format_value(more, UNIT_MS).s);
	}
	end_list(out, listed);
}

/* "slower", when that is all there is to say of them. */
static const char *worse_word(const struct result *result)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct gate_result *gate = severity_gate(&result->scenarios[i], SEVERITY_REGRESSION);

		if (gate && strcmp(format_worse(gate->gate.metric), "slower"))
			return "worse";
	}
	return "slower";
}

static void say_regression(const struct census *census, struct headline *headline)
{
	size_t n = census->holding[SEVERITY_REGRESSION];
	struct strbuf text = STRBUF_INIT;

	if (!n)
		return;
	add_scenarios(&text, census, n);
	strbuf_addf(&text, " %s %s", n == 1 ? "is" : "are", worse_word(census->result));
	list_regressed(&text, census->result);
	add_part(headline, TONE_BAD, "REGRESSION", &text);
}

static void list_failures(struct strbuf *out, const struct result *result)
{
	size_t listed = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *scenario = &result->scenarios[i];

		if (severity_of(scenario) != SEVERITY_FAILED || !next_item(out, result, scenario, &listed))
			continue;
		strbuf_adds(out, result->n_scenarios > 1 && scenario->failure ? ": " : "");
		headline_add_failure(out, scenario);
	}
	end_list(out, listed);
}

static void say_failed(const struct census *census, struct headline *headline)
{
	size_t failed = census->scenarios[SEVERITY_FAILED], missing = census->gates[SEVERITY_MISSING];
	struct strbuf text = STRBUF_INIT;

	if (failed) {
		add_scenarios(&text, census, failed);
		strbuf_adds(&text, " failed");
		list_failures(&text, census->result);
	}
	if (missing) {
		strbuf_adds(&text, failed ? ", and " : "");
		add_count(&text, missing, "required gate", "required gates");
		list_gates(&text, census->result, SEVERITY_MISSING);
	}
	if (failed || missing)
		add_part(headline, TONE_BAD, "COULD NOT MEASURE", &text);
}

static void say_partial(const struct result *result, struct headline *headline)
{
	size_t unfinished = 0;
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < result->n_scenarios; i++)
		unfinished += result->scenarios[i].state == SCENARIO_PARTIAL || result->scenarios[i].state == SCENARIO_SKIPPED;
	if (!result->partial && !unfinished)
		return;
	strbuf_adds(&text, "interrupted, ");
	if (result->n_scenarios == 1)
		strbuf_addf(&text, "%s is incomplete", result->scenarios[0].name);
	else
		strbuf_addf(&text, "%zu of %zu scenarios measured in full", result->n_scenarios - unfinished,
			    result->n_scenarios);
	add_part(headline, TONE_WARNING, "PARTIAL", &text)->whole = true;
}

static void say_gates(const struct census *census, enum severity severity, struct headline *headline)
{
	struct strbuf text = STRBUF_INIT;

	if (!census->gates[severity])
		return;
	add_gates(&text, census, census->gates[severity]);
	list_gates(&text, census->result, severity);
	add_part(headline, severity_tone(severity), severity_word(severity), &text);
}

/*
 * "2 of 3 scenarios have no baseline (a, b), so 4 of 7 gates were not compared". A scenario with a baseline may lack a part of
 * it: then only its gates are counted.
 */
static void say_new(const struct census *census, struct headline *headline)
{
	const struct result *result = census->result;
	size_t gates = census->gates[SEVERITY_NEW], scenarios = census->holding[SEVERITY_NEW];
	bool known = false, paired = false;
	struct strbuf text = STRBUF_INIT;

	if (!gates)
		return;
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];
		bool is_new = severity_count(s, SEVERITY_NEW) > 0;

		known |= is_new && s->baseline_label;
		paired |= is_new && pairs_only(s);
	}
	if (known) {
		add_gates(&text, census, gates);
		strbuf_addf(&text, " %s nothing to compare with", gates == 1 ? "has" : "have");
		list_scenarios(&text, result, SEVERITY_NEW);
	} else {
		add_scenarios(&text, census, scenarios);
		strbuf_addf(&text, " %s %s", scenarios == 1 ? paired ? "is" : "has" : paired ? "are" : "have",
			    paired ? "not in the base" : "no baseline");
		list_scenarios(&text, result, SEVERITY_NEW);
		strbuf_adds(&text, ", so ");
		add_gates(&text, census, gates);
		strbuf_adds(&text, gates == 1 ? " was not compared" : " were not compared");
	}
	add_part(headline, TONE_WARNING, "NEW", &text);
}

static void say_no_gates(const struct census *census, struct headline *headline)
{
	size_t n = census->scenarios[SEVERITY_NO_GATES];
	struct strbuf text = STRBUF_INIT;

	if (!n)
		return;
	add_scenarios(&text, census, n);
	strbuf_addf(&text, " %s no gate", n == 1 ? "has" : "have");
	add_part(headline, TONE_WARNING, "NO GATES", &text);
}

/* "2 scenarios, 5 gates compared"; "1 of 2 scenarios, 3 of 5 gates compared, 1 within its limit". */
static void say_pass(const struct census *census, struct headline *headline)
{
	const struct result *result = census->result;
	/* Limited are those that have nothing but a limit, or no baseline beside it. */
	size_t scenarios = 0, compared = 0, limited = 0;
	struct strbuf text = STRBUF_INIT;

	if (result->status != STATUS_OK || result->partial || census->gates[SEVERITY_INCONCLUSIVE])
		return;
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];
		size_t before = compared + limited;

		for (size_t k = 0; k < s->n_gates; k++) {
			enum verdict verdict = gate_judgement(&s->gates[k])->verdict;
			bool lacks = verdict == VERDICT_NEW || verdict == VERDICT_NOT_MEASURED;

			if (gate_result_judged(&s->gates[k]))
				++*(s->gates[k].gate.relative && !lacks ? &compared : &limited);
		}
		scenarios += compared + limited > before;
	}
	if (scenarios == result->n_scenarios)
		add_count(&text, scenarios, "scenario", "scenarios");
	else
		strbuf_addf(&text, "%zu of %zu scenarios", scenarios, result->n_scenarios);
	strbuf_adds(&text, ", ");
	if (compared) {
		add_gates(&text, census, compared);
		strbuf_adds(&text, limited ? " compared, " : " compared");
	}
	if (compared && limited)
		strbuf_addf(&text, "%zu", limited);
	else if (limited)
		add_gates(&text, census, limited);
	if (limited)
		strbuf_adds(&text, limited == 1 ? " within its limit" : " within their limits");
	add_part(headline, TONE_GOOD, "pass", &text);
}

/* Which files these are stands below. */
static void say_judge(const struct result *result, struct headline *headline)
{
	size_t edits = result->judged_by.n_edits;
	struct strbuf text = STRBUF_INIT;

	if (edits) {
		add_count(&text, edits, "file", "files");
		strbuf_addf(&text, " that judge%s changed; %s used", edits == 1 ? "s is" : " are",
			    result->judged_by.own ? "the change's own were" : "those of the base were");
		add_part(headline, TONE_WARNING, "JUDGE EDITED", &text);
	} else if (result->judged_by.open.n) {
		strbuf_adds(&text, "see below");
		add_part(headline, TONE_WARNING, "JUDGE NOT PROTECTED", &text);
	}
}

/* "1: a regression" */
static void add_status(struct strbuf *out, const struct census *census)
{
	static const char *const meanings[] = {
		[STATUS_OK] = "nothing that could be judged regressed",
		[STATUS_REGRESSION] = "a regression",
		[STATUS_MISUSE] = "misuse: nothing was measured",
		[STATUS_NOT_MEASURED] = "could not measure",
		[STATUS_UNDECIDED] = "--strict, and something is inconclusive, new or not measured",
	};
	int status = census->result->status;

	strbuf_addf(out, "%d: %s", status, status >= 128 ? "interrupted by a signal" :
		    status >= 0 && status <= STATUS_UNDECIDED ? meanings[status] : "unknown");
	if (status == STATUS_OK && (census->gates[SEVERITY_INCONCLUSIVE] || census->gates[SEVERITY_NOT_MEASURED] ||
				    census->gates[SEVERITY_NEW] || census->scenarios[SEVERITY_NO_GATES]))
		strbuf_addf(out, "; %d with --strict", STATUS_UNDECIDED);
}

void headline_build(const struct result *result, struct headline *out)
{
	const struct census census = take_census(result);
	enum severity reason = reason_of(&census);
	struct headline headline = { 0 };
	struct strbuf status = STRBUF_INIT;

	if (reason != SEVERITY_COUNT)
		say_nothing_compared(&census, reason, &headline);
	if (reason != SEVERITY_FAILED)
		say_failed(&census, &headline);
	say_regression(&census, &headline);
	if (reason != SEVERITY_PARTIAL)
		say_partial(result, &headline);
	say_gates(&census, SEVERITY_INCONCLUSIVE, &headline);
	say_gates(&census, SEVERITY_NOT_MEASURED, &headline);
	if (reason != SEVERITY_NEW)
		say_new(&census, &headline);
	if (reason != SEVERITY_NO_GATES)
		say_no_gates(&census, &headline);
	if (reason == SEVERITY_COUNT)
		say_pass(&census, &headline);
	say_gates(&census, SEVERITY_ACCEPTED, &headline);
	say_gates(&census, SEVERITY_IMPROVEMENT, &headline);
	add_status(&status, &census);
	headline.status = strbuf_take(&status);
	if (!headline.n) {
		strbuf_adds(&status, headline.status);
		add_part(&headline, TONE_WARNING, "status", &status);
	}
	say_judge(result, &headline);
	*out = headline;
}

void headline_lead(struct headline *headline, enum tone tone, const char *word, struct strbuf *text)
{
	struct headline_part lead = *add_part(headline, tone, word, text);

	memmove(headline->items + 1, headline->items, (headline->n - 1) * sizeof *headline->items);
	headline->items[0] = lead;
}

void headline_release(struct headline *headline)
{
	for (size_t i = 0; i < headline->n; i++) {
		free(headline->items[i].text);
		free(headline->items[i].command);
	}
	free(headline->items);
	free(headline->status);
	*headline = (struct headline){ 0 };
}
