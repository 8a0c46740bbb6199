/* How much a frame's inclusive or self weight changed between two profiles, and whether the samples can tell. */
#ifndef PAWL_PROFILE_FLAME_CHANGE_H
#define PAWL_PROFILE_FLAME_CHANGE_H

#include "profile/flame.h"
#include "profile/flame_tree.h"

/* How many standard errors a change is beyond noise, which one frame in a thousand passes by chance; see gate/symbol_rule.h. */
#define FLAME_NOISE_ERRORS 3.1

struct flame_change {
	double head, base;	/* percent of each side's total, or weight times factor: see enum flame_scale */
	double noise;		/* a change up to this is what sampling makes of equal programs */
};

struct flame_change flame_change_of(const struct flame_tree *tree, uint32_t node, bool self, const struct flame_options *options);
bool flame_change_shows(const struct flame_change *change);
/* The largest inclusive change beyond noise of all nodes. */
double flame_change_largest(const struct flame_tree *tree, const struct flame_options *options);
/* 0 inside the noise, else from 1 to FLAME_LEVELS by the part that CHANGE is of LARGEST; negative when it fell. */
enum { FLAME_LEVELS = 6 };
int flame_change_level(const struct flame_change *change, double largest);

/* The noise of the difference of two weights of so many samples; ONE is what a single sample weighs on that side. */
struct flame_weight {
	double weight, samples, one;
};
double flame_weight_noise(const struct flame_weight *head, const struct flame_weight *base);

#endif
