#include "route.hpp"

#include <stdexcept>

namespace route {

uint32_t Distance::of(const Edge &edge) const
{
	return edge.length;
}

uint32_t Time::of(const Edge &edge) const
{
	return edge.rail ? edge.length / 2 + 5 : edge.length;
}

std::unique_ptr<Cost> cost_named(const std::string &name)
{
	if (name == "distance")
		return std::make_unique<Distance>();
	if (name == "time")
		return std::make_unique<Time>();
	throw std::invalid_argument("no such cost: " + name);
}

}
