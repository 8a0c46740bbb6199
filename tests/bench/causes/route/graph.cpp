#include "route.hpp"

#include <sstream>

namespace route {

uint32_t Graph::number_of(const std::string &name)
{
	auto [found, is_new] = numbers_.try_emplace(name, static_cast<uint32_t>(names_.size()));
	if (is_new) {
		names_.push_back(name);
		edges_.emplace_back();
	}
	return found->second;
}

static uint32_t to_number(const std::string &text)
{
	uint32_t number = 0;
	for (char c : text)
		number = number * 10 + static_cast<uint32_t>(c - '0');
	return number;
}

// Splits a line into words.
static void split(const std::string &line, std::vector<std::string> &words)
{
	words.clear();
	for (size_t at = 0; at < line.size();) {
		size_t end = line.find(' ', at);
		if (end == std::string::npos)
			end = line.size();
		words.push_back(line.substr(at, end - at));
		at = end + 1;
	}
}

void Graph::read(std::istream &in)
{
	std::string line;
	std::vector<std::string> words;

	while (std::getline(in, line)) {
		split(line, words);
		if (words.size() != 4)
			continue;
		uint32_t from = number_of(words[0]), to = number_of(words[1]);
		edges_[from].push_back({ to, to_number(words[2]), words[3] == "rail" });
		edges_[to].push_back({ from, to_number(words[2]), words[3] == "rail" });
	}
}

}
