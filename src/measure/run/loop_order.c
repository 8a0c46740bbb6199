#include "measure/run/loop_order.h"

/* SplitMix: Steele, Lea & Flood (2014), Fast splittable pseudorandom number generators, OOPSLA. */
static uint64_t toss(uint64_t seed, unsigned i)
{
	uint64_t z = seed + (i + 1ull) * 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

bool loop_head_first(uint64_t seed, unsigned i)
{
	return toss(seed, i) >> 63;
}

/* Uses bits of the number that decide nothing else. */
size_t loop_pad(uint64_t seed, unsigned i, bool head)
{
	return (size_t)(toss(seed, i) >> (head ? 32 : 16)) % LOOP_PAD_BYTES & ~(size_t)15;
}

/* A separate random stream with one number for every two pairs. The second pair starts in the opposite order. */
bool loop_head_starts(uint64_t seed, unsigned i)
{
	return loop_head_first(~seed, i / 2) != (i % 2 == 1);
}
