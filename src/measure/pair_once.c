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
		.ops = &side->given.ops, .plan = side->given.plan, .groups = &loop->groups, .batch = loop->state.batch,
		.perf = loop->options.perf, .doubts = &side->doubts,
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

static int measure_side(struct pairloop *loop, struct side *side, struct pair_value *out, bool *stolen,
			struct error *err)
{
	int ret;

	if (!pair_is_afresh(loop))
		return measure_value(loop, side, out, stolen, err);
	ret = pair_side_enter(loop, side, err);
	if (ret == 0)
		ret = measure_value(loop, side, out, stolen, err);
	pair_side_down(side);
	return ret;
}

/* Both sides of the next pair, into VALUES, which hold nothing. */
static int measure_both(struct pairloop *loop, struct pair_value values[SIDES], bool *stolen_out, struct error *err)
{
	const struct side *witness = &loop->sides[HEAD];
	uint64_t slept = told(witness->given.ops.slept_ns, witness);
	unsigned order[SIDES];

	*stolen_out = false;
	pair_order(pairloop_head_first(loop->options.seed, loop->state.pairs), order);
	for (unsigned i = 0; i < SIDES; i++)
		if (measure_side(loop, &loop->sides[order[i]], &values[order[i]], stolen_out, err) < 0)
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

static int try_pair(struct pairloop *loop, struct pair_value values[SIDES], struct error *err)
{
	bool stolen;

	if (measure_both(loop, values, &stolen, err) < 0)
		return -1;
	if (split(loop, values))
		return 0;
	if (stolen && loop->state.rerun < pair_allowance(loop))
		loop->state.rerun++;
	else
		keep(loop, values);
	return 0;
}

int pair_once(struct pairloop *loop, struct error *err)
{
	struct pair_value values[SIDES] = { 0 };
	int ret = try_pair(loop, values, err);

	for (unsigned i = 0; i < SIDES; i++)
		pair_value_release(&values[i]);
	return ret;
}
