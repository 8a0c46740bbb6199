#include "gate/paired.h"

#include <math.h>

#include "stats/order.h"
#include "stats/signrank.h"

/* For the whole suite; a quarter of it for each look, so that there are never more than four. */
#define ERROR_ACCUSING 0.01
#define ERROR_CLEARING 0.02
/* What logarithms may be off by, as a part of the tolerance, where exactly the tolerance must pass. */
#define ROUNDING 1e-9
/* The number of pairs still needed is an estimate; so much more is named. */
#define CAUTION 1.2
/* Where pairs are too few for bounds: eleven times in every one of them is no noise, see docs/deciding.md. */
#define GROSS 2.4
enum { FEWEST = 10, LOOKS_MOST = 4, BUDGETS_MOST = 4, PAIRS_FOR_SPREAD = 10 };

static const unsigned later_looks[] = { 20, 30 };

static double look_error(unsigned gates)
{
	return ERROR_ACCUSING / (LOOKS_MOST * (double)(gates ?: 1));
}

unsigned paired_first_look(unsigned gates)
{
	unsigned n = 1;

	/* As many as have a chance below the error to fall all on one side. */
	for (double chance = 0.5; chance > look_error(gates); chance /= 2)
		n++;
	return n > FEWEST ? n : FEWEST;
}

static unsigned last_look(const struct paired_terms *terms)
{
	unsigned most = terms->pairs_most ?: PAIRS_MOST;

	return most < SIGNRANK_MOST ? most : SIGNRANK_MOST;
}

unsigned paired_next_look(const struct paired_terms *terms, unsigned n)
{
	unsigned first = paired_first_look(terms->gates), last = last_look(terms);

	if (n >= last)
		return 0;
	if (n < first)
		return first < last ? first : last;
	for (size_t i = 0; i < sizeof later_looks / sizeof later_looks[0]; i++)
		if (later_looks[i] > n && later_looks[i] < last)
			return later_looks[i];
	return last;
}

double paired_tolerance_pct(const struct gate *gate)
{
	if (gate->by_default && gate->calibrated_pct > 0)
		return gate->calibrated_pct;
	if (gate->by_default && gate->metric->paired_tolerance_pct > 0)
		return gate->metric->paired_tolerance_pct;
	return gate->tolerance_pct;
}

double paired_tolerance(const struct gate *gate)
{
	double t = paired_tolerance_pct(gate) / 100;

	return gate->metric->higher_is_better ? -log1p(-t) : log1p(t);
}

/* Measured, see docs/deciding.md. */
double paired_power_factor(size_t n)
{
	static const double at[] = { 10, 20, 30 }, factors[] = { 3.9, 3.2, 2.9 };
	size_t last = sizeof at / sizeof at[0] - 1, i = 0;

	if ((double)n >= at[last])
		return factors[last];
	if ((double)n < at[0])
		return factors[0];
	while ((double)n >= at[i + 1])
		i++;
	return factors[i] + (factors[i + 1] - factors[i]) * ((double)n - at[i]) / (at[i + 1] - at[i]);
}

static double detectable(const double *differences, size_t n)
{
	if (n < PAIRS_FOR_SPREAD)
		return NAN;
	return paired_power_factor(n) * stats_sd(differences, PAIRS_FOR_SPREAD) / sqrt((double)n);
}

/* How many pairs would decide, by the interval growing narrower about this estimate; INFINITY when none would. */
static double pairs_wanted(const struct paired *p, const struct paired_terms *terms)
{
	bool below = p->estimate < terms->tolerance;
	double reach = below ? p->high - p->estimate : p->estimate - p->low;
	double room = below ? terms->tolerance - p->estimate : p->estimate - terms->floor;

	return room > 0 ? p->pairs * pow(reach / room, 2) * CAUTION : INFINITY;
}

static double pairs_missing(const struct paired *p, const struct paired_terms *terms)
{
	double wanted;

	if (p->too_few)
		return paired_first_look(terms->gates) - (double)p->pairs;
	wanted = pairs_wanted(p, terms);
	if (wanted > (double)BUDGETS_MOST * last_look(terms))
		return INFINITY;
	return fmax(ceil(wanted - p->pairs), 1);
}

/* What the first N pairs are, not what they mean; the bounds are those of accusing and of clearing. */
static void describe(const double *d, size_t n, const struct paired_terms *terms, struct paired *out)
{
	struct shift shift;

	signrank_shift(d, n, look_error(terms->gates), ERROR_CLEARING, &shift);
	*out = (struct paired){
		.verdict = VERDICT_INCONCLUSIVE, .pairs = (unsigned)n, .estimate = shift.estimate, .low = shift.low,
		.high = shift.high, .detectable = detectable(d, n), .more = NAN,
		.too_few = n < paired_first_look(terms->gates),
	};
}

static enum verdict judge(const struct paired *p, const struct paired_terms *terms)
{
	double tolerance = terms->tolerance * (1 + ROUNDING);

	if (p->low > terms->floor && p->estimate > tolerance)
		return VERDICT_REGRESSION;
	return p->high <= tolerance ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
}

/* The mirror image of a regression, with the errors of both bounds exchanged; false, leaving *P alone, when it is none. */
static bool credit(const double *d, const struct paired_terms *terms, struct paired *p)
{
	struct shift shift;

	if (!(p->estimate < -terms->tolerance * (1 + ROUNDING)))
		return false;
	signrank_shift(d, p->pairs, ERROR_CLEARING, look_error(terms->gates), &shift);
	if (!(shift.high < -terms->floor))
		return false;
	p->low = shift.low;
	p->high = shift.high;
	return true;
}

/* One look: returns true when it decides. */
static bool look_at(const double *d, size_t n, const struct paired_terms *terms, struct paired *out)
{
	describe(d, n, terms, out);
	if (out->too_few)
		out->verdict = stats_least(d, n) > GROSS && out->estimate > terms->tolerance ? VERDICT_REGRESSION : VERDICT_INCONCLUSIVE;
	else
		out->verdict = credit(d, terms, out) ? VERDICT_IMPROVEMENT : judge(out, terms);
	out->decided = out->verdict != VERDICT_INCONCLUSIVE;
	return out->decided;
}

bool paired_decide(const double *differences, size_t n, bool ended, const struct paired_terms *terms, struct paired *out)
{
	struct paired found = { 0 };
	unsigned look = paired_next_look(terms, 0);

	if (!n || !stats_all_finite(differences, n))
		return false;
	while (look && look <= n && !look_at(differences, look, terms, &found))
		look = paired_next_look(terms, look);
	if (!found.decided && look && found.pairs < n) {
		if (ended)
			look_at(differences, n, terms, &found);
		else
			describe(differences, n, terms, &found);
	}
	if (!found.decided)
		found.more = pairs_missing(&found, terms);
	*out = found;
	return true;
}

/* The logarithm of VALUE, which stands beside OTHER, where one of them is not 0. */
static double log_beside(const struct metric *metric, double value, double other)
{
	/* What can be told from nothing; of quotients one part in a million, as of a million events. */
	static const double least[] = {
		[UNIT_COUNT] = 1, [UNIT_MS] = 1e-3, [UNIT_BYTES] = 4096, [UNIT_RATIO] = 1e-6, [UNIT_FRACTION] = 1e-6, [UNIT_HZ] = 1,
	};

	/* A printed figure, or the mean of a batch, may be smaller than that: nothing is less than something all the same. */
	return log(value > 0 ? value : fmin(least[metric->unit], other) / 2);
}

static double difference(const struct metric *metric, double base, double head)
{
	double d = base == head ? 0 : log_beside(metric, head, base) - log_beside(metric, base, head);

	return metric->higher_is_better ? -d : d;
}

size_t paired_differences(const struct metric *metric, const double *base, const double *head, size_t n, double *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (base[i] >= 0 && head[i] >= 0 && isfinite(base[i]) && isfinite(head[i]))
			out[kept++] = difference(metric, base[i], head[i]);
	return kept;
}
