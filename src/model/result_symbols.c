#include <math.h>

#include "base/mem.h"
#include "model/result.h"

const char *const symbol_change_names[] = { "same", "rose", "fell", "new", "vanished", "moved", NULL };

const char *symbol_change_name(enum symbol_change change)
{
	return symbol_change_names[change];
}

const struct symbol_result symbol_result_empty = {
	.share_pct = NAN, .base_share_pct = NAN, .low_pct = NAN, .high_pct = NAN, .total_pct = NAN,
	.change_pp = NAN, .error_pp = NAN, .cost_ms = NAN, .base_cost_ms = NAN, .verdict = VERDICT_NOT_MEASURED,
};

void scenario_result_gate_symbols(struct scenario_result *scenario, const struct symbol_gate *gate,
				  const struct share_budget *budgets, size_t n_budgets)
{
	scenario->symbol_gate = *gate;
	for (size_t i = 0; i < n_budgets; i++) {
		struct share_budget *budget;

		VEC_GROW(scenario->budgets, scenario->n_budgets, scenario->cap_budgets);
		budget = &scenario->budgets[scenario->n_budgets++];
		*budget = budgets[i];
		budget->symbol = xstrdup(budget->symbol);
		budget->dso = xstrdup(budget->dso);
	}
}

struct symbol_result *scenario_result_add_symbol(struct scenario_result *scenario, const char *symbol, const char *dso)
{
	struct symbol_result *added;

	VEC_GROW(scenario->symbols, scenario->n_symbols, scenario->cap_symbols);
	added = &scenario->symbols[scenario->n_symbols++];
	*added = symbol_result_empty;
	added->symbol = xstrdup(symbol);
	added->dso = xstrdup(dso);
	return added;
}

static int badness(const struct symbol_result *symbol)
{
	return symbol->verdict == VERDICT_REGRESSION ? 2 : symbol->verdict == VERDICT_INCONCLUSIVE ? 1 : 0;
}

static bool is_worse(const struct symbol_result *a, const struct symbol_result *b)
{
	if (badness(a) != badness(b))
		return badness(a) > badness(b);
	return a->change_pp + 2 * a->error_pp > b->change_pp + 2 * b->error_pp;
}

const struct symbol_result *scenario_result_worst_symbol(const struct scenario_result *scenario)
{
	const struct symbol_result *worst = NULL;

	for (size_t i = 0; i < scenario->n_symbols; i++) {
		const struct symbol_result *symbol = &scenario->symbols[i];

		if (symbol->verdict == VERDICT_NOT_MEASURED || symbol->change == SYMBOL_MOVED)
			continue;
		if (!worst || is_worse(symbol, worst))
			worst = symbol;
	}
	return worst;
}

void scenario_result_forget_symbols(struct scenario_result *scenario)
{
	for (size_t i = 0; i < scenario->n_symbols; i++) {
		free(scenario->symbols[i].symbol);
		free(scenario->symbols[i].dso);
		free(scenario->symbols[i].moved);
		free(scenario->symbols[i].reason);
	}
	scenario->n_symbols = 0;
}
