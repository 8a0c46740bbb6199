#include "profile/flame_change.h"

#include <math.h>

#include "stats/share_test.h"

double flame_weight_noise(const struct flame_weight *head, const struct flame_weight *base)
{
	/* The error of a count is its root; one that is none could as well have been one. */
	double h = head->samples > 0 ? head->weight / sqrt(head->samples) : head->one;
	double b = base->samples > 0 ? base->weight / sqrt(base->samples) : base->one;

	return FLAME_NOISE_ERRORS * sqrt(SHARE_DISPERSION_LEAST * (h * h + b * b));
}

/* As symbols are judged: samples of one run hang together, so their variance is more than the binomial one. */
static double noise_of_shares(const struct flame_weight *head, double heads, const struct flame_weight *base, double bases)
{
	double pooled = (head->samples + base->samples) / (heads + bases);

	return 100 * FLAME_NOISE_ERRORS * sqrt(SHARE_DISPERSION_LEAST * pooled * (1 - pooled) * (1 / heads + 1 / bases));
}

struct flame_change flame_change_of(const struct flame_tree *tree, uint32_t node, bool self, const struct flame_options *options)
{
	const struct flame_sum *of = tree->nodes[node].side, *all = tree->nodes[0].side;
	bool shares = options->scale == FLAME_PER_TOTAL;
	struct flame_weight weights[FLAME_SIDES];
	double samples[FLAME_SIDES];

	for (int i = 0; i < FLAME_SIDES; i++) {
		double total = all[i].weight > 0 ? all[i].weight : 1, factor = options->side[i].factor > 0 ? options->side[i].factor : 1;
		double weight = self ? of[i].self : of[i].weight;

		samples[i] = fmax((double)all[i].samples, 1);
		weights[i] = (struct flame_weight){
			.weight = shares ? 100 * weight / total : weight * factor,
			.samples = (double)(self ? of[i].self_samples : of[i].samples),
			.one = total * factor / samples[i],
		};
	}
	return (struct flame_change){
		.head = weights[FLAME_HEAD].weight,
		.base = weights[FLAME_BASE].weight,
		.noise = shares ? noise_of_shares(&weights[FLAME_HEAD], samples[FLAME_HEAD], &weights[FLAME_BASE], samples[FLAME_BASE])
				: flame_weight_noise(&weights[FLAME_HEAD], &weights[FLAME_BASE]),
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
