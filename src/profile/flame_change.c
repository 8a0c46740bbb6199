#include "profile/flame_change.h"

#include <math.h>

/*
 * As symbols are judged: 3.1 standard errors, which one frame in a thousand passes by chance, and a variance that is twice
 * the binomial one, since samples of one run hang together.
 */
static const double dispersion = 2;

static double noise_of_shares(double head, double head_total, double base, double base_total)
{
	double pooled = (head + base) / (head_total + base_total);

	return 100 * FLAME_NOISE_ERRORS * sqrt(dispersion * pooled * (1 - pooled) * (1 / head_total + 1 / base_total));
}

/* The error of a count is its root; one that is none could as well have been one. */
static double error_of_weight(double weight, double samples, double one)
{
	return samples > 0 ? weight / sqrt(samples) : one;
}

struct flame_change flame_change_of(const struct flame_tree *tree, uint32_t node, bool self, const struct flame_options *options)
{
	const struct flame_sum *of = tree->nodes[node].side, *all = tree->nodes[0].side;
	double weight[FLAME_SIDES], samples[FLAME_SIDES], factor[FLAME_SIDES], error[FLAME_SIDES];

	for (int i = 0; i < FLAME_SIDES; i++) {
		double total = all[i].weight > 0 ? all[i].weight : 1;

		factor[i] = i == FLAME_HEAD ? options->head_factor : options->base_factor;
		factor[i] = options->scale == FLAME_PER_TOTAL ? 100 / total : factor[i] > 0 ? factor[i] : 1;
		weight[i] = (self ? of[i].self : of[i].weight) * factor[i];
		samples[i] = (double)(self ? of[i].self_samples : of[i].samples);
		error[i] = error_of_weight(weight[i], samples[i], total * factor[i] / fmax((double)all[i].samples, 1));
	}
	return (struct flame_change){
		.head = weight[FLAME_HEAD],
		.base = weight[FLAME_BASE],
		.noise = options->scale == FLAME_PER_TOTAL ?
			noise_of_shares(samples[FLAME_HEAD], fmax((double)all[FLAME_HEAD].samples, 1), samples[FLAME_BASE],
					fmax((double)all[FLAME_BASE].samples, 1)) :
			FLAME_NOISE_ERRORS * sqrt(dispersion) * sqrt(error[FLAME_HEAD] * error[FLAME_HEAD] + error[FLAME_BASE] * error[FLAME_BASE]),
	};
}

bool flame_change_shows(const struct flame_change *change)
{
	/* Decimals of sums that are equal differ in their last digits. */
	return fabs(change->head - change->base) > change->noise + 1e-9 * (change->head + change->base);
}

double flame_change_largest(const struct flame_tree *tree, const struct flame_options *options)
{
	double largest = 0;

	for (uint32_t i = 0; i < tree->n; i++) {
		struct flame_change change = flame_change_of(tree, i, false, options);

		if (flame_change_shows(&change))
			largest = fmax(largest, fabs(change.head - change.base));
	}
	return largest;
}

int flame_change_level(const struct flame_change *change, double largest)
{
	double part = fabs(change->head - change->base) / largest;
	int level;

	if (!flame_change_shows(change))
		return 0;
	/* The root keeps small changes apart from none beside a large one. */
	level = (int)ceil(FLAME_LEVELS * sqrt(part));
	level = level < 1 ? 1 : level > FLAME_LEVELS ? FLAME_LEVELS : level;
	return change->head > change->base ? level : -level;
}
