// Twenty benchmarks of 1 to 20 us for benchmarks.py. The one numbered SLOWER, from 1, does 5 % more of the same work.
// BUILD makes another program of the same source.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
#include <vector>

#ifndef SLOWER
#define SLOWER 0
#endif

// The compiler must not know it, or it would make other code.
static volatile int slower = SLOWER;
static std::vector<unsigned> numbers(1 << 16);
static std::unordered_map<unsigned, unsigned> table;

static unsigned hash(int size, unsigned from)
{
	unsigned h = from;

	for (int i = 0; i < size; i++)
		h = (h ^ numbers[i]) * 16777619u;
	return h;
}

static unsigned sort(int size, unsigned from)
{
	std::vector<unsigned> some(numbers.begin() + from % 1000, numbers.begin() + from % 1000 + size);

	std::sort(some.begin(), some.end());
	return some[0];
}

static unsigned find(int size, unsigned from)
{
	unsigned sum = 0;

	for (int i = 0; i < size; i++)
		sum += table.count(from + i);
	return sum;
}

static unsigned print(int size, unsigned from)
{
	std::string text;

	for (int i = 0; i < size; i++) {
		char number[16];

		snprintf(number, sizeof number, "%u,", numbers[i] + from);
		text += number;
	}
	return text.size();
}

static unsigned walk(int size, unsigned from)
{
	unsigned at = from;

	for (int i = 0; i < size; i++)
		at = numbers[at % numbers.size()];
	return at;
}

static const struct { const char *name; unsigned (*work)(int, unsigned); int size; } kinds[] = {
	{ "hash", hash, 16 }, { "sort", sort, 8 }, { "find", find, 4 }, { "print", print, 1 }, { "walk", walk, 16 },
};
enum { ROUNDS = 40, SLOWER_ROUNDS = 42 };

int main(int argc, char **argv)
{
	int n = 0;

	srand(1);
	for (unsigned &number : numbers)
		number = rand();
	for (unsigned i = 0; i < 2000; i += 2)
		table[i] = i;
	for (const auto &kind : kinds)
		for (int times : { 1, 2, 3, 4 }) {
			std::string name = std::string(kind.name) + "/" + std::to_string(times);
			int rounds = ++n == slower ? SLOWER_ROUNDS : ROUNDS, size = times * kind.size;

			benchmark::RegisterBenchmark(name.c_str(), [=](benchmark::State &state) {
				for (auto _ : state)
					for (int i = 0; i < rounds; i++)
						benchmark::DoNotOptimize(kind.work(size, i));
			});
		}
	benchmark::AddCustomContext("build", BUILD);
	benchmark::Initialize(&argc, argv);
	benchmark::RunSpecifiedBenchmarks();
}
