// A mill: one thread makes sacks of numbers, two threads grind them, and a store keeps the flour.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

struct Sack {
	std::uint32_t number = 0;
	std::vector<std::uint32_t> grains;
};

struct Flour {
	std::uint32_t number = 0;
	std::uint64_t weight = 0;
	std::uint32_t finest = 0;
};

// A queue of a few sacks between threads.
class Chute {
public:
	void put(Sack sack);
	bool take(Sack &sack);
	void close();

private:
	std::mutex lock;
	std::condition_variable changed;
	std::deque<Sack> sacks;
	bool closed = false;
	static constexpr std::size_t room = 16;
};

// The flour, by number.
class Store {
public:
	void add(const Flour &flour);
	void flush();
	std::uint64_t total() const;
	int open(const std::string &path);
	void finish();

private:
	std::mutex lock;
	std::map<std::uint32_t, Flour> all;
	std::vector<Flour> fresh;
	int file = -1;
	void write_out();
};

// The work of one thread; other threads may read it meanwhile.
struct alignas(128) Tally {
	std::atomic<std::uint64_t> sacks{0};
	std::atomic<std::uint64_t> grains{0};
};

Flour grind(const Sack &sack, Tally &tally);
