#include "report/headline.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "report/commands.h"
#include "report/pairs.h"
#include "report/words.h"

/* -------- standing */

static const struct {
	const char *word;
	enum tone tone;
} standings[] = {
	[STANDING_FAILED] = {"FAILED", TONE_BAD},
	[STANDING_MISSING] = {"NOT MEASURED", TONE_BAD},
	[STANDING_REGRESSION] = {"REGRESSION", TONE_BAD},
	[STANDING_PARTIAL] = {"PARTIAL", TONE_DOUBT},
	[STANDING_SKIPPED] = {"NOT STARTED", TONE_DOUBT},
	[STANDING_INCONCLUSIVE] = {"INCONCLUSIVE", TONE_DOUBT},
	[STANDING_NOT_MEASURED] = {"NOT MEASURED", TONE_DOUBT},
	[STANDING_NEW] = {"NEW", TONE_DOUBT},
	[STANDING_NO_GATES] = {"NO GATES", TONE_DOUBT},
	[STANDING_ACCEPTED] = {"accepted", TONE_GOOD},
	[STANDING_IMPROVEMENT] = {"improvement", TONE_GOOD},
	[STANDING_PASS] = {"pass", TONE_GOOD},
	[STANDING_QUIET_INCONCLUSIVE] = {"inconclusive", TONE_PLAIN},
	[STANDING_QUIET_NOT_MEASURED] = {"not measured", TONE_PLAIN},
	[STANDING_QUIET_NEW] = {"new", TONE_PLAIN},
};

const char *standing_word(enum standing standing)
{
	return standings[standing].word;
}

enum tone standing_tone(enum standing standing)
{
	return standings[standing].tone;
}

enum standing standing_of_gate(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	static const enum standing of_verdict[] = {
		[VERDICT_PASS] = STANDING_PASS,
		[VERDICT_REGRESSION] = STANDING_REGRESSION,
		[VERDICT_IMPROVEMENT] = STANDING_IMPROVEMENT,
		[VERDICT_INCONCLUSIVE] = STANDING_INCONCLUSIVE,
		[VERDICT_NOT_MEASURED] = STANDING_NOT_MEASURED,
		[VERDICT_NEW] = STANDING_NEW,
		[VERDICT_ACCEPTED] = STANDING_ACCEPTED,
	};

	if (gate_result_quiet(gate))
		return j->verdict == VERDICT_NEW ? STANDING_QUIET_NEW :
		       j->verdict == VERDICT_INCONCLUSIVE ? STANDING_QUIET_INCONCLUSIVE : STANDING_QUIET_NOT_MEASURED;
	if (j->verdict == VERDICT_NOT_MEASURED && gate->gate.required)
		return STANDING_MISSING;
	return of_verdict[j->verdict];
}

bool standing_follows(const struct scenario_result *scenario, const struct gate_result *gate)
{
	return scenario->state != SCENARIO_MEASURED && gate_judgement(gate)->verdict == VERDICT_NOT_MEASURED;
}

static enum standing of_state(const struct scenario_result *scenario)
{
	switch (scenario->state) {
	case SCENARIO_FAILED:
		return scenario_result_overran(scenario) ? STANDING_PASS : STANDING_FAILED;
	case SCENARIO_PARTIAL:
		return STANDING_PARTIAL;
	case SCENARIO_SKIPPED:
		return STANDING_SKIPPED;
	default:
		return scenario->n_gates ? STANDING_PASS : STANDING_NO_GATES;
	}
}

enum standing standing_of(const struct scenario_result *scenario)
{
	enum standing worst = of_state(scenario);

	for (size_t i = 0; i < scenario->n_gates; i++) {
		enum standing standing = standing_of_gate(&scenario->gates[i]);

		if (standing < worst && !standing_follows(scenario, &scenario->gates[i]))
			worst = standing;
	}
	return worst;
}

const struct gate_result *standing_gate(const struct scenario_result *scenario, enum standing standing)
{
	const struct gate_result *first = NULL;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		if (standing_of_gate(gate) != standing || standing_follows(scenario, gate))
			continue;
		if (gate->gate.metric->kind == KIND_TIME)
			return gate;
		first = first ? first : gate;
	}
	return first;
}

size_t standing_count(const struct scenario_result *scenario, enum standing standing)
{
	size_t n = 0;

	for (size_t i = 0; i < scenario->n_gates; i++)
		n += standing_of_gate(&scenario->gates[i]) == standing &&
		     !standing_follows(scenario, &scenario->gates[i]);
	return n;
}

/* Gates of SCENARIO that compared something or checked a budget. */
static size_t standing_compared(const struct scenario_result *scenario)
{
	size_t n = 0;

	for (size_t i = 0; i < scenario->n_gates; i++)
		n += gate_result_judged(&scenario->gates[i]);
	return n;
}

static const struct scenario_result *standing_first(const struct result *result, enum standing standing)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (standing_of(&result->scenarios[i]) == standing)
			return &result->scenarios[i];
	return NULL;
}

static size_t standing_scenarios(const struct result *result, enum standing standing)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++)
		n += standing_of(&result->scenarios[i]) == standing;
	return n;
}

/* a gate of it */
static size_t standing_scenarios_with(const struct result *result, enum standing standing)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++)
		n += standing_count(&result->scenarios[i], standing) > 0;
	return n;
}

static size_t standing_gates(const struct result *result, enum standing standing)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++)
		n += standing_count(&result->scenarios[i], standing);
	return n;
}

static size_t standing_gates_all(const struct result *result)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++)
		n += result->scenarios[i].n_gates;
	return n;
}

/* without the quiet ones */
static size_t standing_gates_loud(const struct result *result)
{
	return standing_gates_all(result) - standing_gates(result, STANDING_QUIET_NEW) -
	       standing_gates(result, STANDING_QUIET_NOT_MEASURED) - standing_gates(result, STANDING_QUIET_INCONCLUSIVE);
}

/* A gate whose value the baseline has nothing to compare with. */
static bool lacks_baseline(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);

	return j->verdict == VERDICT_NOT_MEASURED && gate->gate.relative && !isnan(j->current);
}

bool standing_can_accept(const struct scenario_result *scenario)
{
	if (scenario->state == SCENARIO_FAILED || (scenario->pairing && !scenario->pairing->confirming))
		return false;
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (lacks_baseline(&scenario->gates[i]))
			return true;
	return standing_count(scenario, STANDING_REGRESSION) || standing_count(scenario, STANDING_IMPROVEMENT) ||
	       standing_count(scenario, STANDING_NEW);
}

size_t *standing_order(const struct result *result)
{
	size_t *order = xcalloc(result->n_scenarios + 1, sizeof *order);
	size_t n = 0;

	for (int standing = 0; standing < STANDING_COUNT; standing++)
		for (size_t i = 0; i < result->n_scenarios; i++)
			if ((int)standing_of(&result->scenarios[i]) == standing)
				order[n++] = i;
	return order;
}

const char *standing_foreign_class(const struct result *result, const struct scenario_result *scenario)
{
	char *class = machine_class(&result->machine);
	bool foreign = scenario->baseline_class && strcmp(scenario->baseline_class, class);

	free(class);
	return foreign ? scenario->baseline_class : NULL;
}

/* -------- nothing */

/* Bytes of a failure that a headline has room for. */
enum { FAILURE_LONGEST = 120 };

void nothing_add_failure(struct strbuf *out, const struct scenario_result *scenario)
{
	size_t line = scenario->failure ? strcspn(scenario->failure, "\n") : 0;
	size_t len = scenario->failure ? utf8_clip(scenario->failure, FAILURE_LONGEST) : 0;

	strbuf_add(out, scenario->failure, line < len ? line : len);
	if (len < line)
		strbuf_adds(out, "...");
}

/* The first gate of that standing which says why. */
static const struct gate_result *first_reasoned(const struct result *result, enum standing standing)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		for (size_t k = 0; k < result->scenarios[i].n_gates; k++) {
			const struct gate_result *gate = &result->scenarios[i].gates[k];

			if (standing_of_gate(gate) == standing && gate_judgement(gate)->reason)
				return gate;
		}
	return NULL;
}

static void add_others(struct strbuf *out, size_t n)
{
	if (n > 1)
		strbuf_addf(out, " and %zu more", n - 1);
}

static void blame_failed(const struct result *result, struct strbuf *why, struct strbuf *command)
{
	const struct scenario_result *scenario = standing_first(result, STANDING_FAILED);

	strbuf_adds(why, "could not measure ");
	strbuf_adds(why, scenario->name);
	add_others(why, standing_scenarios(result, STANDING_FAILED));
	if (scenario->failure) {
		strbuf_adds(why, " (");
		nothing_add_failure(why, scenario);
		strbuf_addc(why, ')');
	}
	strbuf_adds(why, "; once it is mended");
	command_again(command, result, scenario);
}

static void blame_unfinished(const struct result *result, struct strbuf *why, struct strbuf *command)
{
	strbuf_adds(why, "PARTIAL, interrupted before a gate could be judged; start again");
	command_again(command, result, result->n_scenarios == 1 ? &result->scenarios[0] : NULL);
}

static void blame_new(const struct result *result, struct strbuf *why, struct strbuf *command)
{
	size_t n = standing_scenarios_with(result, STANDING_NEW);
	const struct scenario_result *scenario = NULL;

	for (size_t i = 0; i < result->n_scenarios && !scenario; i++)
		if (standing_count(&result->scenarios[i], STANDING_NEW))
			scenario = &result->scenarios[i];
	strbuf_addf(why, "no baseline for %s", scenario->name);
	add_others(why, n);
	strbuf_adds(why, "; accept what is measured");
	command_accept(command, result, n == 1 ? scenario : NULL);
}

/* What a program prints is no matter of this machine's counters. */
static bool says_itself(const struct metric *metric)
{
	return metric->source == SOURCE_PRINTED || metric->source == SOURCE_LOAD;
}

/* Nor is which program was started. */
static bool says_one_program(const struct result *result, const struct gate_result *gate)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct pairing *pairing = result->scenarios[i].pairing;

		if (pairing && pairing->one_program && !strcmp(pairing->one_program, gate_judgement(gate)->reason))
			return true;
	}
	return false;
}

static void blame_not_measured(const struct result *result, struct strbuf *why, struct strbuf *command)
{
	const struct scenario_result *only = result->n_scenarios == 1 ? &result->scenarios[0] : NULL;
	const char *foreign = standing_foreign_class(result, &result->scenarios[0]);
	const struct gate_result *gate = first_reasoned(result, STANDING_MISSING);

	if (!gate)
		gate = first_reasoned(result, STANDING_NOT_MEASURED);
	if (foreign) {
		strbuf_addf(why, "the baseline is of another machine class (%s); accept one of this class", foreign);
		command_accept(command, result, only);
		return;
	}
	strbuf_adds(why, gate ? gate_judgement(gate)->reason : "no gated metric was measured");
	if (gate && !isnan(gate_judgement(gate)->current)) {
		strbuf_adds(why, "; accept what is measured");
		command_accept(command, result, only);
	} else if (gate && (says_itself(gate->gate.metric) || says_one_program(result, gate))) {
		strbuf_adds(why, "; once it is mended");
		command_again(command, result, only);
	} else {
		strbuf_adds(why, "; see what this machine can count");
		strbuf_adds(command, "pawl doctor");
	}
}

static void blame_no_gates(const struct result *result, struct strbuf *why, struct strbuf *command)
{
	const struct scenario_result *scenario = standing_first(result, STANDING_NO_GATES);

	if (!scenario) {
		strbuf_adds(why, "no scenario was run; see which there are");
		strbuf_adds(command, "pawl list");
		return;
	}
	strbuf_addf(why, "no scenario has a gate; write gates: in %s, then",
		    scenario->path ? scenario->path : scenario->name);
	command_again(command, result, scenario);
}

enum blame nothing_blame(const struct result *result)
{
	if (result_judged_anything(result))
		return BLAME_NOBODY;
	if (standing_scenarios(result, STANDING_FAILED))
		return BLAME_FAILED;
	if (result->partial || standing_scenarios(result, STANDING_PARTIAL) ||
	    standing_scenarios(result, STANDING_SKIPPED))
		return BLAME_UNFINISHED;
	if (standing_gates(result, STANDING_MISSING))
		return BLAME_NOT_MEASURED;
	if (standing_gates(result, STANDING_NEW))
		return BLAME_NEW;
	return standing_gates(result, STANDING_NOT_MEASURED) ? BLAME_NOT_MEASURED : BLAME_NO_GATES;
}

/* BLAME, which is somebody, in words that end where the command begins; both are raw text. */
static void nothing_explain(const struct result *result, enum blame blame, struct strbuf *why, struct strbuf *command)
{
	static void (*const explain[])(const struct result *, struct strbuf *, struct strbuf *) = {
		[BLAME_FAILED] = blame_failed,     [BLAME_UNFINISHED] = blame_unfinished,
		[BLAME_NEW] = blame_new,	       [BLAME_NOT_MEASURED] = blame_not_measured,
		[BLAME_NO_GATES] = blame_no_gates,
	};

	explain[blame](result, why, command);
}

/* -------- reasons */

/* A change that is so much off that of the medians, in points, and by half or more, is told to be another number. */
#define DISAGREE_PCT 2.0

static bool same_reason(const struct gate_result *a, const struct gate_result *b)
{
	const char *x = gate_judgement(a)->reason, *y = gate_judgement(b)->reason;

	return x && y && !strcmp(x, y);
}

static bool said_before(const struct scenario_result *scenario, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (same_reason(&scenario->gates[i], &scenario->gates[at]))
			return true;
	return false;
}

static void add_reason(const struct scenario_result *scenario, size_t first, struct strv *out)
{
	struct strbuf text = STRBUF_INIT;

	for (size_t i = first; i < scenario->n_gates; i++) {
		const struct gate_result *gate = &scenario->gates[i];

		if (!same_reason(&scenario->gates[first], gate))
			continue;
		strbuf_adds(&text, text.len ? ", " : "");
		format_gate(&text, scenario, gate);
	}
	strbuf_addf(&text, ": %s", gate_judgement(&scenario->gates[first])->reason);
	strv_take(out, strbuf_take(&text));
}

/*
 * Whether a reader must wonder: the change is the middle of the differences between runs, which may go another way than the two
 * medians that stand beside it.
 */
static bool medians_disagree(const struct gate_result *gate)
{
	const struct judgement *j = gate_judgement(gate);
	double pct = 100 * (j->current / j->baseline - 1);

	if (gate->gate.metric->source == SOURCE_PROFILE || !(j->baseline > 0) || !isfinite(pct) || !isfinite(j->change_pct))
		return false;
	return fabs(pct - j->change_pct) >= DISAGREE_PCT &&
	       (pct * j->change_pct <= 0 || fabs(pct) > 2 * fabs(j->change_pct) || 2 * fabs(pct) < fabs(j->change_pct));
}

static void add_disagreements(const struct scenario_result *scenario, struct strv *out)
{
	struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < scenario->n_gates; i++) {
		if (!medians_disagree(&scenario->gates[i]))
			continue;
		strbuf_adds(&names, names.len ? ", " : "");
		format_gate(&names, scenario, &scenario->gates[i]);
	}
	if (names.len)
		strv_pushf(out, "%s: the change is the middle of all differences between %s, not that of the two medians beside it",
			   names.buf, scenario->pairing ? "runs of a pair" : "runs");
	strbuf_release(&names);
}

void reasons_list(const struct scenario_result *scenario, struct strv *out)
{
	for (size_t i = 0; i < scenario->n_gates; i++)
		if (gate_judgement(&scenario->gates[i])->reason && !standing_follows(scenario, &scenario->gates[i]) &&
		    !said_before(scenario, i))
			add_reason(scenario, i, out);
	add_disagreements(scenario, out);
	if (standing_of(scenario) == STANDING_NO_GATES)
		strv_pushf(out, "no gate judges it: write gates: in %s",
			   scenario->path ? scenario->path : scenario->name);
}

/* -------- headline */

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
