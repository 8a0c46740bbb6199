/* Folded stacks of heaptrack: the sum is finite and the stacks are complete, or the text is rejected. */
#include "cause/readers/heap.h"
#include "cause/ledger/work.h"
#include "measure/tools/heaptrack.h"
#include "profile/stacks.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stacks stacks = STACKS_INIT;
	struct error err = ERROR_INIT;
	struct work work = { 0 };
	double sum = -1;

	if (heaptrack_sum((const char *)data, size, &sum, &err) < 0 ? sum != -1 || err.kind == ERR_NONE : !isfinite(sum) || sum < 0)
		abort();
	if (heap_folded_read((const char *)data, size, &work, &stacks, &err) == 0 && stacks.n_events && !stacks_complete(&stacks, 0))
		abort();
	stacks_release(&stacks);
	return 0;
}
