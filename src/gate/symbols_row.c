#include "gate/symbols_row.h"

#include <math.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "gate/judge_missing.h"
#include "gate/judge_symbols.h"
#include "gate/symbol_rule.h"

/* Symbols that are named in a reason. */
enum { NAMED = 3 };

static double upper(const struct symbol_result *symbol)
{
	return symbol->change_pp + SYMBOL_CLEARING * symbol->error_pp;
}

/* Symbols whose code moved together share a reason. */
static bool is_told(const struct scenario_result *s, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (s->symbols[k].reason && s->symbols[k].verdict == s->symbols[i].verdict &&
		    !strcmp(s->symbols[k].reason, s->symbols[i].reason))
			return true;
	return false;
}

static void add_reasons(struct judgement *row, const struct scenario_result *s, enum verdict verdict)
{
	size_t told = 0, all = 0;

	for (size_t i = 0; i < s->n_symbols; i++) {
		const struct symbol_result *symbol = &s->symbols[i];

		if (!symbol->reason || symbol->verdict != verdict || is_told(s, i))
			continue;
		all++;
		if (told < NAMED) {
			judge_reason(row, "%s", symbol->reason);
			told++;
		}
	}
	if (all > told)
		judge_reason(row, "and %zu more", all - told);
}

/* What could not be compared, since its symbols are missing on one side, has a reason; what nobody judged has none. */
static bool is_refused(const struct symbol_result *symbol)
{
	return symbol->verdict == VERDICT_NOT_MEASURED && symbol->reason;
}

static bool any_refused(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_symbols; i++)
		if (is_refused(&s->symbols[i]))
			return true;
	return false;
}

void symbols_row_settle(struct judgement *row, const struct scenario_result *s, double accusing)
{
	const struct symbol_result *worst = scenario_result_worst_symbol(s);
	double below = worst && worst->verdict == VERDICT_REGRESSION ? accusing : SYMBOL_CLEARING;

	free(row->reason);
	row->reason = NULL;
	row->verdict = worst ? worst->verdict : VERDICT_PASS;
	/* A symbol that got slower did so whatever became of others. */
	if (row->verdict != VERDICT_REGRESSION && any_refused(s)) {
		row->verdict = VERDICT_NOT_MEASURED;
	} else if (worst) {
		row->baseline = worst->base_share_pct / 100;
		row->current = worst->share_pct / 100;
		row->change_pct = worst->change_pp;
		row->low_pct = worst->change_pp - below * worst->error_pp;
		row->high_pct = upper(worst);
	}
	add_reasons(row, s, row->verdict);
	if (row->verdict == VERDICT_REGRESSION)
		add_reasons(row, s, VERDICT_NOT_MEASURED);
}

static bool exceeds(const struct scenario_result *s, const struct symbol_result *symbol, double error_pp, double z)
{
	const struct symbol_gate *gate = &s->symbol_gate;

	return symbol_exceeds(symbol->change_pp, error_pp, z, symbol->change == SYMBOL_NEW ? gate->new_pp : gate->rise_pp);
}

/* What neighbours do to shares from one hour to another, on both sides. */
static bool may_be_shift(const struct scenario_result *s, const struct symbol_result *symbol)
{
	double p = (symbol->share_pct + symbol->base_share_pct) / 200;
	double shift_pp = 100 * M_SQRT2 * SYMBOL_BUSY_SHIFT * p * (1 - p);

	return !exceeds(s, symbol, sqrt(pow(symbol->error_pp, 2) + pow(shift_pp, 2)), SYMBOL_ACCUSING);
}

/* What the scheduler and interrupts take of a program's time grows with what else runs. */
static bool may_be_others(const struct symbol_result *symbol)
{
	return !strcmp(symbol->symbol, SYMBOL_SCHEDULER);
}

static void doubt_symbol(struct symbol_result *symbol, const char *why)
{
	struct strbuf reason = STRBUF_INIT;

	strbuf_addf(&reason, "%s; %s", symbol->reason, why);
	free(symbol->reason);
	symbol->reason = strbuf_take(&reason);
	symbol->verdict = VERDICT_INCONCLUSIVE;
}

static void doubt_symbols(struct scenario_result *s, struct judgement *row, bool many, bool busy)
{
	for (size_t i = 0; i < s->n_symbols; i++) {
		struct symbol_result *symbol = &s->symbols[i];

		if (symbol->verdict != VERDICT_REGRESSION)
			continue;
		if (busy && may_be_others(symbol))
			doubt_symbol(symbol, "the machine was busy, which alone makes its scheduler and interrupts take more");
		else if (busy && may_be_shift(s, symbol))
			doubt_symbol(symbol, "the machine was busy, and its other processes may shift shares by as much");
		else if (many && !exceeds(s, symbol, symbol->error_pp, SYMBOL_ACCUSING_SUITE))
			doubt_symbol(symbol, "among so many scenarios one may well do so by chance");
	}
	if (row->verdict == VERDICT_REGRESSION)
		symbols_row_settle(row, s, many ? SYMBOL_ACCUSING_SUITE : SYMBOL_ACCUSING);
}

/* Pawl's own gate, when it has nothing to compare with and others have. */
static const struct gate_result *find_unjudged(const struct scenario_result *s)
{
	const struct gate_result *unjudged = NULL;
	bool judged = false;

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct gate_result *g = &s->gates[i];

		judged |= gate_result_judged(g);
		if (gate_result_quiet(g) && g->stored.verdict != VERDICT_INCONCLUSIVE)
			unjudged = g;
	}
	return judged && profile_exists(&s->profile) ? unjudged : NULL;
}

/* Once, and not as a doubt about each: what was accepted before there were profiles is as good as it was. */
static void note_unjudged(struct result *result)
{
	const struct gate_result *first = NULL;
	size_t n = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct gate_result *unjudged = find_unjudged(&result->scenarios[i]);

		first = first ?: unjudged;
		n += unjudged != NULL;
	}
	if (n)
		strv_pushf(&result->notes, "symbols are not judged in %zu scenario%s: %s", n, n == 1 ? "" : "s", first->stored.reason);
}

void judge_symbols_suite(struct result *result)
{
	bool many = result->n_scenarios >= SYMBOL_SUITE, busy = result->busy.n > 0;

	note_unjudged(result);
	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];

		for (size_t k = 0; k < s->n_gates; k++)
			if (!strcmp(s->gates[k].gate.metric->name, METRIC_SYMBOLS))
				doubt_symbols(s, &s->gates[k].stored, many, busy);
	}
}
