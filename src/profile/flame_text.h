/* Numbers and names of flame graphs as text. Each function appends to OUT. */
#ifndef PAWL_PROFILE_FLAME_TEXT_H
#define PAWL_PROFILE_FLAME_TEXT_H

#include <stdint.h>

#include "base/strbuf.h"
#include "profile/flame.h"
#include "profile/flame_tree.h"

/* What the weights of a profile are. */
struct flame_unit {
	const char *name;	/* "samples", "cycles"; "" for weights that nobody named */
	bool time;		/* nanoseconds of a clock, shown as time */
	bool counts;		/* the weight is the number of samples, which need not be told again */
	bool scaled;		/* what is shown is the weight times a factor: flame_shown() */
};

struct flame_unit flame_unit_of(const struct stacks *stacks, const struct flame_options *options);

/* VALUE, not negative, with so many decimals (0 to 6); many times faster than printf. */
void flame_add_fixed(struct strbuf *out, double value, int decimals);
void flame_add_count(struct strbuf *out, uint64_t value);		/* "1,234,567" */
void flame_add_weight(struct strbuf *out, double weight, const struct flame_unit *unit);	/* "12.3 ms", "1,234 cycles" */
void flame_add_percent(struct strbuf *out, double part, double whole);	/* "12.34 %" */

/* What is pointed at: lines of name, numbers and file. LABELS are those of the two sides. */
void flame_add_tooltip(struct strbuf *out, const struct flame_tree *tree, uint32_t node, const struct flame_unit *unit,
		       const struct flame_options *options);

/* A weight of SIDE as it is shown: of a comparison per CPU second times the side's factor. */
double flame_shown(const struct flame_options *options, enum flame_side side, double weight);
const char *flame_label(const struct flame_options *options, enum flame_side side);

#endif
