/* The answer to an HTTP probe: its values are bounded, and bytes after the header do not change them. */
#include "measure/services/ready.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct ready_answer whole = { 0 };
	struct error err = ERROR_INIT;
	int got = ready_http_head((const char *)data, size, &whole, &err);

	require((got < 0) == (err.kind == ERR_TARGET) && (got < 0) == (err.msg[0] != '\0'));
	require(got > 0 ? whole.status >= 100 && whole.status <= 999 && whole.body <= size : !whole.status);
	for (size_t len = 0; len < size && len < 4096; len++) {
		CLEANUP(free_ptr) char *part = xcopy((const char *)data, len);	/* exact size: a sanitizer finds reads past it */
		struct ready_answer answer = { 0 };
		int early = ready_http_head(part, len, &answer, NULL);

		require(early == 0 || (early == got && answer.status == whole.status && answer.body == whole.body));
	}
	return 0;
}
