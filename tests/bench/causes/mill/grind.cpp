#include "mill.hpp"

#include <algorithm>

namespace {

std::uint32_t crush(std::uint32_t grain)
{
	for (int turn = 0; turn < 14; turn++) {
		grain ^= grain >> 16;
		grain *= 0x7feb352dU;
		grain ^= grain >> 15;
	}
	return grain;
}

} // namespace

Flour grind(const Sack &sack, Tally &tally)
{
	Flour flour{sack.number, 0, UINT32_MAX};
	for (std::uint32_t grain : sack.grains) {
		std::uint32_t dust = crush(grain);
		flour.weight += dust & 0xffff;
		flour.finest = std::min(flour.finest, dust);
		tally.grains.fetch_add(1, std::memory_order_relaxed);
	}
	tally.sacks.fetch_add(1, std::memory_order_relaxed);
	return flour;
}
