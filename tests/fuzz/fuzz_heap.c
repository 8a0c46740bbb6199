/* Files of massif: read completely, with consistent sums, or rejected. */
#include "profile/folded.h"
#include "profile/foreign.h"
#include "profile/names.h"
#include "profile/stacks.h"
#include "fuzz.h"

static void check(int (*reader)(const char *text, size_t len, struct stacks *out, struct error *err), const uint8_t *data, size_t size)
{
	struct stacks stacks = STACKS_INIT;
	struct strbuf folded = STRBUF_INIT;
	struct error err = ERROR_INIT;

	if (reader((const char *)data, size, &stacks, &err) == 0) {
		names_resolve(&stacks);
		if (folded_write(&stacks, FOLDED_BY_TEXT, &folded, &err) < 0)
			abort();
	} else if (err.kind != ERR_INPUT || !err.msg[0]) {
		abort();
	}
	strbuf_release(&folded);
	stacks_release(&stacks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check(massif_read, data, size);
	return 0;
}
