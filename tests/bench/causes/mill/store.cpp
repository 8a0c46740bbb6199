#include "mill.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

void Chute::put(Sack sack)
{
	std::unique_lock<std::mutex> held(lock);
	changed.wait(held, [this] { return sacks.size() < room; });
	sacks.push_back(std::move(sack));
	held.unlock();
	changed.notify_all();
}

bool Chute::take(Sack &sack)
{
	std::unique_lock<std::mutex> held(lock);
	changed.wait(held, [this] { return closed || !sacks.empty(); });
	if (sacks.empty())
		return false;
	sack = std::move(sacks.front());
	sacks.pop_front();
	held.unlock();
	changed.notify_all();
	return true;
}

void Chute::close()
{
	std::lock_guard<std::mutex> held(lock);
	closed = true;
	changed.notify_all();
}

int Store::open(const std::string &path)
{
	file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
	return file < 0 ? -1 : 0;
}

void Store::write_out()
{
	std::string text;
	for (const Flour &flour : fresh) {
		char line[64];
		text.append(line, std::snprintf(line, sizeof line, "%u %llu\n", flour.number, (unsigned long long)flour.weight));
	}
	if (::write(file, text.data(), text.size()) < 0)
		std::perror("mill");
	fresh.clear();
}

void Store::add(const Flour &flour)
{
	std::lock_guard<std::mutex> held(lock);
	all[flour.number] = flour;
	fresh.push_back(flour);
	if (fresh.size() == 64)
		write_out();
}

void Store::finish()
{
	write_out();
	::close(file);
}

std::uint64_t Store::total() const
{
	std::uint64_t sum = 0;
	for (const auto &[number, flour] : all)
		sum += flour.weight ^ flour.finest ^ number;
	return sum;
}
