/* Verdict counts of many comparisons, and a reproducible random generator. */
#ifndef PAWL_TESTS_NOISE_TALLY_H
#define PAWL_TESTS_NOISE_TALLY_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "model/gate.h"

enum { GATES = 20 };

static inline uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static inline size_t below(uint64_t *random, size_t n)
{
	return (size_t)(next_random(random) % n);
}

/* Counts of single gates and of sets of gates. */
struct tally {
	unsigned gates, regressed, passed, sets, sets_regressed;
	unsigned regressed_in_set;	/* regressed gates of the current set */
	double runs;
};

/* Counts one gate. Every GATES gates form a set. */
static inline void count_gate(struct tally *t, enum verdict verdict, double runs)
{
	t->regressed += verdict == VERDICT_REGRESSION;
	t->regressed_in_set += verdict == VERDICT_REGRESSION;
	t->passed += verdict == VERDICT_PASS || verdict == VERDICT_IMPROVEMENT;
	t->runs += runs;
	if (++t->gates % GATES)
		return;
	t->sets++;
	t->sets_regressed += t->regressed_in_set > 0;
	t->regressed_in_set = 0;
}

static inline void add(struct tally *sum, const struct tally *t)
{
	sum->gates += t->gates;
	sum->regressed += t->regressed;
	sum->passed += t->passed;
	sum->sets += t->sets;
	sum->sets_regressed += t->sets_regressed;
	sum->runs += t->runs;
}

static inline double pct(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : NAN;
}

static inline double regressed_pct(const struct tally *t)
{
	return pct(t->regressed, t->gates);
}

#endif
