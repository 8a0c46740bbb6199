/*
 * Recorded runs as blocks, and the rules that people apply to them.
 *
 * A block is a sequence of consecutive unchanged runs of one program, in order of time over all rounds. The other
 * block is the runs that follow. A slowdown multiplies the times of one block.
 */
#ifndef PAWL_BENCH_NOISE_BLOCKS_H
#define PAWL_BENCH_NOISE_BLOCKS_H

#include "noise_recording.h"
#include "noise_tally.h"
#include "stats/stats.h"

#define RANK_ALPHA 0.01

enum { BLOCK_MOST = 40, SLOWER = 3 };

static const double slower[SLOWER] = { 1.03, 1.05, 1.10 };

struct blocks {
	const struct noise_run *base[BLOCK_MOST], *head[BLOCK_MOST];
	size_t n;
};

/* Writes the unchanged runs to OUT in order of time; returns their number. */
static inline size_t take_stream(const struct noise *noise, size_t regime, size_t program, const struct noise_run **out)
{
	const struct noise_run *a = noise_series(noise, regime, program, "dA");
	const struct noise_run *b = noise_series(noise, regime, program, "dA2");
	size_t n = 0;

	for (size_t i = 0; i < noise->rounds[regime]; i++) {
		bool first = a[i].pos < b[i].pos;

		out[n++] = first ? &a[i] : &b[i];
		out[n++] = first ? &b[i] : &a[i];
	}
	return n;
}

static inline void take_blocks(const struct noise *noise, size_t regime, size_t program, uint64_t *random, struct blocks *out)
{
	const struct noise_run *stream[2 * NOISE_ROUNDS];
	size_t length = take_stream(noise, regime, program, stream), start = below(random, length - 2 * out->n + 1);
	bool swap = below(random, 2);

	for (size_t i = 0; i < out->n; i++) {
		out->base[i] = stream[start + i + (swap ? out->n : 0)];
		out->head[i] = stream[start + i + (swap ? 0 : out->n)];
	}
}

typedef double (*middle_fn)(const double *values, size_t n);

static inline double middle_of(const struct noise_run *const *runs, size_t n, middle_fn middle, bool wall)
{
	double values[BLOCK_MOST];

	for (size_t i = 0; i < n; i++)
		values[i] = wall ? runs[i]->wall_ms : runs[i]->task_ms;
	return middle(values, n);
}

/* True if fewer than CRITICAL pairs of runs contradict a slowdown: the rank-sum interval's lower bound is then above 0. */
static inline bool ranks_say_slower(const struct blocks *b, double factor, size_t critical)
{
	size_t against = 0;

	for (size_t i = 0; i < b->n; i++)
		for (size_t j = 0; j < b->n; j++)
			against += b->head[i]->task_ms * factor <= b->base[j]->task_ms;
	return against < critical;
}

struct block_rule {
	const char *name;
	middle_fn middle;
	bool wall, ranks;
	double threshold;
};

static const struct block_rule block_rules[] = {
	{ "mean of wall time, 5 % (hyperfine)", stats_mean, true, false, 0.05 },
	{ "mean of CPU time, 5 %", stats_mean, false, false, 0.05 },
	{ "median of CPU time, 5 %", stats_median, false, false, 0.05 },
	{ "median of CPU time, 3 %", stats_median, false, false, 0.03 },
	{ "rank test 1 %, medians beyond 3 %", stats_median, false, true, 0.03 },
};

/* Changes that a threshold rule measured on unchanged programs: all, and the largest of each suite. */
struct block_changes {
	double *all, *largest;
	size_t n, cap, n_largest, cap_largest;
};

static inline void block_changes_release(struct block_changes *changes)
{
	free(changes->all);
	free(changes->largest);
}

static inline void keep_change(struct block_changes *c, double change)
{
	VEC_GROW(c->all, c->n, c->cap);
	if (c->n % GATES == 0) {
		VEC_GROW(c->largest, c->n_largest, c->cap_largest);
		c->largest[c->n_largest++] = change;
	}
	c->all[c->n++] = change;
	c->largest[c->n_largest - 1] = fmax(c->largest[c->n_largest - 1], change);
}

/* The results of one rule at one number of runs. */
struct trial {
	struct tally unchanged, slower[SLOWER];
	struct block_changes changes;
};

static inline void judge_blocks(const struct block_rule *rule, const struct blocks *b, size_t critical, struct trial *trial)
{
	double ratio = middle_of(b->head, b->n, rule->middle, rule->wall) / middle_of(b->base, b->n, rule->middle, rule->wall);

	keep_change(&trial->changes, ratio - 1);
	for (size_t i = 0; i <= SLOWER; i++) {
		double factor = i ? slower[i - 1] : 1;
		bool regressed = ratio * factor - 1 > rule->threshold &&
			       (!rule->ranks || ranks_say_slower(b, factor, critical));

		count_gate(i ? &trial->slower[i - 1] : &trial->unchanged, regressed ? VERDICT_REGRESSION : VERDICT_PASS,
			   2. * (double)b->n);
	}
}

/* Applies RULE with N runs a side to the regimes FIRST to LAST - 1. Skips regimes whose series are too short. */
static inline void try_blocks(const struct noise *noise, size_t first, size_t last, const struct block_rule *rule, size_t n,
		       uint64_t seed, unsigned sets, struct trial *trial)
{
	size_t critical = ranksum_critical(n, n, RANK_ALPHA);
	struct blocks blocks = { .n = n };

	for (size_t regime = first; regime < last; regime++) {
		uint64_t random = seed + regime;

		if (!noise_series(noise, regime, 0, "dA2") || noise->rounds[regime] < n)
			continue;
		for (unsigned gate = 0; gate < sets * GATES; gate++) {
			take_blocks(noise, regime, below(&random, noise->programs.n), &random, &blocks);
			judge_blocks(rule, &blocks, critical, trial);
		}
	}
}

#endif
