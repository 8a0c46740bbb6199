#include "heap.hpp"
#include "route.hpp"

#include <algorithm>

namespace route {

std::vector<uint32_t> spread(const Graph &graph, uint32_t from, const Cost &cost)
{
	std::vector<uint32_t> costs(graph.size(), UINT32_MAX);
	Heap<uint32_t, uint32_t> next;

	costs[from] = 0;
	next.push(0, from);
	while (!next.empty()) {
		auto [sum, town] = next.pop();
		if (sum > costs[town])
			continue;
		for (const Edge &edge : graph.edges(town)) {
			uint32_t with = sum + cost.of(edge);
			if (with < costs[edge.to]) {
				costs[edge.to] = with;
				next.push(with, edge.to);
			}
		}
	}
	return costs;
}

std::map<uint32_t, unsigned> steps(const std::vector<uint32_t> &costs)
{
	std::map<uint32_t, unsigned> out;
	for (uint32_t cost : costs)
		out[cost / 100]++;
	return out;
}

std::vector<std::string> farthest(const Graph &graph, const std::vector<uint32_t> &costs, size_t n)
{
	std::vector<uint32_t> towns(costs.size());
	for (uint32_t i = 0; i < towns.size(); i++)
		towns[i] = i;
	std::sort(towns.begin(), towns.end(), [&](uint32_t a, uint32_t b) {
		return costs[a] != costs[b] ? costs[a] > costs[b] : a < b;
	});
	std::vector<std::string> names;
	for (size_t i = 0; i < n && i < towns.size(); i++)
		names.push_back(graph.name(towns[i]));
	return names;
}

}
