/* Folded stacks of heaptrack's: a sum that is finite, or the text is refused. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "measure/perf/perf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = ERROR_INIT;
	double sum = -1;

	if (heaptrack_sum((const char *)data, size, &sum, &err) < 0 ? sum != -1 || err.kind == ERR_NONE : !isfinite(sum) || sum < 0)
		abort();
	return 0;
}
