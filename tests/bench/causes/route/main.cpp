#include "route.hpp"

#include <fstream>
#include <iostream>

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	route::Graph graph;
	std::ifstream file(argv[1]);
	graph.read(file);
	auto cost = route::cost_named(argv[2]);
	for (uint32_t from = 0; from < 12; from++) {
		auto costs = route::spread(graph, from * 700, *cost);
		for (auto [step, n] : route::steps(costs))
			std::cout << step << ' ' << n << '\n';
		for (const auto &name : route::farthest(graph, costs, 9))
			std::cout << name << '\n';
	}
}
