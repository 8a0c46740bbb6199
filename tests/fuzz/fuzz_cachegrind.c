/* Output files of cachegrind: the totals are finite and only grow, or the whole file is rejected. */
#include "measure/tools/valgrind.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct simulated before = { .instructions = 1, .branches = 2, .branch_misses = 3, .l1d_loads = 4, .l1d_misses = 5 };
	struct simulated sum = before;
	struct error err = ERROR_INIT;

	if (cachegrind_add((const char *)data, size, &sum, &err) < 0) {
		if (memcmp(&sum, &before, sizeof sum) || err.kind == ERR_NONE)
			abort();
		return 0;
	}
	if (!isfinite(sum.instructions) || sum.instructions < before.instructions || sum.branches < before.branches ||
	    sum.branch_misses < before.branch_misses || sum.l1d_loads < before.l1d_loads ||
	    sum.l1d_misses < before.l1d_misses)
		abort();
	return 0;
}
