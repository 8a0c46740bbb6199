/* Damaged recordings of perf: the rewrite of process numbers only sets bits, and clears none. */
#include "measure/perf/execs.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A block of the exact size, so that a sanitizer finds accesses past its end. */
	CLEANUP(free_ptr) uint8_t *recording = xmalloc(size ?: 1);

	if (size)
		memcpy(recording, data, size);
	perf_data_part_execs(recording, size);
	for (size_t i = 0; i < size; i++)
		if ((recording[i] & data[i]) != data[i])
			abort();
	return 0;
}
