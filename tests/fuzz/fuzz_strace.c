/* The text of strace: counts are finite and add up, with and without stacks, or the text is rejected. */
#include "cause/ledger/accesses.h"
#include "cause/ledger/system_calls.h"
#include "profile/stacks.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct system_calls calls = { 0 };
	struct accesses accesses = { 0 };
	struct stacks stacks = STACKS_INIT;
	struct error err = ERROR_INIT;
	int ret = strace_read((const char *)data, size, &calls, &err);

	if (ret < 0 && err.kind != ERR_INPUT)
		abort();
	for (size_t i = 0; i < calls.n; i++) {
		const struct system_call *call = &calls.items[i];

		if (!(call->calls >= 0) || call->errors < 0 || !(call->bytes >= 0))
			abort();
		if (system_calls_find(&calls, call->name) != call)
			abort();
	}
	if (strace_read_stacks((const char *)data, size, &stacks, NULL) != ret)
		abort();
	for (size_t i = 0; i < stacks.n_events; i++)
		if (!stacks_complete(&stacks, (uint32_t)i))
			abort();
	if (strace_read_accesses((const char *)data, size, "/folder", &accesses, NULL) != ret)
		abort();
	for (size_t i = 0; i < accesses.n; i++)
		if (!accesses.items[i].path)
			abort();
	accesses_release(&accesses);
	system_calls_release(&calls);
	stacks_release(&stacks);
	return 0;
}
