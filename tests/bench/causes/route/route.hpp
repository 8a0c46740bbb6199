#pragma once
#include <cstdint>
#include <istream>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace route {

struct Edge {
	uint32_t to;
	uint32_t length;
	bool rail;
};

class Graph {
public:
	void read(std::istream &in);
	uint32_t number_of(const std::string &name);
	const std::vector<Edge> &edges(uint32_t town) const { return edges_[town]; }
	const std::string &name(uint32_t town) const { return names_[town]; }
	size_t size() const { return names_.size(); }

private:
	std::unordered_map<std::string, uint32_t> numbers_;
	std::vector<std::string> names_;
	std::vector<std::vector<Edge>> edges_;
};

class Cost {
public:
	virtual ~Cost() = default;
	virtual uint32_t of(const Edge &edge) const = 0;
};

class Distance final : public Cost {
public:
	uint32_t of(const Edge &edge) const override;
};

class Time final : public Cost {
public:
	uint32_t of(const Edge &edge) const override;
};

std::unique_ptr<Cost> cost_named(const std::string &name);

// Returns the cost of the way from one town to each other.
std::vector<uint32_t> spread(const Graph &graph, uint32_t from, const Cost &cost);
// Returns the number of towns by distance, in steps.
std::map<uint32_t, unsigned> steps(const std::vector<uint32_t> &costs);
// Returns the names of the farthest towns.
std::vector<std::string> farthest(const Graph &graph, const std::vector<uint32_t> &costs, size_t n);

}
