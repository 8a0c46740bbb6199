/*
 * Recorded runs as pairs, and the paired rule on them.
 *
 * A pair is two runs of one program that were neighbours in one round. Consecutive pairs come from consecutive
 * rounds, starting at a random round; they wrap around if the recording has too few. A coin decides the order
 * within each pair, as in pawl. For an unchanged program this gives the results of other seeds. A slower program
 * is simulated: the time of one run is multiplied by a factor.
 *
 * Some recordings contain programs that really are slower (dB3; dB5 and dB10 of `inj`). Their pairs come from all
 * rounds in recorded order, up to four runs apart. A comparison uses each pair at most once.
 */
#ifndef PAWL_TESTS_NOISE_PAIRS_H
#define PAWL_TESTS_NOISE_PAIRS_H

#include "judge/pairs.h"
#include "noise_recording.h"
#include "noise_tally.h"

#define TOLERANCE 0.03

/* Differences of consecutive pairs of one program. Positive: the second run is slower. */
struct noise_series {
	double d[NOISE_ROUNDS];
	size_t n;
};

static inline void take_series(const struct noise *noise, size_t regime, size_t program, const char *head, bool adjacent,
			struct noise_series *out)
{
	const struct noise_run *a = noise_series(noise, regime, program, "dA");
	const struct noise_run *b = noise_series(noise, regime, program, head);

	out->n = 0;
	for (size_t i = 0; i < noise->rounds[regime]; i++)
		if (!adjacent || a[i].pos + 1 == b[i].pos || b[i].pos + 1 == a[i].pos)
			out->d[out->n++] = log(b[i].task_ms / a[i].task_ms);
}

static inline struct paired decide(const double *d, size_t n)
{
	const struct paired_terms terms = { .gates = GATES, .tolerance = log1p(TOLERANCE), .pairs_most = (unsigned)n };
	struct paired p;

	if (!paired_decide(d, n, true, &terms, &p))
		abort();
	return p;
}

/* Decides on one program with random pairs; FACTOR simulates a slowdown (1: unchanged). */
static inline struct paired decide_tossed(const struct noise_series *series, double factor, uint64_t *random)
{
	size_t start = below(random, series->n);
	double d[PAIRS_MOST];

	for (size_t i = 0; i < PAIRS_MOST; i++) {
		double noise = series->d[(start + i) % series->n];

		d[i] = (below(random, 2) ? -noise : noise) + log(factor);
	}
	return decide(d, PAIRS_MOST);
}

/* Decides on recorded pairs from START; SIGN is the direction of the differences. */
static inline struct paired decide_standing(const struct noise_series *series, size_t start, double sign, double factor)
{
	size_t n = series->n < PAIRS_MOST ? series->n : PAIRS_MOST;
	double d[PAIRS_MOST];

	for (size_t i = 0; i < n; i++)
		d[i] = sign * series->d[(start + i) % series->n] + log(factor);
	return decide(d, n);
}

/*
 * Judges SETS suites of programs in a regime. The programs are unchanged, or slower by FACTOR.
 * Returns an empty tally if the regime has no unchanged pairs.
 */
static inline struct tally toss_pairs(const struct noise *noise, size_t regime, double factor, uint64_t random, unsigned sets)
{
	struct noise_series series[NOISE_PROGRAMS];
	struct tally tally = { 0 };

	if (!noise_series(noise, regime, 0, "dA2"))
		return tally;
	for (size_t i = 0; i < noise->programs.n; i++)
		take_series(noise, regime, i, "dA2", true, &series[i]);
	for (unsigned gate = 0; gate < sets * GATES; gate++) {
		struct paired p = decide_tossed(&series[below(&random, noise->programs.n)], factor, &random);

		count_gate(&tally, p.verdict, 2. * p.pairs);
	}
	return tally;
}

/*
 * Judges every program from every start once. HEAD is a variant that is slower as measured, or "dA2".
 * For "dA2", pairs are judged in both directions, slower by FACTOR.
 */
static inline struct tally stand_pairs(const struct noise *noise, size_t regime, const char *head, double factor)
{
	bool unchanged = !strcmp(head, "dA2");
	struct tally tally = { 0 };
	struct noise_series series;

	for (size_t i = 0; noise_series(noise, regime, 0, head) && i < noise->programs.n; i++) {
		take_series(noise, regime, i, head, unchanged, &series);
		for (size_t start = 0; start < series.n * (unchanged ? 2 : 1); start++) {
			struct paired p = decide_standing(&series, start % series.n, start < series.n ? 1 : -1, factor);

			count_gate(&tally, p.verdict, 2. * p.pairs);
		}
	}
	return tally;
}

#endif
