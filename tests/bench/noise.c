/*
 * Applies common rules for "the program became slower" to noisy runs: the recording of tests/fixtures/noise, resampled.
 * Reads runs.csv from standard input; the argument is a seed. Status 1 if pawl's rule misses a limit, 3 if the input is
 * not such a recording.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "noise_blocks.h"
#include "noise_pairs.h"
#include "stats/stats.h"
#include "together_recording.h"

#define FALSE_LIMIT_PCT 0.2
#define SAME_CERTAINTY_PCT 1.
#define CAUGHT_LIMIT_PCT 90.
/* Error probability of each bound of the printed intervals. */
#define INTERVAL_ALPHA 0.025

enum { SUITES = 1000, SUITES_SLOWER = 250, SUITES_SEARCHING = 50, BENCHMARKS = 300 };

static void print_bounded(unsigned hits, unsigned n)
{
	struct interval in = binomial_interval(hits, n, INTERVAL_ALPHA);
	char bounds[48];

	snprintf(bounds, sizeof bounds, "(%.2f to %.2f)", 100 * in.low, 100 * in.high);
	printf("  %6.2f %-16s", pct(hits, n), bounds);
}

static void print_caught(const struct tally *t)
{
	if (t->gates)
		printf(" %6.1f", regressed_pct(t));
	else
		printf(" %6s", "-");
}

/* Results of the paired rule, for one regime or for all. */
struct regime_row {
	struct tally unchanged, real3, slower[SLOWER];
};

/* Uses the recorded slowdowns where there are any; otherwise multiplies the times. */
static struct regime_row judge_regime(const struct noise *noise, size_t regime, uint64_t seed)
{
	static const char *const real[SLOWER] = { NULL, "dB5", "dB10" };
	struct regime_row row = {
		.unchanged = toss_pairs(noise, regime, 1, seed + regime, SUITES),
		.real3 = stand_pairs(noise, regime, "dB3", 1),
	};

	for (size_t i = 0; i < SLOWER; i++)
		row.slower[i] = real[i] && noise_series(noise, regime, 0, real[i]) ?
				stand_pairs(noise, regime, real[i], 1) :
				toss_pairs(noise, regime, slower[i], seed + regime, SUITES_SLOWER);
	return row;
}

static void print_row(const char *name, const struct regime_row *row)
{
	const struct tally *u = &row->unchanged, *five = &row->slower[1];

	printf("%-12s", name);
	if (u->gates) {
		print_bounded(u->sets_regressed, u->sets);
		printf(" %6.3f %6.1f %6.1f", regressed_pct(u), pct(u->passed, u->gates), u->runs / 2 / u->gates);
	} else {
		printf("  %6s %-16s %6s %6s %6s", "-", "", "-", "-", "-");
	}
	printf(" |");
	print_caught(&row->real3);
	for (size_t i = 0; i < SLOWER; i++)
		print_caught(&row->slower[i]);
	printf(" %6.1f %6.1f\n", pct(five->gates - five->regressed - five->passed, five->gates), five->runs / 2 / five->gates);
}

/* Returns the sum of all regimes. */
static struct regime_row print_regimes(const struct noise *noise, uint64_t seed)
{
	struct regime_row all = { 0 };

	printf("pawl in pairs: tolerance 3 %%, sets of %d gates; percent, and pairs on average\n", GATES);
	printf("%-12s  %-23s %6s %6s %6s | slower: caught %16s +5 %%\n", "", "unchanged: sets", "gates", "gates", "", "|");
	printf("%-12s  %-23s %6s %6s %6s | %6s %6s %6s %6s %6s %6s\n", "regime", "false positive", "false", "passed", "pairs", "+3real",
	       "+3 %", "+5 %", "+10 %", "open", "pairs");
	for (size_t i = 0; i < noise->regimes.n; i++) {
		struct regime_row row = judge_regime(noise, i, seed);

		print_row(noise->regimes.items[i], &row);
		add(&all.unchanged, &row.unchanged);
		add(&all.real3, &row.real3);
		for (size_t j = 0; j < SLOWER; j++)
			add(&all.slower[j], &row.slower[j]);
	}
	print_row("all", &all);
	return all;
}

/* The same without resampling: the pairs as recorded, from every start, with the sides both ways round. */
static void print_standing(const struct noise *noise)
{
	struct tally unchanged = { 0 }, five = { 0 };

	for (size_t i = 0; i < noise->regimes.n; i++) {
		struct tally u = stand_pairs(noise, i, "dA2", 1), f = stand_pairs(noise, i, "dA2", slower[1]);

		add(&unchanged, &u);
		add(&five, &f);
	}
	printf("as they stood, every start, both ways, no pair twice: %u of %u gates are false positives,", unchanged.regressed,
	       unchanged.gates);
	print_bounded(unchanged.regressed, unchanged.gates);
	printf(" %.1f caught at +5 %%\n", regressed_pct(&five));
}

static void print_rule(const char *name, const struct tally *unchanged, const struct tally by[SLOWER])
{
	printf("%-36s %5.0f", name, unchanged->runs / unchanged->gates);
	print_bounded(unchanged->sets_regressed, unchanged->sets);
	printf(" %6.2f |", regressed_pct(unchanged));
	for (size_t i = 0; i < SLOWER; i++)
		print_caught(&by[i]);
}

static struct tally toss_regimes(const struct noise *noise, size_t first, size_t last, double factor, uint64_t seed,
				 unsigned sets)
{
	struct tally sum = { 0 };

	for (size_t i = first; i < last; i++) {
		struct tally t = toss_pairs(noise, i, factor, seed + i, sets);

		add(&sum, &t);
	}
	return sum;
}

/* Returns the slowdown that is caught in nine of ten cases, as a factor. */
static double caught_in_pairs(const struct noise *noise, size_t first, size_t last, uint64_t seed)
{
	double low = 1, high = 1.3;

	while (high - low > 0.0005) {
		double middle = (low + high) / 2;
		struct tally t = toss_regimes(noise, first, last, middle, seed, SUITES_SEARCHING);

		if (regressed_pct(&t) >= CAUGHT_LIMIT_PCT)
			high = middle;
		else
			low = middle;
	}
	return high;
}

static void print_pairs(const struct noise *noise, size_t first, size_t last, uint64_t seed)
{
	struct tally unchanged = toss_regimes(noise, first, last, 1, seed, SUITES), by[SLOWER];

	for (size_t i = 0; i < SLOWER; i++)
		by[i] = toss_regimes(noise, first, last, slower[i], seed, SUITES_SLOWER);
	print_rule("pawl in pairs", &unchanged, by);
	printf(" | %7s %7.1f\n", "", 100 * (caught_in_pairs(noise, first, last, seed) - 1));
}

/* Prints the threshold with one false positive per hundred sets, and the slowdown that it catches in nine of ten cases. */
static void print_same_certainty(struct block_changes *c)
{
	double threshold, tenth;

	stats_sort(c->all, c->n);
	stats_sort(c->largest, c->n_largest);
	threshold = c->largest[c->n_largest - 1 - (size_t)((double)c->n_largest * SAME_CERTAINTY_PCT / 100)];
	tenth = c->all[(size_t)((double)c->n * (100 - CAUGHT_LIMIT_PCT) / 100)];
	printf(" | %7.1f %7.1f\n", 100 * threshold, 100 * ((1 + threshold) / (1 + tenth) - 1));
}

static void print_block_rule(const struct noise *noise, size_t first, size_t last, const struct block_rule *rule, size_t n,
			     uint64_t seed)
{
	struct trial trial = { 0 };

	try_blocks(noise, first, last, rule, n, seed, SUITES_SLOWER, &trial);
	print_rule(rule->name, &trial.unchanged, trial.slower);
	if (rule->ranks)
		printf(" | %7s %7s\n", "-", "-");
	else
		print_same_certainty(&trial.changes);
	block_changes_release(&trial.changes);
}

/* Prints every rule over the regimes FIRST to LAST - 1. */
static void print_rules(const struct noise *noise, const char *where, size_t first, size_t last, uint64_t seed)
{
	static const size_t sizes[] = { 10, 20, BLOCK_MOST };

	printf("\nall rules, %s: percent; runs of both sides\n", where);
	printf("%-36s %5s  %-23s %6s | caught %15s %s\n", "", "", "unchanged: sets", "gates", "|", "same certainty");
	printf("%-36s %5s  %-23s %6s | %6s %6s %6s | %7s %7s\n", "rule", "runs", "false positive", "false", "+3 %", "+5 %", "+10 %",
	       "needs", "sees");
	print_pairs(noise, first, last, seed);
	for (size_t i = 0; i < sizeof block_rules / sizeof block_rules[0]; i++)
		for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++)
			print_block_rule(noise, first, last, &block_rules[i], sizes[j], seed);
}

/* Returns the share of sets with a false positive, in percent, under the rule and limit for runs at the same time. */
static double print_together(uint64_t seed)
{
	static const double factors[] = { 1, 1.01, 1.02, 1.025, 1.03, 1.05 };
	static const struct {
		unsigned gates;
		double tolerance_pct;
		bool looks_at_once;
	} rules[] = { { 1, 2, false }, { 1, 1, true }, { 1, 1.5, true }, { 1, 2, true }, { 1, 3, true }, { GATES, 2, false }, { GATES, 2, true } };
	double sets = NAN;

	printf("\nboth at once: %d recorded programs with themselves, gates regressed and passed, percent, and pairs\n", TOGETHER_SERIES);
	printf("%5s %9s %-8s", "gates", "tolerance", "looks");
	for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
		printf(" |  %+4.1f %%  %5s %5s", 100 * (factors[i] - 1), "", "");
	printf("\n");
	for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++) {
		printf("%5u %7g %% %-8s", rules[r].gates, rules[r].tolerance_pct, rules[r].looks_at_once ? "from 6" : "in turn");
		for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
			struct tally t = toss_together(rules[r].gates, rules[r].tolerance_pct, rules[r].looks_at_once, factors[i], seed,
						       i ? 400 : 2000);

			printf(" | %7.3f %5.1f %5.1f", regressed_pct(&t), pct(t.passed, t.gates), t.runs / 2 / t.gates);
			if (!i)
				sets = pct(t.sets_regressed, t.sets);
		}
		printf("\n");
	}
	return sets;
}

/* Returns the share of comparisons of a program with 300 benchmarks that have a false positive, in percent. */
static double print_benchmarks(uint64_t seed)
{
	static const double factors[] = { 1, 1.03, 1.05 };
	double sets = NAN;

	printf("\nprograms of %d benchmarks, both at once, tolerance 2 %%: sets with a regression, gates regressed and passed, percent, pairs\n",
	       BENCHMARKS);
	for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
		struct tally t = toss_suites(BENCHMARKS, 2, factors[i], seed, i ? SUITES / 50 : SUITES);

		printf("%+4.0f %%  sets %u:", 100 * (factors[i] - 1), t.sets);
		print_bounded(t.sets_regressed, t.sets);
		printf(" %8.4f %6.1f %6.1f\n", regressed_pct(&t), pct(t.passed, t.gates), t.runs / 2 / t.gates);
		sets = i ? sets : pct(t.sets_regressed, t.sets);
	}
	return sets;
}

static bool within(const char *words, double found, double limit, bool at_most)
{
	bool good = at_most ? found <= limit : found >= limit;

	printf("%-46s %9.3f %%    limit %g %%  %s\n", words, found, limit, good ? "ok" : at_most ? "OVER" : "UNDER");
	return good;
}

int main(int argc, char **argv)
{
	uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
	CLEANUP(noise_free) struct noise *noise = noise_read(stdin);
	struct regime_row all;
	double at_once, benchmarks;
	size_t quiet;
	bool good;

	if (!noise) {
		fprintf(stderr, "noise: expected the %d rows of tests/fixtures/noise/runs.csv.xz on standard input\n", NOISE_ROWS);
		return 3;
	}
	quiet = noise_find(&noise->regimes, "quiet");
	printf("Rules on recorded noise: %d runs of %zu programs in %zu regimes, seed %llu\n\n", NOISE_ROWS, noise->programs.n,
	       noise->regimes.n, (unsigned long long)seed);
	all = print_regimes(noise, seed);
	print_standing(noise);
	print_rules(noise, "all regimes", 0, noise->regimes.n, seed);
	print_rules(noise, "quiet only", quiet, quiet + 1, seed);
	at_once = print_together(seed);
	benchmarks = print_benchmarks(seed);
	printf("same certainty: one set in a hundred with a false positive needs this threshold, which sees nine in ten of such "
	       "slowdowns\n\n");
	good = within("sets with a false positive, pawl in pairs", pct(all.unchanged.sets_regressed, all.unchanged.sets),
		      FALSE_LIMIT_PCT, true);
	good &= within("sets with a false positive, both at once", at_once, FALSE_LIMIT_PCT, true);
	good &= within("sets with a false positive, 300 benchmarks", benchmarks, FALSE_LIMIT_PCT, true);
	good &= within("caught at +5 %, pawl in pairs", regressed_pct(&all.slower[1]), CAUGHT_LIMIT_PCT, false);
	return good ? 0 : 1;
}
