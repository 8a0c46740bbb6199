#include "base/cleanup.h"
#include "measure/clock.h"
#include "measure/pair_value.h"
#include "measure/pairloop_state.h"

/* Two clocks are not read at the same moment. */
#define SLEPT_LEAST_NS (100 * NS_PER_MS)
enum { STOLEN_TICKS = 2 };

/* Steele, Lea & Flood (2014), Fast splittable pseudorandom number generators, OOPSLA: SplitMix's mixing function. */
static uint64_t mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

/* The I-th toss, from 0, of SEED. */
static bool toss(uint64_t seed, unsigned i)
{
	return mix(seed + (i + 1ull) * 0x9e3779b97f4a7c15ull) >> 63;
}

bool pairloop_head_first(uint64_t seed, unsigned i)
{
	return toss(seed, i);
}

/* Another stream of tosses, one for every two pairs: the second starts the other way round. */
bool pairloop_head_starts(uint64_t seed, unsigned i)
{
	return toss(~seed, i / 2) != (i % 2 == 1);
}

void pair_order(bool head_first, unsigned out[SIDES])
{
	out[0] = head_first ? HEAD : BASE;
	out[1] = head_first ? BASE : HEAD;
}

static struct pair_value_spec value_spec(struct pairloop *loop, struct side *side)
{
	return (struct pair_value_spec){
		.ops = &side->given.ops, .plan = side->given.plan, .groups = &loop->groups,
		.batch = plan_attaches(side->given.plan) ? 1 : loop->state.batch, .perf = loop->options.perf, .doubts = &side->doubts,
	};
}

static uint64_t told(uint64_t (*ask)(void *ctx), const struct side *side)
{
	return ask ? ask(side->given.ops.ctx) : 0;
}

/* Both can step back a little: see clock_slept_ns(), and a CPU that goes offline takes its ticks along. */
static uint64_t rise(uint64_t before, uint64_t after)
{
	return after > before ? after - before : 0;
}

static int measure_value(struct pairloop *loop, struct side *side, struct pair_value *out, bool *stolen,
			 struct error *err)
{
	const struct pair_value_spec spec = value_spec(loop, side);
	uint64_t ticks = told(side->given.ops.stolen_ticks, side);
	const char *fault;

	if (pair_value_measure(&spec, out, err) < 0)
		return pair_blame(loop, side, err);
	*stolen = *stolen || rise(ticks, told(side->given.ops.stolen_ticks, side)) >= STOLEN_TICKS;
	fault = pair_value_fault(out);
	if (!fault)
		return 0;
	error_set(err, ERR_SYSTEM, "%s", fault);
	return pair_blame(loop, side, err);
}

/* -------- one pair */

/* What one pair is made of: of a command one value a side, of an attached target as many windows as a start serves. */
struct taken {
	struct pair_value values[SIDES][PAIRLOOP_WINDOWS_MOST];
	unsigned n[SIDES];
	bool stolen;
};

static void taken_release(struct taken *taken)
{
	for (unsigned at = 0; at < SIDES; at++)
		for (unsigned i = 0; i < taken->n[at]; i++)
			pair_value_release(&taken->values[at][i]);
}

static int measure_turn(struct pairloop *loop, unsigned at, struct taken *out, struct error *err)
{
	return measure_value(loop, &loop->sides[at], &out->values[at][out->n[at]++], &out->stolen, err);
}

/* There and back again, so that what drifts, and who has just been idle, cancels out. */
static int measure_in_turn(struct pairloop *loop, const unsigned order[SIDES], struct taken *out, struct error *err)
{
	for (unsigned round = 0; round < pair_windows(loop); round++) {
		uint64_t start = pair_now(loop);

		for (unsigned i = 0; i < SIDES; i++)
			if (measure_turn(loop, order[round % 2 ? SIDES - 1 - i : i], out, err) < 0)
				return -1;
		pair_choose_windows(loop, pair_now(loop) - start);
	}
	return 0;
}

static int measure_windows(struct pairloop *loop, unsigned at, struct taken *out, struct error *err)
{
	for (unsigned round = 0; round < pair_windows(loop); round++) {
		uint64_t start = pair_now(loop);

		if (measure_turn(loop, at, out, err) < 0)
			return -1;
		pair_choose_windows(loop, SIDES * (pair_now(loop) - start));
	}
	return 0;
}

static int measure_afresh(struct pairloop *loop, const unsigned order[SIDES], struct taken *out, struct error *err)
{
	int ret = 0;

	for (unsigned i = 0; ret == 0 && i < SIDES; i++) {
		ret = pair_side_enter(loop, &loop->sides[order[i]], err);
		if (ret == 0)
			ret = measure_windows(loop, order[i], out, err);
		pair_side_down(&loop->sides[order[i]]);
	}
	return ret;
}

/* Both sides of the next pair, into OUT, which holds nothing. */
static int measure_both(struct pairloop *loop, struct taken *out, struct error *err)
{
	const struct side *witness = &loop->sides[HEAD];
	uint64_t slept = told(witness->given.ops.slept_ns, witness);
	unsigned order[SIDES];

	pair_order(pairloop_head_first(loop->options.seed, loop->state.pairs), order);
	if ((pair_is_afresh(loop) ? measure_afresh : measure_in_turn)(loop, order, out, err) < 0)
		return -1;
	slept = rise(slept, told(witness->given.ops.slept_ns, witness));
	if (slept < SLEPT_LEAST_NS)
		return 0;
	loop->blamed = NULL;
	return error_set(err, ERR_SYSTEM, "the machine slept for %.3g s", (double)slept / NS_PER_S);
}

static void keep(struct pairloop *loop, struct pair_value values[SIDES])
{
	bool head_first = pairloop_head_first(loop->options.seed, loop->state.pairs);

	for (unsigned i = 0; i < SIDES; i++) {
		const struct pair_value_spec spec = value_spec(loop, &loop->sides[i]);
		struct scenario_result *result = loop->sides[i].given.result;

		pair_value_store(&values[i], &spec, result);
		result->runs[result->n_runs - 1].first = head_first == (i == HEAD);
	}
	loop->state.pairs++;
}

/* One in ten of those wanted, and one of fewer. */
unsigned pair_allowance(const struct pairloop *loop)
{
	return loop->wanted < 20 ? 1 : loop->wanted / 10;
}

static bool split(struct pairloop *loop, const struct pair_value values[SIDES])
{
	return pair_value_split(&values[BASE], &loop->groups, &loop->notes) ||
	       pair_value_split(&values[HEAD], &loop->groups, &loop->notes);
}

static int try_pair(struct pairloop *loop, struct taken *taken, struct pair_value values[SIDES], struct error *err)
{
	if (measure_both(loop, taken, err) < 0)
		return -1;
	for (unsigned at = 0; at < SIDES; at++)
		pair_value_mean(taken->values[at], taken->n[at], &values[at]);
	if (split(loop, values))
		return 0;
	if (taken->stolen && loop->state.rerun < pair_allowance(loop))
		loop->state.rerun++;
	else
		keep(loop, values);
	return 0;
}

int pair_once(struct pairloop *loop, struct error *err)
{
	struct pair_value values[SIDES] = { 0 };
	struct taken taken = { 0 };
	int ret = try_pair(loop, &taken, values, err);

	for (unsigned i = 0; i < SIDES; i++)
		pair_value_release(&values[i]);
	taken_release(&taken);
	return ret;
}

int pair_base_alone(struct pairloop *loop, size_t values, struct error *err)
{
	struct side *base = &loop->sides[BASE];
	struct pair_value_spec spec = value_spec(loop, base);
	int ret = base->is_up ? 0 : pair_side_up(base, err);

	spec.batch = 1;
	while (ret == 0 && base->given.result->n_runs < values) {
		struct pair_value value = { 0 };

		ret = pair_value_measure(&spec, &value, err);
		if (ret == 0)
			pair_value_store(&value, &spec, base->given.result);
		pair_value_release(&value);
	}
	return ret;
}
