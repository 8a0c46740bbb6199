/* Context switches as perf script prints them: times are finite and add up, or the text is rejected. */
#include "cause/readers/offcpu.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/system_calls.h"
#include "profile/stacks.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct own_code own = { .root = "/srv/app" };
	struct stacks stacks = STACKS_INIT;
	struct offcpu *offcpu = offcpu_new(&stacks, &own, "pawl-keeper");
	struct offcpu_times times;
	struct error err = ERROR_INIT;
	size_t piece = size ? 1 + data[0] : 1;
	double waited = 0, held = 0;
	int ret = 0;

	for (size_t at = 0; ret == 0 && at < size; at += piece)
		ret = offcpu_feed(offcpu, (const char *)data + at, size - at < piece ? size - at : piece, &err);
	if (ret == 0)
		ret = offcpu_end(offcpu, &times, &err);
	if (ret < 0 && err.kind != ERR_INPUT)
		abort();
	for (int kind = 0; ret == 0 && kind < WAIT_KINDS; kind++) {
		if (!isfinite(times.waited_ns[kind]) || times.waited_ns[kind] < 0 || !(times.held_ns[kind] >= 0))
			abort();
		waited += times.waited_ns[kind];
		held += times.held_ns[kind];
	}
	if (ret == 0 && held + times.others_ns + times.first_cpu_ns > times.first_ns * (1 + 1e-9))
		abort();
	for (size_t i = 0; ret == 0 && i < stacks.n_events; i++)
		if (!stacks_complete(&stacks, (uint32_t)i) || (i == 0 && fabs(stacks.events[i].weight - waited) > 1e-6 * waited))
			abort();
	offcpu_free(offcpu);
	stacks_release(&stacks);
	return 0;
}
