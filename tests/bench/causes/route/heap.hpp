// A heap of the towns to visit next.
#pragma once
#include <cstddef>
#include <utility>
#include <vector>

template <typename Key, typename Value> class Heap {
public:
	bool empty() const { return items.empty(); }
	void push(Key key, Value value)
	{
		items.emplace_back(key, value);
		std::size_t at = items.size() - 1;
		while (at > 0 && items[at].first < items[(at - 1) / 2].first) {
			std::swap(items[at], items[(at - 1) / 2]);
			at = (at - 1) / 2;
		}
	}
	std::pair<Key, Value> pop()
	{
		auto top = items.front();
		items.front() = items.back();
		items.pop_back();
		for (std::size_t at = 0, least = 0;; at = least) {
			for (std::size_t child = 2 * at + 1; child <= 2 * at + 2 && child < items.size(); child++)
				if (items[child].first < items[least].first)
					least = child;
			if (least == at)
				return top;
			std::swap(items[at], items[least]);
		}
	}

private:
	std::vector<std::pair<Key, Value>> items;
};
