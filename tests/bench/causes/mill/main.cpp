#include "mill.hpp"

#include <cstdio>
#include <thread>

namespace {

Chute chute;
Store store;

Sack fill(std::uint32_t number)
{
	Sack sack;
	sack.number = number;
	sack.grains.reserve(1500);
	std::uint32_t x = number * 2654435761U + 1;
	for (int i = 0; i < 1500; i++) {
		x = x * 1664525U + 1013904223U;
		sack.grains.push_back(x);
	}
	return sack;
}

void work(Tally *tally)
{
	Sack sack;
	while (chute.take(sack))
		store.add(grind(sack, *tally));
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 2 || store.open(argv[1])) {
		std::fprintf(stderr, "mill: a file to write is wanted\n");
		return 1;
	}
	static Tally tallies[2];
	std::thread one(work, &tallies[0]), two(work, &tallies[1]);
	for (std::uint32_t number = 0; number < 6000; number++)
		chute.put(fill(number));
	chute.close();
	one.join();
	two.join();
	store.finish();
	std::printf("%llu %llu\n", (unsigned long long)store.total(), (unsigned long long)(tallies[0].grains + tallies[1].grains));
	return 0;
}
