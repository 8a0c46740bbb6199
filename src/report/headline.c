#include "report/headline.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/cause.h"
#include "model/gate.h"
#include "model/result.h"
#include "profile/names.h"
#include "report/commands.h"
#include "report/document.h"
#include "model/metrics/numbers.h"
#include "report/severity.h"
#include "report/words.h"

enum { FAILURE_LONGEST = 120, LISTED = 3, SYMBOL_LONGEST = 60, SENTENCE_LONGEST = 240 };

enum brevity { WHOLE, NO_SENTENCE, NO_PLACE, WORST_NAMES, WORST_ALONE, LAST_NAME, NOTHING_OPEN, NO_CAUSE, NO_NAMES };

struct builder {
	const struct result *result;
	struct headline *headline;
	struct arena *arena;
	enum brevity brevity;
	size_t scenarios[SEVERITY_COUNT];	/* by the scenario's own severity */
	size_t holding[SEVERITY_COUNT];		/* scenarios with a gate of that severity */
	size_t gates[SEVERITY_COUNT];
	size_t loud;				/* gates, without quiet ones */
};

static void count(struct builder *b)
{
	for (size_t i = 0; i < b->result->n_scenarios; i++) {
		const struct scenario_result *scenario = &b->result->scenarios[i];

		b->scenarios[severity_of(scenario)]++;
		for (int severity = 0; severity < SEVERITY_COUNT; severity++) {
			size_t n = severity_count(scenario, (enum severity)severity);

			b->gates[severity] += n;
			b->holding[severity] += n > 0;
			b->loud += severity >= SEVERITY_QUIET_INCONCLUSIVE && severity <= SEVERITY_QUIET_NEW ? 0 : n;
		}
	}
}

const struct headline_meaning headline_words[] = {
	[HEADLINE_NOT_COMPARED] = { "NOTHING WAS COMPARED", "no gate was judged; the line says why, and what to do" },
	[HEADLINE_NOT_MEASURED] = { "COULD NOT MEASURE", "scenarios failed, or `required` gates have no value" },
	[HEADLINE_MERGED] = { "MERGED", "the results merged by `pawl report` do not belong together" },
	[HEADLINE_JUDGE_EDITED] = { "JUDGE EDITED", "the change edits files that judge it; they are listed" },
	[HEADLINE_JUDGE_OPEN] = { "JUDGE NOT PROTECTED", "the change could edit files that judge it; they are listed" },
};

static struct headline_part *add_part(struct builder *b, enum tone tone, const char *word, const char *text)
{
	struct headline *headline = b->headline;

	ARENA_GROW(b->arena, headline->items, headline->n, headline->cap);
	headline->items[headline->n] = (struct headline_part){ .tone = tone, .word = word, .text = text };
	return &headline->items[headline->n++];
}

static void add_count(struct builder *b, enum tone tone, const char *word, const char *text)
{
	add_part(b, tone, word, text)->of_scenarios = true;
}

/* -------- pieces of sentences */

/* The subject of a sentence: "gzip" if it is the only scenario, otherwise "2 of 6 scenarios". */
static const char *scenarios(struct builder *b, size_t n)
{
	if (b->result->n_scenarios == 1)
		return b->result->scenarios[0].name;
	return arena_printf(b->arena, "%zu of %zu scenarios", n, b->result->n_scenarios);
}

static const char *gates(struct builder *b, size_t n)
{
	if (n == b->loud)
		return arena_printf(b->arena, "%zu %s", n, n == 1 ? "gate" : "gates");
	return arena_printf(b->arena, "%zu of %zu gates", n, b->loud);
}

/* " (gzip ipc, xz ipc, zstd ipc and 3 more)"; empty from brevity WITHOUT on. Empties ITEMS. */
static const char *list(struct builder *b, struct strv *items, enum brevity without)
{
	struct strbuf text = STRBUF_INIT;

	if (b->brevity < without && items->n) {
		strbuf_adds(&text, " (");
		strbuf_list(&text, items, LISTED);
		strbuf_addc(&text, ')');
	}
	strv_release(items);
	return arena_take(b->arena, strbuf_take(&text));
}

static void add_item(struct builder *b, struct strv *items, const struct scenario_result *scenario, const char *between,
		     struct strbuf *text)
{
	bool many = b->result->n_scenarios > 1;

	strv_pushf(items, "%s%s%s", many ? scenario_result_label(scenario) : "", many ? between : "", text->buf);
	strbuf_release(text);
}

static const char *list_gates(struct builder *b, enum severity severity)
{
	struct strv items = STRV_INIT;

	for (size_t i = 0; i < b->result->n_scenarios; i++) {
		const struct scenario_result *scenario = &b->result->scenarios[i];

		for (size_t k = 0; k < scenario->n_gates; k++) {
			struct strbuf finding = STRBUF_INIT;

			if (severity_of_gate(scenario, &scenario->gates[k]) != severity)
				continue;
			format_finding(&finding, scenario, &scenario->gates[k]);
			add_item(b, &items, scenario, " ", &finding);
		}
	}
	return list(b, &items, WORST_NAMES);
}

struct short_text headline_failure(const struct scenario_result *scenario)
{
	const char *failure = scenario->head.failure ?: "";
	size_t line, len;

	/* A failure may quote a program's output, which can be empty or begin with an empty line. */
	failure += strspn(failure, " \t\r\n");
	if (!*failure)
		return format_short("reason unknown");
	line = strcspn(failure, "\n");
	len = utf8_clip(failure, FAILURE_LONGEST);
	return format_short("%.*s%s", (int)(line < len ? line : len), failure, len < line ? "..." : "");
}

static const struct scenario_result *first_scenario(const struct result *result, enum severity severity)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (severity_of(&result->scenarios[i]) == severity)
			return &result->scenarios[i];
	return NULL;
}

/* -------- nothing was compared: the headline begins with that, its gravest reason, and the command that fixes it */

/* The program or the load prints its metric, or both sides ran the same program. */
static bool is_of_the_program(const struct result *result, const struct gate_result *gate)
{
	if (gate->gate.metric->source == SOURCE_CUSTOM || gate->gate.metric->source == SOURCE_LOAD)
		return true;
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const char *one_program = result->scenarios[i].pairing.one_program;

		if (one_program && !strcmp(one_program, gate_judgement(gate)->reason))
			return true;
	}
	return false;
}

static const struct gate_result *first_reasoned(const struct result *result, enum severity severity)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *scenario = &result->scenarios[i];

		for (size_t k = 0; k < scenario->n_gates; k++)
			if (severity_of_gate(scenario, &scenario->gates[k]) == severity &&
			    gate_judgement(&scenario->gates[k])->reason)
				return &scenario->gates[k];
	}
	return NULL;
}

static const char *explain_not_measured(struct builder *b, struct strbuf *command)
{
	const struct result *result = b->result;
	const struct scenario_result *only = result->n_scenarios == 1 ? &result->scenarios[0] : NULL;
	const char *foreign = scenario_foreign_class(result, &result->scenarios[0]), *next;
	const struct gate_result *gate =
		first_reasoned(result, SEVERITY_MISSING) ?: first_reasoned(result, SEVERITY_NOT_MEASURED);

	if (foreign && result_compares(result))
		return arena_printf(b->arena, "the base is of another machine class (%s)", foreign);
	if (gate && !isnan(gate_judgement(gate)->current) && (result_compares(result) || result->mode == MODE_PAIRED))
		return gate_judgement(gate)->reason;
	if (foreign) {
		command_accept(command, result, only);
		return arena_printf(b->arena, "the baseline is of another machine class (%s); accept one of this class",
				    foreign);
	}
	if (gate && !isnan(gate_judgement(gate)->current)) {
		next = "accept what is measured";
		command_accept(command, result, only);
	} else if (gate && is_of_the_program(result, gate)) {
		next = "once it is fixed";
		command_again(command, result, only);
	} else {
		next = "see what this machine can count";
		strbuf_adds(command, "pawl doctor");
	}
	return arena_printf(b->arena, "%s; %s", gate ? gate_judgement(gate)->reason : "no gated metric was measured",
			    next);
}

void headline_title(struct strbuf *out, const struct scenario_result *scenario)
{
	static const char *const others[SEVERITY_COUNT] = {
		[SEVERITY_FAILED] = " could not be measured", [SEVERITY_MISSING] = ": a required gate was not measured",
		[SEVERITY_REGRESSION] = " is worse", [SEVERITY_REFUTED] = ": the claim is refuted",
		[SEVERITY_UNPROVEN] = ": the claim is not proven", [SEVERITY_PROVEN] = ": the claim is proven", [SEVERITY_PARTIAL] = " was interrupted", [SEVERITY_SKIPPED] = " was not measured",
		[SEVERITY_INCONCLUSIVE] = ": inconclusive", [SEVERITY_NOT_MEASURED] = ": a gate was not measured",
		[SEVERITY_NO_GATES] = " has no gate", [SEVERITY_PASS] = ": no regression found",
	};
	enum severity severity = severity_of(scenario);
	const struct gate_result *gate = severity_gate(scenario, severity);
	const struct judgement *j = gate ? gate_judgement(gate) : NULL;
	bool changed = severity == SEVERITY_REGRESSION || severity == SEVERITY_ACCEPTED || severity == SEVERITY_IMPROVEMENT;
	bool commands = pairs_only(scenario) && !scenario->path && scenario->base.label && scenario->head.label;

	strbuf_adds(out, commands ? scenario->head.label : scenario_result_label(scenario));
	if (gate && changed && gate->gate.relative && isfinite(j->change_pct) && !gate_in_points(&gate->gate)) {
		format_changed(out, j->metric, j->change_pct);
	} else if (gate && changed) {
		strbuf_adds(out, ": ");
		format_finding(out, scenario, gate);
	} else if (gate && severity == SEVERITY_NEW && isfinite(j->current) && gate->gate.kind == GATE_METRIC) {
		strbuf_addf(out, ": %s %s, measured for the first time", format_measured(j->current, j->metric).s,
			    j->metric->said ?: j->metric->name);
	} else if (gate && severity == SEVERITY_PASS && scenario->pairing.identical.binary) {
		strbuf_adds(out, " is identical to the base");
	} else if (gate && severity == SEVERITY_PASS && gate->gate.metric->kind == KIND_TIME && gate->gate.relative) {
		strbuf_adds(out, " is not slower");
	} else {
		strbuf_adds(out, severity == SEVERITY_NEW ? ": measured for the first time" : others[severity] ?: "");
	}
	if (commands && (changed || severity == SEVERITY_PASS))
		strbuf_addf(out, " than %s", scenario->base.label);
	else if (commands)
		strbuf_addf(out, " against %s", scenario->base.label);
}

/* SEVERITY_COUNT: something was judged. */
static enum severity reason_of(const struct builder *b)
{
	if (result_judged_anything(b->result))
		return SEVERITY_COUNT;
	if (b->scenarios[SEVERITY_FAILED])
		return SEVERITY_FAILED;
	if (b->result->partial || b->scenarios[SEVERITY_PARTIAL] || b->scenarios[SEVERITY_SKIPPED])
		return SEVERITY_PARTIAL;
	if (b->gates[SEVERITY_MISSING])
		return SEVERITY_NOT_MEASURED;
	if (b->gates[SEVERITY_NEW])
		return SEVERITY_NEW;
	return b->gates[SEVERITY_NOT_MEASURED] ? SEVERITY_NOT_MEASURED : SEVERITY_NO_GATES;
}

static bool has_base(const struct result *result, const struct scenario_result *s)
{
	return pairs_only(s) || result->mode == MODE_PAIRED || result_compares(result);
}

static void add_nothing_compared(struct builder *b, enum severity reason)
{
	const struct result *result = b->result;
	const struct scenario_result *scenario = first_scenario(result, reason);
	size_t n = reason == SEVERITY_NEW ? b->holding[reason] : b->scenarios[reason];
	const char *others = n > 1 ? arena_printf(b->arena, " and %zu more", n - 1) : "", *why;
	bool calm = false;
	struct strbuf command = STRBUF_INIT;
	struct headline_part *part;

	if (reason == SEVERITY_FAILED) {
		why = arena_printf(b->arena,
				   "could not measure %s%s (%s); once it is fixed",
				   scenario->name, others, headline_failure(scenario).s);
		command_again(&command, result, scenario);
	} else if (reason == SEVERITY_PARTIAL) {
		why = "PARTIAL, interrupted before a gate could be judged; start again";
		command_again(&command, result, result->n_scenarios == 1 ? &result->scenarios[0] : NULL);
	} else if (reason == SEVERITY_NEW) {
		for (scenario = result->scenarios; !severity_count(scenario, SEVERITY_NEW);)
			scenario++;
		if (has_base(result, scenario)) {
			why = arena_printf(b->arena, "the base has no values of %s%s", scenario->name, others);
		} else {
			why = arena_printf(b->arena, "%s%s measured for the first time; save as the baseline", scenario->name, others);
			calm = true;
			command_accept(&command, result, n == 1 ? scenario : NULL);
		}
	} else if (reason == SEVERITY_NOT_MEASURED) {
		why = explain_not_measured(b, &command);
	} else if (scenario) {
		why = arena_printf(b->arena, "no scenario has a gate; write gates: in %s, then",
				   scenario->path ?: scenario->name);
		command_again(&command, result, scenario);
	} else {
		why = result->shard ? arena_printf(b->arena, "shard %s has no scenario: there are %zu; see which", result->shard,
						   result->suite.n)
				    : "no scenario was run; see which there are";
		strbuf_adds(&command, "pawl check");
	}
	part = calm ? add_part(b, TONE_PLAIN, "new", why) :
	       add_part(b, reason == SEVERITY_FAILED || b->gates[SEVERITY_MISSING] ? TONE_BAD : TONE_WARNING,
			headline_words[HEADLINE_NOT_COMPARED].word, why);
	part->command = command.len ? arena_take(b->arena, strbuf_take(&command)) : NULL;
	part->whole = !calm;
	part->of_scenarios = calm;
}

/* -------- parts */

/* "2 of 3 scenarios failed (a: no such file, b: exit status 1), and 1 required gate (c ipc)" */
static void add_failed(struct builder *b)
{
	size_t n = b->scenarios[SEVERITY_FAILED], missing = b->gates[SEVERITY_MISSING];
	const char *failed = "", *gate = "";
	struct strv items = STRV_INIT;

	for (size_t i = 0; i < b->result->n_scenarios; i++) {
		const struct scenario_result *scenario = &b->result->scenarios[i];
		struct strbuf failure = STRBUF_INIT;

		if (severity_of(scenario) != SEVERITY_FAILED)
			continue;
		strbuf_adds(&failure, headline_failure(scenario).s);
		add_item(b, &items, scenario, ": ", &failure);
	}
	if (n)
		failed = arena_printf(b->arena, "%s failed%s%s", scenarios(b, n), list(b, &items, NO_NAMES),
				      missing ? ", and " : "");
	if (missing)
		gate = arena_printf(b->arena, "%zu required gate%s%s", missing, missing == 1 ? "" : "s",
				    list_gates(b, SEVERITY_MISSING));
	if (n || missing)
		add_count(b, TONE_BAD, headline_words[HEADLINE_NOT_MEASURED].word, arena_printf(b->arena, "%s%s", failed, gate));
}

static void add_worst_symbol(struct strbuf *text, const struct scenario_result *scenario, const struct gate_result *gate)
{
	const struct symbol_result *worst = scenario_result_worst_symbol(scenario);
	double more;

	if (!worst || worst->verdict != VERDICT_REGRESSION || gate->gate.kind != GATE_METRIC)
		return;
	more = worst->cost_ms - worst->base_cost_ms;
	strbuf_addf(text, ", %s %s%s", format_function(worst->symbol, SYMBOL_LONGEST).s, isnan(more) ? "" : "+",
		    isnan(more) ? format_points(worst->change_pp).s : format_value(more, UNIT_MS).s);
}

/* Not if METRIC, named before it, is itself a count such as page-faults. */
static const char *counted_words(const struct cause *cause, const struct metric *metric)
{
	bool said = metric && metric->unit == UNIT_COUNT && metric != METRIC(INSTRUCTIONS) && metric != METRIC(SIM_INSTRUCTIONS);

	return cause->unit == UNIT_COUNT && !said ? " instructions" : "";
}

static void add_cause_briefly(const struct builder *b, struct strbuf *text, const struct gate_result *gate, const struct cause *cause)
{
	char last[SYMBOL_LONGEST];

	if (b->brevity >= NO_CAUSE)
		return;
	symbol_last_name(cause->function ?: "", last, sizeof last);
	strbuf_addf(text, ", %s", !cause->function ? cause_kind_words[cause->kind] :
		    format_function(b->brevity >= LAST_NAME && *last ? last : cause->function, SYMBOL_LONGEST).s);
	if (cause->place && b->brevity < NO_PLACE)
		strbuf_addf(text, " (%s)", format_symbol(cause->place, SYMBOL_LONGEST).s);
	if (isfinite(cause->amount))
		strbuf_addf(text, " %s%s%s", cause->amount < 0 ? "" : "+", format_value(cause->amount, cause->unit).s,
			    counted_words(cause, gate->gate.metric));
}

/*
 * "3 of 9 scenarios are worse (gzip task-clock +5.2 %, find_by_sval (field.c:212) +55 ms)": a gate of each and its
 * cause.
 */
static void add_regression(struct builder *b)
{
	size_t n = b->holding[SEVERITY_REGRESSION];
	bool alone = b->result->n_scenarios == 1;
	const char *worse = "slower", *sentence = NULL;
	struct strv items = STRV_INIT;
	size_t len;

	if (!n)
		return;
	for (size_t i = 0; i < b->result->n_scenarios; i++) {
		const struct scenario_result *scenario = &b->result->scenarios[i];
		const struct gate_result *gate = severity_gate(scenario, SEVERITY_REGRESSION);
		struct strbuf text = STRBUF_INIT;

		if (!gate)
			continue;
		if (strcmp(format_worse(gate->gate.metric), "slower"))
			worse = "worse";
		format_finding(&text, scenario, gate);
		if (!scenario->n_causes)
			add_worst_symbol(&text, scenario, gate);
		else if (alone && b->brevity == WHOLE)
			sentence = scenario->causes[0].sentence;
		else
			add_cause_briefly(b, &text, gate, &scenario->causes[0]);
		add_item(b, &items, scenario, " ", &text);
	}
	len = sentence ? utf8_clip(sentence, SENTENCE_LONGEST) : 0;
	add_count(b, severity_tone(SEVERITY_REGRESSION), severity_word(SEVERITY_REGRESSION),
		 arena_printf(b->arena, "%s %s %s%s%s%.*s%s", scenarios(b, n), n == 1 ? "is" : "are", worse, list(b, &items, NO_NAMES),
			      sentence ? ": " : "", (int)len, sentence ?: "", sentence && sentence[len] ? "..." : ""));
}

static void add_partial(struct builder *b)
{
	const struct result *result = b->result;
	size_t n = result->n_scenarios, unfinished = 0;

	for (size_t i = 0; i < n; i++)
		unfinished += result->scenarios[i].head.state == SCENARIO_PARTIAL ||
			      result->scenarios[i].head.state == SCENARIO_SKIPPED;
	if (!result->partial && !unfinished)
		return;
	add_part(b, severity_tone(SEVERITY_PARTIAL), severity_word(SEVERITY_PARTIAL),
		 n == 1
		     ? arena_printf(b->arena, "interrupted, %s is incomplete", result->scenarios[0].name)
		     : arena_printf(b->arena, "interrupted, %zu of %zu scenarios measured in full", n - unfinished, n))
	    ->whole = true;
}

static void add_gates(struct builder *b, enum severity severity)
{
	if (b->gates[severity])
		add_count(b, severity_tone(severity), severity_word(severity),
			 arena_printf(b->arena, "%s%s", gates(b, b->gates[severity]), list_gates(b, severity)));
}

/* If a scenario's baseline lacks only some metrics, only those gates are counted. */
static void add_new(struct builder *b)
{
	size_t n_gates = b->gates[SEVERITY_NEW], n = b->holding[SEVERITY_NEW];
	bool known = false, paired = false;
	struct strv items = STRV_INIT;
	const char *names, *lacks;

	if (!n_gates)
		return;
	for (size_t i = 0; i < b->result->n_scenarios; i++) {
		const struct scenario_result *s = &b->result->scenarios[i];
		bool is_new = severity_count(s, SEVERITY_NEW) > 0;

		known |= is_new && s->baseline_label;
		paired |= is_new && has_base(b->result, s);
		if (is_new && b->result->n_scenarios > 1)
			strv_push(&items, scenario_result_label(s));
	}
	names = list(b, &items, WORST_NAMES);
	if (paired)
		lacks = n == 1 ? "is not in the base" : "are not in the base";
	else
		lacks = n == 1 ? "has no baseline" : "have no baseline";
	add_count(b, TONE_WARNING, "new",
		 known ? arena_printf(b->arena, "%s %s nothing to compare with%s", gates(b, n_gates),
				      n_gates == 1 ? "has" : "have", names)
		       : arena_printf(b->arena, "%s %s%s, so %s %s not compared", scenarios(b, n), lacks, names,
				      gates(b, n_gates), n_gates == 1 ? "was" : "were"));
}

static void add_pass(struct builder *b)
{
	const struct result *result = b->result;
	/* Limited: gates with only a limit, or with a limit but no baseline. */
	size_t n = 0, compared = 0, limited = 0;
	struct strbuf text = STRBUF_INIT;

	if (result->status != STATUS_OK || result->partial || b->gates[SEVERITY_INCONCLUSIVE])
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
		n += compared + limited > before;
	}
	if (n == result->n_scenarios)
		strbuf_addf(&text, "%zu %s, ", n, n == 1 ? "scenario" : "scenarios");
	else
		strbuf_addf(&text, "%zu of %zu scenarios, ", n, result->n_scenarios);
	if (compared)
		strbuf_addf(&text, "%s compared%s", gates(b, compared), limited ? ", " : "");
	if (limited)
		strbuf_addf(&text, "%s within %s",
			    compared ? arena_printf(b->arena, "%zu", limited) : gates(b, limited),
			    limited == 1 ? "its limit" : "their limits");
	add_count(b, severity_tone(SEVERITY_PASS), severity_word(SEVERITY_PASS), arena_take(b->arena, strbuf_take(&text)));
}

/* "1: a regression" */
static const char *describe_status(const struct builder *b)
{
	static const char *const meanings[] = {
		[STATUS_OK] = "nothing that could be judged regressed",
		[STATUS_REGRESSION] = "a regression",
		[STATUS_MISUSE] = "misuse: nothing was measured",
		[STATUS_NOT_MEASURED] = "could not measure",
		[STATUS_UNDECIDED] = "--strict, and something is inconclusive, new or not measured",
	};
	int status = b->result->status;
	bool undecided = b->gates[SEVERITY_INCONCLUSIVE] || b->gates[SEVERITY_NOT_MEASURED] || b->gates[SEVERITY_NEW] ||
			 b->scenarios[SEVERITY_NO_GATES];

	if (status == STATUS_REGRESSION && !b->gates[SEVERITY_REGRESSION] && (b->gates[SEVERITY_REFUTED] || b->gates[SEVERITY_UNPROVEN]))
		return arena_printf(b->arena, "%d: a claim was not proven", status);
	if (status == STATUS_OK && undecided)
		return arena_printf(b->arena, "%d: %s; %d with --strict", status, meanings[status], STATUS_UNDECIDED);
	return arena_printf(b->arena, "%d: %s", status, status >= 128 ? "interrupted by a signal" :
			    status >= 0 && status <= STATUS_UNDECIDED ? meanings[status] : "unknown");
}

static size_t width_of(const struct headline *headline)
{
	size_t width = 0;

	for (size_t i = 0; i < headline->n; i++) {
		const struct headline_part *part = &headline->items[i];

		width += (i ? 2 : 0) + utf8_width(part->word) + 2 + utf8_width(part->text);
		width += part->command ? 2 + utf8_width(part->command) : 0;
	}
	return width;
}

static void build(const struct result *result, struct arena *arena, enum brevity brevity, struct headline *out)
{
	struct builder b = { .result = result, .headline = out, .arena = arena, .brevity = brevity };
	const struct judged_by *by = &result->judged_by;
	size_t edits = by->n_edits, none;
	enum severity reason;

	*out = (struct headline){ 0 };
	count(&b);
	reason = reason_of(&b);
	none = b.scenarios[SEVERITY_NO_GATES];
	if (reason != SEVERITY_COUNT)
		add_nothing_compared(&b, reason);
	if (reason != SEVERITY_FAILED)
		add_failed(&b);
	add_regression(&b);
	add_gates(&b, SEVERITY_REFUTED);
	add_gates(&b, SEVERITY_UNPROVEN);
	if (reason != SEVERITY_PARTIAL)
		add_partial(&b);
	if (brevity < NOTHING_OPEN || !b.gates[SEVERITY_REGRESSION] || result->n_scenarios > 1)
		add_gates(&b, SEVERITY_INCONCLUSIVE);
	add_gates(&b, SEVERITY_NOT_MEASURED);
	if (reason != SEVERITY_NEW)
		add_new(&b);
	if (reason != SEVERITY_NO_GATES && none)
		add_count(&b, severity_tone(SEVERITY_NO_GATES), severity_word(SEVERITY_NO_GATES),
			 arena_printf(arena, "%s %s no gate", scenarios(&b, none), none == 1 ? "has" : "have"));
	if (reason == SEVERITY_COUNT)
		add_pass(&b);
	add_gates(&b, SEVERITY_PROVEN);
	add_gates(&b, SEVERITY_ACCEPTED);
	if (brevity < WORST_ALONE || !b.gates[SEVERITY_REGRESSION])
		add_gates(&b, SEVERITY_IMPROVEMENT);
	out->status = describe_status(&b);
	if (!out->n)
		add_part(&b, TONE_WARNING, "status", out->status);
	for (size_t i = 0; i < result->mixed.n; i++)
		add_part(&b, result->status == STATUS_NOT_MEASURED ? TONE_BAD : TONE_WARNING, headline_words[HEADLINE_MERGED].word,
			 result->mixed.items[i]);
	/* The files are listed below. */
	if (edits)
		add_part(&b, TONE_WARNING, headline_words[HEADLINE_JUDGE_EDITED].word,
			 arena_printf(arena, "%zu %s changed; %s used", edits,
				      edits == 1 ? "file that judges is" : "files that judge are",
				      by->own ? "the change's own were" : "those of the base were"));
	else if (by->open.n)
		add_part(&b, TONE_WARNING, headline_words[HEADLINE_JUDGE_OPEN].word, "see below");
}

void headline_build(const struct result *result, struct arena *arena, size_t width, struct headline *out)
{
	build(result, arena, WHOLE, out);
	for (enum brevity brevity = WHOLE + 1; width && width_of(out) > width && brevity <= NO_NAMES; brevity++)
		build(result, arena, brevity, out);
}
