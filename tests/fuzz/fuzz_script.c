/* Text of perf script, in pieces of the size in the first byte: the size does not change the stacks, and none is lost. */
#include "profile/script.h"
#include "profile/stacks.h"
#include "fuzz.h"

static int read_pieces(const char *text, size_t len, size_t piece, struct stacks *out)
{
	struct error err = ERROR_INIT;
	struct script *script = script_new(out);
	int status = 0;

	for (size_t at = 0; at < len && !status; at += piece)
		status = script_feed(script, text + at, len - at < piece ? len - at : piece, &err);
	status = status || script_end(script, &err) ? -1 : 0;
	if (status && (err.kind != ERR_INPUT || !err.msg[0]))
		abort();
	script_free(script);
	return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(stacks_release) struct stacks whole = STACKS_INIT, pieces = STACKS_INIT;
	const char *text = (const char *)data + 1;
	int status;

	if (!size)
		return 0;
	status = read_pieces(text, size - 1, size, &whole);
	if (read_pieces(text, size - 1, data[0] % 32 + 1, &pieces) != status)
		abort();
	if (whole.n != pieces.n || whole.n_frames != pieces.n_frames || whole.text_len != pieces.text_len ||
	    (whole.text_len && memcmp(whole.text, pieces.text, whole.text_len)))
		abort();
	for (size_t i = 0; i < whole.n_events && !status; i++)
		if (!stacks_complete(&whole, (uint32_t)i))
			abort();
	return 0;
}
