// feed ORDERS OUT: sums up orders by customer and writes those of the largest ones.
#include "pugixml.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

struct Customer {
	std::string name;
	long cents = 0;
	unsigned orders = 0;
};

class Ledger {
public:
	void add(const std::string &name, long cents)
	{
		auto found = places.find(name);
		if (found == places.end()) {
			found = places.emplace(name, customers.size()).first;
			customers.push_back({name, 0, 0});
		}
		Customer &customer = customers[found->second];
		customer.cents += cents;
		customer.orders++;
	}

	std::vector<Customer> largest(std::size_t count) const
	{
		std::vector<Customer> all(customers);
		std::sort(all.begin(), all.end(), [](const Customer &a, const Customer &b) {
			return a.cents != b.cents ? a.cents > b.cents : a.name < b.name;
		});
		all.resize(std::min(count, all.size()));
		return all;
	}

private:
	std::unordered_map<std::string, std::size_t> places;
	std::vector<Customer> customers;
};

long total(const pugi::xml_node &order)
{
	long cents = 0;
	for (pugi::xml_node line : order.children("line"))
		cents += line.attribute("count").as_int() * line.attribute("cents").as_int();
	return cents;
}

void mark_large(pugi::xml_node orders)
{
	for (pugi::xml_node order : orders.children("order"))
		if (total(order) > 20000)
			order.append_attribute("large") = "yes";
}

} // namespace

int main(int argc, char **argv)
{
	pugi::xml_document document;
	if (argc != 3 || !document.load_file(argv[1])) {
		std::fprintf(stderr, "feed: ORDERS and OUT are wanted\n");
		return 1;
	}
	Ledger ledger;
	for (pugi::xml_node order : document.child("orders").children("order"))
		ledger.add(order.attribute("customer").value(), total(order));
	mark_large(document.child("orders"));
	pugi::xml_node top = document.append_child("largest");
	for (const Customer &customer : ledger.largest(25)) {
		pugi::xml_node one = top.append_child("customer");
		one.append_attribute("name") = customer.name.c_str();
		one.append_attribute("cents") = static_cast<long long>(customer.cents);
	}
	return document.save_file(argv[2]) ? 0 : 1;
}
