#include "gate/judge_budgets.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/glob.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "gate/judge_missing.h"
#include "gate/profiles.h"
#include "gate/symbol_rule.h"
#include "profile/names.h"

/* Symbols that are named in a reason. */
enum { NAMED = 3 };

/* "symbol sqlx::*", "dso libc.so*", "symbol hash* in prog" */
static char *name_of(const struct share_budget *budget)
{
	struct strbuf name = STRBUF_INIT;

	if (budget->symbol)
		strbuf_addf(&name, METRIC_OF_SYMBOL "%s", budget->symbol);
	else
		strbuf_addf(&name, METRIC_OF_DSO "%s", budget->dso);
	if (budget->symbol && budget->dso)
		strbuf_addf(&name, " in %s", budget->dso);
	return strbuf_take(&name);
}

static struct gate_result *add_row(struct scenario_result *s, const struct share_budget *budget)
{
	CLEANUP(free_ptr) char *name = name_of(budget);
	struct gate gate = {
		.metric = scenario_result_metric(s, name), .tolerance_pct = NAN, .max = budget->max_pct / 100, .min = NAN,
		.required = budget->required, .line = budget->line, .column = budget->column,
	};

	return scenario_result_add_gate(s, &gate);
}

/* Nobody writes a function's parameters in a budget, and its comparable name has them. */
static bool matches(const struct share_budget *budget, const struct profile_symbol *symbol)
{
	CLEANUP(strbuf_release) struct strbuf plain = STRBUF_INIT;

	if (budget->dso && !glob_match(budget->dso, symbol->dso))
		return false;
	if (!budget->symbol || glob_match(budget->symbol, symbol->symbol) || glob_match(budget->symbol, symbol->key))
		return true;
	name_without_parameters(symbol->key, &plain);
	return glob_match(budget->symbol, plain.buf);
}

/* What the symbols that match have together. Adds their names to NAMES. */
static double take_symbols(const struct share_budget *budget, const struct profile *profile, uint64_t *run_hits,
			   struct strbuf *names)
{
	double weight = 0;
	size_t n = 0;

	for (size_t i = 0; i < profile->n_symbols; i++) {
		const struct profile_symbol *symbol = &profile->symbols[i];
		struct symbol_pair pair = { .now = symbol };

		if (!matches(budget, symbol))
			continue;
		weight += symbol->weight;
		for (size_t r = 0; r < profile->n_runs; r++)
			run_hits[r] += symbol->run_samples[r];
		if (n++ < NAMED) {
			strbuf_adds(names, names->len ? ", " : "");
			symbol_pair_name(&pair, names);
			strbuf_addf(names, " %.1f %%", profile_share_pct(profile, symbol));
		}
	}
	if (n > NAMED)
		strbuf_addf(names, " and %zu more", n - NAMED);
	return weight;
}

/* Files are summed in full, symbols only as far as they are listed: what is not may belong to them too. */
static double take_files(const struct share_budget *budget, const struct profile *profile)
{
	double weight = 0;

	for (size_t i = 0; i < profile->dsos.n; i++)
		if (glob_match(budget->dso, profile->dsos.items[i].name))
			weight += profile->dsos.items[i].weight;
	return weight;
}

static void decide(struct judgement *row, double limit, const struct share_count *count, double unlisted, const char *names)
{
	double share = count->share;
	/* At the limit itself the error is known even where nothing was sampled. */
	double error = fmax(share_error(share, count->samples, share_dispersion(count, NULL)),
			    share_error(limit, count->samples, share_dispersion(count, NULL)));

	row->current = share;
	if (share > limit && share - SYMBOL_ACCUSING * error > limit) {
		row->verdict = VERDICT_REGRESSION;
		judge_reason(row, "over its budget: %s", names);
	} else if (fmin(share + unlisted + SYMBOL_CLEARING * error, 1) <= limit) {
		row->verdict = VERDICT_PASS;
		if (!(share > 0))
			judge_reason(row, "nothing that was sampled matches it");
	} else {
		row->verdict = VERDICT_INCONCLUSIVE;
		judge_reason(row, "too near to the budget for %llu samples, which leave +-%.1f pp open: raise profile.samples "
			     "and profile.duration", (unsigned long long)count->samples, SYMBOL_CLEARING * error * 100);
	}
}

static void judge(struct judgement *row, const struct scenario_result *s, const struct share_budget *budget)
{
	const struct profile *profile = &s->profile;
	CLEANUP(free_ptr) uint64_t *run_hits = xcalloc(profile->n_runs + 1, sizeof *run_hits);
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;
	double weight = take_symbols(budget, profile, run_hits, &names), unlisted = 0;
	struct share_count count = {
		.samples = profile->samples, .run_hits = run_hits, .run_samples = profile->run_samples,
		.n_runs = profile->n_runs,
	};

	if (!budget->symbol && profile->dsos.n)
		weight = take_files(budget, profile);
	else if (profile->samples)
		unlisted = (double)profile->rest_samples / (double)profile->samples;
	count.share = profile->weight > 0 ? fmin(weight / profile->weight, 1) : 0;
	row->n_current = profile->n_runs;
	if (profiles_sufficient(row, s, NULL))
		decide(row, budget->max_pct / 100, &count, unlisted, names.buf);
	else
		row->current = count.share;
}

void judge_budgets(struct scenario_result *scenario, const struct machine *machine)
{
	for (size_t i = 0; i < scenario->n_budgets; i++) {
		struct judgement *row = &add_row(scenario, &scenario->budgets[i])->stored;

		if (scenario->state == SCENARIO_MEASURED && profile_exists(&scenario->profile))
			judge(row, scenario, &scenario->budgets[i]);
		else
			judge_missing(row, scenario, machine);
	}
}
