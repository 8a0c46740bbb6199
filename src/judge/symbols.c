#include "judge/symbols.h"

#include <math.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "judge/explain.h"
#include "judge/gate.h"
#include "judge/symbol_rule.h"
#include "model/cost.h"
#include "profile/names.h"
#include "profile/shares.h"
#include "stats/stats.h"

/* -------- the row of gates.symbols */

/* Symbols named in a reason. */
enum { NAMED = 3 };

static void add_reasons(struct judgement *row, struct scenario_result *s, enum verdict verdict)
{
	size_t all = 0, k;

	for (size_t i = 0; i < s->n_symbols; i++) {
		const struct symbol_result *symbol = &s->symbols[i];

		if (!symbol->reason || symbol->verdict != verdict)
			continue;
		/* Symbols whose code moved together share a reason. */
		for (k = 0; k < i; k++)
			if (s->symbols[k].reason && s->symbols[k].verdict == verdict &&
			    !strcmp(s->symbols[k].reason, symbol->reason))
				break;
		if (k == i && all++ < NAMED)
			judge_reason(s, row, "%s", symbol->reason);
	}
	if (all > NAMED)
		judge_reason(s, row, "and %zu more", all - NAMED);
}

/*
 * Sets ROW's verdict, numbers and reason to those of the worst of S's symbols. Z_WORSE is the z score of a
 * regression.
 */
static void settle_row(struct judgement *row, struct scenario_result *s, double z_worse)
{
	const struct symbol_result *worst = scenario_result_worst_symbol(s);
	double below = worst && worst->verdict == VERDICT_REGRESSION ? z_worse : SYMBOL_Z_PASS;
	bool refused = false;

	/* A symbol that could not be compared has a reason; one that was not judged has none. */
	for (size_t i = 0; i < s->n_symbols; i++)
		refused |= s->symbols[i].verdict == VERDICT_NOT_MEASURED && s->symbols[i].reason;
	row->reason = NULL;
	row->verdict = worst ? worst->verdict : VERDICT_PASS;
	/* A regression counts, whatever happened to other symbols. */
	if (row->verdict != VERDICT_REGRESSION && refused) {
		row->verdict = VERDICT_NOT_MEASURED;
	} else if (worst) {
		row->baseline = worst->base_share_pct / 100;
		row->current = worst->share_pct / 100;
		row->change_pct = worst->change_pp;
		row->low_pct = worst->change_pp - below * worst->error_pp;
		row->high_pct = worst->change_pp + SYMBOL_Z_PASS * worst->error_pp;
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

/* Returns what may have made SYMBOL regress other than the program, or NULL. */
static const char *excuse(const struct scenario_result *s, const struct symbol_result *symbol, bool many, bool busy)
{
	double p = (symbol->share_pct + symbol->base_share_pct) / 200;
	/* Shift of shares by other processes from one hour to another, on both sides. */
	double shift_pp = 100 * M_SQRT2 * PROFILE_BUSY_SHIFT * p * (1 - p);

	/* The scheduler and interrupts take more of a program's time on a busy machine. */
	if (busy && !strcmp(symbol->symbol, SYMBOL_SCHEDULER))
		return "the machine was busy, which alone makes its scheduler and interrupts take more";
	if (busy && !exceeds(s, symbol, sqrt(pow(symbol->error_pp, 2) + pow(shift_pp, 2)), SYMBOL_Z_WORSE))
		return "the machine was busy, and its other processes may shift shares by as much";
	if (many && !exceeds(s, symbol, symbol->error_pp, SYMBOL_Z_WORSE_MANY))
		return "with this many scenarios one may do so by chance";
	return NULL;
}

static void weaken(struct judgement *row, struct scenario_result *s, bool many, bool busy)
{
	for (size_t i = 0; i < s->n_symbols; i++) {
		struct symbol_result *symbol = &s->symbols[i];
		const char *why = symbol->verdict == VERDICT_REGRESSION ? excuse(s, symbol, many, busy) : NULL;

		if (!why)
			continue;
		symbol->reason = arena_printf(&s->arena, "%s; %s", symbol->reason, why);
		symbol->verdict = VERDICT_INCONCLUSIVE;
	}
	if (row->verdict == VERDICT_REGRESSION)
		settle_row(row, s, many ? SYMBOL_Z_WORSE_MANY : SYMBOL_Z_WORSE);
}

/* Returns pawl's own gate if it has nothing to compare with while others have; else NULL. */
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
	return judged && profile_exists(&s->head.profile) ? unjudged : NULL;
}

void judge_symbols_together(struct result *result)
{
	bool many = result->n_scenarios >= SYMBOL_MANY, busy = result->busy.n > 0;
	const struct gate_result *first = NULL, *unjudged;
	size_t n = 0;

	/* One note, not a warning for each scenario: a baseline without a profile is still valid. */
	for (size_t i = 0; i < result->n_scenarios; i++) {
		unjudged = find_unjudged(&result->scenarios[i]);
		first = first ?: unjudged;
		n += unjudged != NULL;
	}
	if (n)
		NOTE(result, "symbols are not judged in %zu scenario%s: %s", n, n == 1 ? "" : "s", first->stored.reason);

	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];

		for (size_t k = 0; k < s->n_gates; k++)
			if (s->gates[k].gate.kind == GATE_SYMBOLS)
				weaken(&s->gates[k].stored, s, many, busy);
	}
}

/* -------- whether two profiles can be compared */

/*
 * Returns the name of the other side. A remedy applies to a baseline only: in pairs both sides are measured each
 * time.
 */
static const char *other_side(const struct scenario_result *s)
{
	return s->paired ? "base" : "baseline";
}

static const char *remedy(const struct scenario_result *s, const char *words)
{
	return s->paired ? "" : words;
}

/*
 * True if the profiles were taken with different settings. UNSEEN, as in struct cost, is the part of the profile that
 * two frequencies alone may move.
 */
static bool settings_differ(struct judgement *j, struct scenario_result *s, const struct profile *before, double unseen)
{
	const struct profile *now = &s->head.profile;
	bool close = unseen <= s->symbol_gate.rise_pp / 100;
	char hz[2][24], versions[2][24];
	const struct { const char *what, *now, *before; } settings[] = {
		{ "event", now->event, before->event },
		{ "call graph", call_graph_names[now->call_graph], call_graph_names[before->call_graph] },
		{ "frequency", hz[0], hz[1] },
		{ "way of comparing names", versions[0], versions[1] },
	};

	snprintf(hz[0], sizeof hz[0], "%u Hz", now->frequency);
	snprintf(hz[1], sizeof hz[1], "%u Hz", before->frequency);
	snprintf(versions[0], sizeof versions[0], "version %u", now->normaliser);
	snprintf(versions[1], sizeof versions[1], "version %u", before->normaliser);
	for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
		if (!strcmp(settings[i].now, settings[i].before) || (close && settings[i].now == hz[0]))
			continue;
		judge_reason(s, j, "the %s's profile has another %s (%s, now %s)%s", other_side(s), settings[i].what,
			     settings[i].before, settings[i].now, remedy(s, ": accept a new baseline"));
		return true;
	}
	return false;
}

/*
 * True if both sides have a profile, taken in the same way on the same class of machines. Otherwise J is new or not
 * measured.
 */
static bool profiles_comparable(struct judgement *j, struct scenario_result *s, const struct machine *machine,
				const struct baseline *base)
{
	struct cost cost;

	if (!profile_exists(&s->head.profile)) {
		judge_missing(s, j, &s->head, machine);
		return false;
	}
	if (!base || !profile_exists(&base->profile)) {
		j->verdict = VERDICT_NEW;
		if (base)
			judge_reason(s, j, "the %s has no profile%s", other_side(s), remedy(s, " yet: accept a new one"));
		else
			judge_reason(s, j, "there is no baseline yet");
		return false;
	}
	cost_find(s, base, &cost);
	return judge_class_allows(s, j, machine, base, j->metric) && !settings_differ(j, s, &base->profile, cost.unseen);
}

/* True if both profiles have enough samples and runs. Otherwise J is inconclusive. BEFORE may be NULL. */
static bool profiles_sufficient(struct judgement *j, struct scenario_result *s, const struct profile *before)
{
	const struct profile *sides[] = { &s->head.profile, before };
	const char *then = "", *faster = "", *duration = "profile.duration";
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

	for (size_t i = 0; i < 2 && sides[i]; i++) {
		bool few = sides[i]->samples < PROFILE_SAMPLES_GATED, few_runs = sides[i]->n_runs < PROFILE_RUNS_LEAST;

		if (!few && !few_runs)
			continue;
		strbuf_addf(&words, "%stoo few ", words.len ? ", " : "");
		if (few)
			strbuf_addf(&words, "samples (%llu of %d)%s", (unsigned long long)sides[i]->samples, PROFILE_SAMPLES_GATED,
				    few_runs ? " and " : "");
		if (few_runs)
			strbuf_addf(&words, "profiled runs (%zu of %d)", sides[i]->n_runs, PROFILE_RUNS_LEAST);
		if (i)
			strbuf_addf(&words, " in the %s", other_side(s));
		duration = sides[i]->cut ? "--budget" : duration;
		faster = few ? ", or profile.frequency" : faster;
		then = i ? remedy(s, ", then accept a new baseline") : "";
	}
	if (!words.len)
		return true;
	j->verdict = VERDICT_INCONCLUSIVE;
	judge_reason(s, j, "%s: raise %s%s%s", words.buf, duration, faster, then);
	return false;
}

/* -------- gates.budgets */

/* Budgets are written without a function's parameters, but comparable names include them. */
static bool matches(const struct share_budget *budget, const struct profile_symbol *symbol)
{
	CLEANUP(strbuf_release) struct strbuf plain = STRBUF_INIT;

	if (budget->dso)
		return glob_match(budget->dso, symbol->dso);
	if (glob_match(budget->symbol, symbol->symbol) || glob_match(budget->symbol, symbol->key))
		return true;
	name_without_parameters(symbol->key, &plain);
	return glob_match(budget->symbol, plain.buf);
}

/* Returns the weight of the matching symbols together, and adds their names to NAMES. */
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
			CLEANUP(free_ptr) char *name = symbol_pair_name(&pair);

			strbuf_addf(names, "%s%s %.1f %%", names->len ? ", " : "", name, profile_share_pct(profile, symbol));
		}
	}
	if (n > NAMED)
		strbuf_addf(names, " and %zu more", n - NAMED);
	return weight;
}

static void judge_budget(struct judgement *row, struct scenario_result *s, const struct share_budget *budget)
{
	const struct profile *profile = &s->head.profile;
	CLEANUP(free_ptr) uint64_t *run_hits = xcalloc(profile->n_runs + 1, sizeof *run_hits);
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;
	double weight = take_symbols(budget, profile, run_hits, &names), limit = budget->max_pct / 100, unlisted = 0, error;
	struct share_count count = {
		.samples = profile->samples, .run_hits = run_hits, .run_samples = profile->run_samples,
		.n_runs = profile->n_runs,
	};

	/* Files are summed in full. Symbols are summed as far as they are listed; unlisted ones may match, too. */
	if (!budget->symbol && profile->dsos.n) {
		weight = 0;
		for (size_t i = 0; i < profile->dsos.n; i++)
			if (glob_match(budget->dso, profile->dsos.items[i].name))
				weight += profile->dsos.items[i].weight;
	} else if (profile->samples) {
		unlisted = (double)profile->rest_samples / (double)profile->samples;
	}
	count.share = profile->weight > 0 ? fmin(weight / profile->weight, 1) : 0;
	row->n_current = profile->n_runs;
	row->current = count.share;
	if (!profiles_sufficient(row, s, NULL))
		return;
	/* The error at the limit is known even without a sample. */
	error = share_dispersion(&count, NULL);
	error = fmax(share_error(count.share, count.samples, error), share_error(limit, count.samples, error));
	if (count.share > limit && count.share - SYMBOL_Z_WORSE * error > limit) {
		row->verdict = VERDICT_REGRESSION;
		judge_reason(s, row, "over its budget: %s", names.buf);
	} else if (fmin(count.share + unlisted + SYMBOL_Z_PASS * error, 1) <= limit) {
		row->verdict = VERDICT_PASS;
		if (!(count.share > 0))
			judge_reason(s, row, "nothing that was sampled matches it");
	} else {
		row->verdict = VERDICT_INCONCLUSIVE;
		judge_reason(s, row, "too near to the budget for %llu samples, which leave +-%.1f pp open: raise profile.samples "
			     "and %s", (unsigned long long)count.samples, SYMBOL_Z_PASS * error * 100, profile->cut ? "--budget" : "profile.duration");
	}
}

/* Adds the rows. Rows of an earlier judgement must be removed before. */
static void judge_budgets(struct scenario_result *s, const struct machine *machine)
{
	for (size_t i = 0; i < s->n_budgets; i++) {
		const struct share_budget *budget = &s->budgets[i];
		const struct gate gate = {
			.kind = GATE_SHARE, .tolerance_pct = NAN, .max = budget->max_pct / 100, .min = NAN,
			.required = budget->required, .line = budget->line, .column = budget->column,
		};
		struct gate_result *row = scenario_result_add_gate(s, &gate);

		row->share = arena_printf(&s->arena, "%s%s", budget->symbol ? METRIC_OF_SYMBOL : METRIC_OF_DSO,
					  budget->symbol ?: budget->dso);
		if (s->head.state == SCENARIO_MEASURED && profile_exists(&s->head.profile))
			judge_budget(&row->stored, s, budget);
		else
			judge_missing(s, &row->stored, &s->head, machine);
	}
}

/* -------- gates.symbols */

/* Hottest symbols kept for reports, judged or not. */
enum { KEPT_LEAST = 20 };
#define INTERVAL_Z 1.96

/* Pawl's own gate is shown only if it has something to judge. */
static bool is_wanted(const struct scenario_result *s, const struct baseline *base)
{
	bool any = profile_exists(&s->head.profile) || (base && profile_exists(&base->profile));

	return s->symbol_gate.on && (any || !s->symbol_gate.by_default);
}

static struct judgement *add_row(struct scenario_result *s)
{
	const struct symbol_gate *from = &s->symbol_gate;
	struct gate gate = {
		.kind = GATE_SYMBOLS, .relative = true, .by_default = from->by_default,
		.tolerance_pct = from->rise_pp, .max = NAN, .min = NAN, .required = from->required,
		.line = from->line, .column = from->column,
	};

	return &scenario_result_add_gate(s, &gate)->stored;
}

static void mark_hottest(struct symbol_pairs *pairs, unsigned top, bool now)
{
	for (size_t i = 0; i < pairs->n; i++) {
		const struct profile_symbol *symbol = now ? pairs->items[i].now : pairs->items[i].before;
		size_t hotter = 0;

		for (size_t k = 0; symbol && k < pairs->n && hotter < top; k++) {
			const struct profile_symbol *other = now ? pairs->items[k].now : pairs->items[k].before;

			hotter += other && other->weight > symbol->weight;
		}
		if (symbol && hotter < top)
			pairs->items[i].judged = true;
	}
}

/* Sets the reason for code with symbols on one side only, on the symbol that represents it. */
static void refuse_unnamed(struct symbol_pair *pair, const struct scenario_result *s)
{
	const char *file = symbol_pair_shown(pair)->dso, *other = other_side(s);
	struct strbuf reason = STRBUF_INIT;

	pair->judged = pair->unnamed == pair;
	if (!pair->judged)
		return;
	file = *file ? file : "some file";
	if (pair->change.rise > 0)
		strbuf_addf(&reason, "%s lost symbols since the %s: %.1f %% of the samples are in code of it that has no "
			    "symbol, against %.1f %% there; ", file, other, pair->share * 100, pair->base_share * 100);
	else
		strbuf_addf(&reason, "the %s lacks symbols of %s: %.1f %% of its samples are in code of it that has no "
			    "symbol, against %.1f %% now; ", other, file, pair->base_share * 100, pair->share * 100);
	strbuf_adds(&reason, pair->change.rise > 0 || s->paired ? shares_symbols_remedy(file) : "accept a new baseline");
	pair->reason = strbuf_take(&reason);
}

static void judge_symbol_pairs(struct symbol_pairs *pairs, const struct symbol_terms *terms, const struct scenario_result *s,
			       bool enough)
{
	mark_hottest(pairs, terms->gate->top, true);
	mark_hottest(pairs, terms->gate->top, false);
	for (size_t i = 0; i < pairs->n; i++) {
		struct symbol_pair *pair = &pairs->items[i];

		if (pair->unnamed)
			refuse_unnamed(pair, s);
		else if (pair->judged && enough)
			symbol_judge(pair, terms);
		else if (pair->judged)
			pair->verdict = VERDICT_INCONCLUSIVE;
	}
	if (enough)
		symbols_find_moved(pairs, terms);
}

/*
 * Other processes that fill the caches shift shares from one hour to another, but not exact counts. In pairs they
 * affect both sides alike.
 */
static void doubt_same_work(struct symbol_pairs *pairs, const struct scenario_result *s, const struct baseline *stored)
{
	if (s->paired || !judge_same_work(&s->head, NULL, stored))
		return;
	for (size_t i = 0; i < pairs->n; i++) {
		struct symbol_pair *pair = &pairs->items[i];
		CLEANUP(free_ptr) char *rose = NULL;

		if (pair->verdict != VERDICT_REGRESSION)
			continue;
		rose = take_ptr(&pair->reason);
		pair->reason = text_printf("%s; but exact counts are those of the baseline, so a neighbour may have shifted it: "
					   "compare in pairs", rose);
		pair->verdict = VERDICT_INCONCLUSIVE;
	}
}

static void keep_symbols(struct scenario_result *s, const struct symbol_pairs *pairs, const struct cost *cost)
{
	const struct profile *profile = &s->head.profile;
	double samples = (double)profile->samples;

	for (size_t i = 0; i < pairs->n; i++) {
		const struct symbol_pair *pair = &pairs->items[i];
		const struct profile_symbol *shown = symbol_pair_shown(pair);
		struct interval sure = stats_wilson(pair->share * samples, samples, INTERVAL_Z);
		struct symbol_result *out;

		if (!pair->judged && !pair->moved && i >= KEPT_LEAST)
			continue;
		out = scenario_result_add_symbol(s, shown->symbol, shown->dso);
		out->share_pct = pair->share * 100;
		out->base_share_pct = pair->base_share * 100;
		out->low_pct = sure.low * 100;
		out->high_pct = sure.high * 100;
		out->total_pct = pair->now && profile->weight > 0 ? 100 * pair->now->total_weight / profile->weight : 0;
		out->samples = pair->now ? pair->now->samples : 0;
		out->base_samples = pair->before ? pair->before->samples : 0;
		out->change_pp = pair->change.rise * 100;
		out->error_pp = pair->change.error * 100;
		if (cost->metric && cost->metric->unit == UNIT_MS) {
			out->cost_ms = pair->cost;
			out->base_cost_ms = pair->base_cost;
		}
		out->change = pair->change_kind;
		out->verdict = pair->verdict;
		out->reason = arena_strdup(&s->arena, pair->reason);
		if (pair->moved)
			out->moved = arena_strdup(&s->arena, symbol_pair_shown(pair->moved)->symbol);
	}
}

static void judge_profile(struct scenario_result *s, const struct machine *machine, const struct baseline *base)
{
	struct judgement spare = { .metric = &metric_share };
	struct judgement *row = is_wanted(s, base) ? add_row(s) : &spare;
	bool same = profiles_comparable(row, s, machine, base);
	bool enough = same && profiles_sufficient(row, s, &base->profile);
	const struct profile *before = same ? &base->profile : NULL;
	struct symbol_pairs pairs;
	struct cost cost;
	struct symbol_terms terms = { .gate = &s->symbol_gate, .cost = &cost, .now = &s->head.profile, .before = before };

	cost_find(s, same ? base : NULL, &cost);
	terms.work = cost.per_work ? scenario_result_work_unit(s) : scenario_result_runs(s, 1);
	symbol_pairs_build(&s->head.profile, before, &cost, &pairs);
	if (same && s->symbol_gate.on)
		judge_symbol_pairs(&pairs, &terms, s, enough);
	if (same)
		doubt_same_work(&pairs, s, base);
	keep_symbols(s, &pairs, &cost);
	row->n_current = s->head.profile.n_runs;
	row->n_baseline = before ? before->n_runs : 0;
	if (enough)
		settle_row(row, s, SYMBOL_Z_WORSE);
	/* If nothing was compared, the row shows the hottest symbol. */
	if (s->head.profile.n_symbols && (row->verdict == VERDICT_NEW || row->verdict == VERDICT_NOT_MEASURED))
		row->current = profile_share_pct(&s->head.profile, &s->head.profile.symbols[0]) / 100;
	if (same)
		attribute_changes(s, &pairs, &cost);
	symbol_pairs_release(&pairs);
}

/* Variance ratio between runs that chance exceeds once in a thousand. */
#define SCATTERED 8.0

/* True if a profile of WANTED samples would not change PAIR's verdict. */
static bool is_settled(const struct symbol_pair *pair, const struct symbol_terms *terms, uint64_t wanted)
{
	double tolerance = (pair->before ? terms->gate->rise_pp : terms->gate->new_pp) / 100;
	double dispersion = pair->change.dispersion, rise = pair->change.rise - pair->unlisted;
	uint64_t then = terms->now->samples > wanted ? terms->now->samples : wanted;
	double error = share_rise_error(pair->share, then, pair->base_share, terms->before->samples, dispersion);
	double of_samples = error * sqrt(SHARE_DISPERSION_LEAST / dispersion);

	/* Such a profile cannot make it a regression. More samples may revoke a pass that has a reason. */
	if (pair->verdict == VERDICT_PASS && !pair->reason && rise + SYMBOL_Z_HARMLESS * pair->change.error <
	    fmax(tolerance, tolerance / 2 + SYMBOL_Z_WORSE * error))
		return true;
	/* The scatter of the runs would keep it inconclusive. */
	return pair->verdict == VERDICT_INCONCLUSIVE && dispersion > SCATTERED && !symbol_exceeds(rise, error, SYMBOL_Z_WORSE, tolerance) &&
	       rise + SYMBOL_Z_PASS * error >= fmax(2 * tolerance, 2 * SYMBOL_Z_PASS * of_samples);
}

static bool symbols_settled(const struct scenario_result *s, const struct baseline *base, uint64_t wanted)
{
	bool regressed = false, settled = true;
	struct symbol_pairs pairs;
	struct cost cost;
	struct symbol_terms terms = { .gate = &s->symbol_gate, .cost = &cost, .now = &s->head.profile, .before = &base->profile };

	cost_find(s, base, &cost);
	terms.work = cost.per_work ? scenario_result_work_unit(s) : scenario_result_runs(s, 1);
	symbol_pairs_build(terms.now, terms.before, &cost, &pairs);
	judge_symbol_pairs(&pairs, &terms, s, true);
	for (size_t i = 0; i < pairs.n; i++) {
		const struct symbol_pair *pair = &pairs.items[i];
		double tolerance = (pair->before ? s->symbol_gate.rise_pp : s->symbol_gate.new_pp) / 100;

		/* More samples do not help for code with symbols on one side only. */
		if (!pair->judged || pair->unnamed)
			continue;
		/* A few runs measure scatter badly, so a symbol that scatters waits for all of them. */
		regressed |= pair->verdict == VERDICT_REGRESSION && pair->change.dispersion <= SCATTERED &&
			     symbol_exceeds(pair->change.rise - pair->unlisted, pair->change.error, SYMBOL_Z_EARLY, tolerance);
		settled &= is_settled(pair, &terms, wanted);
	}
	symbol_pairs_release(&pairs);
	return regressed || settled;
}

bool judge_symbols_settled(struct scenario_result *s, const struct machine *machine, const struct baseline *base,
			   uint64_t wanted)
{
	struct judgement spare = { .metric = &metric_share };
	bool settled = profiles_comparable(&spare, s, machine, base) && profiles_sufficient(&spare, s, &base->profile) &&
		       (!s->symbol_gate.on || symbols_settled(s, base, wanted));

	for (size_t i = 0; i < s->n_budgets && settled; i++) {
		struct judgement row = { .metric = &metric_share };

		judge_budget(&row, s, &s->budgets[i]);
		settled = row.verdict == VERDICT_PASS;
	}
	return settled;
}

void judge_symbols_account(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base)
{
	struct judgement spare = { .metric = &metric_share };
	struct symbol_pairs pairs;
	struct cost cost;

	if (profiles_comparable(&spare, scenario, machine, base)) {
		cost_find(scenario, base, &cost);
		symbol_pairs_build(&scenario->head.profile, &base->profile, &cost, &pairs);
		attribute_changes(scenario, &pairs, &cost);
		symbol_pairs_release(&pairs);
	}
}

void judge_symbols(struct scenario_result *scenario, const struct machine *machine, const struct baseline *base)
{
	size_t kept = 0;

	for (size_t i = 0; i < scenario->n_gates; i++)
		if (scenario->gates[i].gate.kind == GATE_METRIC)
			scenario->gates[kept++] = scenario->gates[i];
	scenario->n_gates = kept;
	scenario->n_symbols = 0;
	if (scenario->head.state == SCENARIO_MEASURED)
		judge_profile(scenario, machine, base);
	else if (is_wanted(scenario, base))
		judge_missing(scenario, add_row(scenario), &scenario->head, machine);
	judge_budgets(scenario, machine);
}
