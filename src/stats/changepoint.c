#include "stats/stats.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* Quantile of the standard normal, two-sided 5 %. Below it, ranks do not show a change of level. */
#define LEVEL_Z 1.96

/* Limit for the rounds of rechecking neighbours. More rounds never changed a tested series. */
enum { ROUNDS_MOST = 8 };

/*
 * The number of tossed orders, including the original, that may have a split as good: at least RARE, and TOSSED / n if
 * that is more. A short series has few splits that are rare enough, and chance must not decide which: with 16 values,
 * five at the end are, four are not.
 */
enum { RARE = 2, TOSSED = 640 };

/* A segment before it is split: its values, their ranks, and a Fenwick tree over the ranks. */
struct segment {
	double *values;		/* relative to their median, which keeps the sums small */
	size_t *ranks;		/* from 1, ties in order */
	double *middle_ranks;	/* centred on 0; ties share a mean rank */
	double *away;		/* for each value, the sum of its distances to all others */
	double total;		/* the sum of the distances of all pairs */
	size_t n;
	size_t *order;		/* the order of visiting the values */
	double *sums;		/* the Fenwick tree */
	unsigned *counts;
};

struct split {
	size_t at;		/* index of the first value on the right */
	double q;		/* 0: no split */
};

static void segment_release(struct segment *s)
{
	free(s->values);
	free(s->ranks);
	free(s->middle_ranks);
	free(s->away);
	free(s->order);
	free(s->sums);
	free(s->counts);
}

struct ordered {
	double value;
	size_t at;
};

static int by_value(const void *a, const void *b)
{
	const struct ordered *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return (x->at > y->at) - (x->at < y->at);
}

static void segment_init(struct segment *s, const double *values, size_t n)
{
	CLEANUP(free_ptr) struct ordered *sorted = xcalloc(n, sizeof *sorted);
	double middle = stats_median(values, n), below = 0, all = 0;

	*s = (struct segment){
		.values = xcalloc(n, sizeof *s->values), .ranks = xcalloc(n, sizeof *s->ranks),
		.middle_ranks = xcalloc(n, sizeof *s->middle_ranks), .away = xcalloc(n, sizeof *s->away),
		.n = n, .order = xcalloc(n, sizeof *s->order), .sums = xcalloc(n + 1, sizeof *s->sums),
		.counts = xcalloc(n + 1, sizeof *s->counts),
	};
	for (size_t i = 0; i < n; i++) {
		s->order[i] = i;
		s->values[i] = values[i] - middle;
		sorted[i] = (struct ordered){ s->values[i], i };
		all += s->values[i];
	}
	qsort(sorted, n, sizeof *sorted, by_value);
	for (size_t i = 0; i < n; i++) {
		double value = sorted[i].value, away = value * (double)i - below + (all - below) - value * (double)(n - i);

		s->ranks[sorted[i].at] = i + 1;
		s->away[sorted[i].at] = away;
		s->total += away / 2;
		below += value;
	}
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && sorted[end].value == sorted[i].value; end++)
			;
		for (size_t k = i; k < end; k++)
			s->middle_ranks[sorted[k].at] = ((double)i + (double)end - (double)n) / 2;
	}
}

/* Counts and sums the visited values that are not above the value of RANK. */
static void tree_below(const struct segment *s, size_t rank, unsigned *count, double *sum)
{
	for (*count = 0, *sum = 0; rank; rank &= rank - 1) {
		*count += s->counts[rank];
		*sum += s->sums[rank];
	}
}

static void tree_add(struct segment *s, size_t rank, double value)
{
	for (; rank <= s->n; rank += rank & -rank) {
		s->counts[rank]++;
		s->sums[rank] += value;
	}
}

/*
 * Returns the best split of the values in their order. Sums within and between both sides are updated value by value.
 */
static struct split segment_split(struct segment *s)
{
	struct split best = { 0 };
	double left = 0, between = 0, seen = 0;

	memset(s->sums, 0, (s->n + 1) * sizeof *s->sums);
	memset(s->counts, 0, (s->n + 1) * sizeof *s->counts);
	for (size_t i = 0; i + CHANGEPOINT_SEGMENT < s->n; i++) {
		size_t at = s->order[i];
		double value = s->values[at], sum, near, m = (double)i + 1, n = (double)(s->n - i) - 1, q;
		unsigned count;

		tree_below(s, s->ranks[at], &count, &sum);
		near = value * count - sum + (seen - sum) - value * (double)(i - count);
		tree_add(s, s->ranks[at], value);
		seen += value;
		left += near;
		between += s->away[at] - 2 * near;
		if (i + 1 < CHANGEPOINT_SEGMENT)
			continue;
		q = m * n / (m + n) * (2 * between / (m * n) - 2 * left / (m * (m - 1)) -
				       2 * (s->total - left - between) / (n * (n - 1)));
		if (q > best.q)
			best = (struct split){ i + 1, q };
	}
	return best;
}

/*
 * Returns the stretch of values that differs most from all others, by mean ranks. Lengths grow by a quarter: a length
 * in between overlaps with a neighbour by nine tenths.
 */
static struct split stretch_split(struct segment *s)
{
	struct split best = { 0 };
	size_t n = s->n;

	for (size_t length = CHANGEPOINT_SEGMENT; length + 2UL * CHANGEPOINT_SEGMENT <= n; length += length / 4 ?: 1) {
		double part = (double)length / (double)n, sum = 0, most = 0;
		size_t at = 0;

		for (size_t i = CHANGEPOINT_SEGMENT; i < CHANGEPOINT_SEGMENT + length; i++)
			sum += s->middle_ranks[s->order[i]];
		for (size_t from = CHANGEPOINT_SEGMENT;; from++) {
			if (fabs(sum) > most) {
				most = fabs(sum);
				at = from;
			}
			if (from + length + CHANGEPOINT_SEGMENT == n)
				break;
			sum += s->middle_ranks[s->order[from + length]] - s->middle_ranks[s->order[from]];
		}
		if (most * most / ((double)length * (1 - part)) > best.q)
			best = (struct split){ at, most * most / ((double)length * (1 - part)) };
	}
	return best;
}

/* Vigna's splitmix64. It passes the usual tests of randomness and needs one number of state. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static void shuffle(size_t *order, size_t n, uint64_t *random)
{
	for (size_t i = n; i > 1; i--) {
		size_t with = (size_t)((next_random(random) >> 32) * i >> 32), kept = order[i - 1];

		order[i - 1] = order[with];
		order[with] = kept;
	}
}

/* True if at most LEVEL of all orders of S have a split as good as FOUND. Stops as soon as the answer must be no. */
static bool is_rare(struct segment *s, struct split (*best_of)(struct segment *s), struct split found, double level, double *p_out)
{
	unsigned rare = s->n < TOSSED / RARE ? (unsigned)(TOSSED / s->n) : RARE, orders = (unsigned)ceil(rare / level), as_good = 1;
	uint64_t random = 20141;

	for (size_t i = 0; i < s->n; i++)
		s->order[i] = i;
	for (unsigned i = 1; i < orders; i++) {
		shuffle(s->order, s->n, &random);
		as_good += best_of(s).q >= found.q * (1 - 1e-9);
		if (as_good > rare)
			return false;
	}
	*p_out = (double)as_good / orders;
	return true;
}

/*
 * Finds the best split of VALUES, if it is rarer than LEVEL. A level that changes and returns hardly shows when the
 * series is cut in two, so it is searched for as a stretch. Each of the two tests has half of LEVEL.
 */
static bool find_split(const double *values, size_t n, double level, size_t *at_out, double *p_out)
{
	CLEANUP(segment_release) struct segment s = { 0 };
	struct split found;

	if (n < 2UL * CHANGEPOINT_SEGMENT)
		return false;
	segment_init(&s, values, n);
	found = segment_split(&s);
	/* If all values are equal, the rounding error left is not a distance. */
	if (!(s.total > 0) || !(found.q > 1e-9 * s.total / (double)n))
		return false;
	if (!is_rare(&s, segment_split, found, level / 2, p_out)) {
		for (size_t i = 0; i < n; i++)
			s.order[i] = i;
		found = stretch_split(&s);
		if (!(found.q > 0) || !is_rare(&s, stretch_split, found, level / 2, p_out))
			return false;
	}
	*p_out *= 2;
	*at_out = found.at;
	return true;
}

struct points {
	struct changepoint *items;
	size_t n, cap;
};

static void add_splits(const double *values, size_t from, size_t to, double level, struct points *out)
{
	size_t at;
	double p;

	/*
	 * Recurse into the deeper half first and loop on the other, which bounds the depth to that of a balanced tree.
	 */
	while (find_split(values + from, to - from, level, &at, &p)) {
		size_t middle = from + at;

		*VEC_ADD(out->items, out->n, out->cap) = (struct changepoint){ .at = middle, .p = p };
		if (middle - from < to - middle) {
			add_splits(values, from, middle, level, out);
			from = middle;
		} else {
			add_splits(values, middle, to, level, out);
			to = middle;
		}
	}
}

static int by_place(const void *a, const void *b)
{
	size_t x = ((const struct changepoint *)a)->at, y = ((const struct changepoint *)b)->at;

	return (x > y) - (x < y);
}

/*
 * Searches for each point again between its neighbours, which were unknown when it was found. True if one moved or
 * vanished.
 */
static bool look_again(const double *values, size_t n, double level, struct points *points)
{
	bool changed = false;

	for (size_t i = 0; i < points->n;) {
		struct changepoint *point = &points->items[i];
		size_t from = i ? point[-1].at : 0, to = i + 1 < points->n ? point[1].at : n, at;

		if (!find_split(values + from, to - from, level, &at, &point->p)) {
			memmove(point, point + 1, (--points->n - i) * sizeof *point);
			changed = true;
			continue;
		}
		changed |= point->at != from + at;
		point->at = from + at;
		i++;
	}
	return changed;
}

/* True if the ranks of X and Y show a difference in level: Mann & Whitney's statistic as a z score. */
static bool level_differs(const double *x, size_t nx, const double *y, size_t ny)
{
	CLEANUP(free_ptr) double *sorted = xcalloc(ny, sizeof *sorted);
	double m = (double)nx, n = (double)ny, above = 0;

	memcpy(sorted, y, ny * sizeof *sorted);
	stats_sort(sorted, ny);
	for (size_t i = 0; i < nx; i++) {
		size_t low = SEARCH_FIRST(k, ny, sorted[k] >= x[i]), high = SEARCH_FIRST(k, ny, sorted[k] > x[i]);

		above += (double)(low + high) / 2;
	}
	return fabs(above - m * n / 2) >= LEVEL_Z * sqrt(m * n * (m + n + 1) / 12);
}

static void describe(const double *values, size_t n, struct points *points)
{
	for (size_t i = 0; i < points->n; i++) {
		struct changepoint *point = &points->items[i];
		size_t from = i ? point[-1].at : 0, to = i + 1 < points->n ? point[1].at : n;

		point->before = stats_median(values + from, point->at - from);
		point->after = stats_median(values + point->at, to - point->at);
		point->spread = !level_differs(values + from, point->at - from, values + point->at, to - point->at);
	}
}

size_t changepoints_find(const double *values, size_t n, double level, struct changepoint **out)
{
	CLEANUP(free_ptr) double *known = xcalloc(n ?: 1, sizeof *known);
	CLEANUP(free_ptr) size_t *places = xcalloc(n ?: 1, sizeof *places);
	struct points points = { 0 };
	size_t kept = 0;

	for (size_t i = 0; i < n; i++) {
		if (!isfinite(values[i]))
			continue;
		known[kept] = values[i];
		places[kept++] = i;
	}
	add_splits(known, 0, kept, level, &points);
	if (points.n)
		qsort(points.items, points.n, sizeof *points.items, by_place);
	for (unsigned round = 0; points.n > 1 && round < ROUNDS_MOST && look_again(known, kept, level, &points); round++)
		;
	describe(known, kept, &points);
	for (size_t i = 0; i < points.n; i++)
		points.items[i].at = places[points.items[i].at];
	*out = points.items;
	return points.n;
}
