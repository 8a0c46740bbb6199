/* HTTP responses: bounded, and the same however the bytes are cut. The first byte says how. */
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "model/http_response.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
}

static int read_all(struct http_response *r, const char *data, size_t size, size_t step, struct error *err)
{
	int got = 0;

	for (size_t at = 0; at < size && !got; at += step) {
		got = http_response_feed(r, data + at, size - at < step ? size - at : step, err);
		require(r->line.len <= HTTP_HEAD_LARGEST && r->body.len <= HTTP_BODY_LARGEST);
		require(!r->headed == !r->status);
	}
	if (!got)
		got = http_response_end(r, err);
	return got < 0 ? -1 : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(http_response_release) struct http_response whole = HTTP_RESPONSE_INIT, parts = HTTP_RESPONSE_INIT;
	struct error err = ERROR_INIT, err_parts = ERROR_INIT;
	int ret;

	if (!size)
		return 0;
	ret = read_all(&whole, (const char *)data + 1, size - 1, size, &err);
	require((ret < 0) == (err.kind == ERR_TARGET) && (ret < 0) == (err.msg[0] != '\0'));
	require(ret == read_all(&parts, (const char *)data + 1, size - 1, 1 + data[0] % 16, &err_parts));
	if (ret < 0)
		return 0;
	require(whole.part == HTTP_DONE && whole.status >= 100 && whole.status <= 999);
	require(whole.status == parts.status && whole.cut == parts.cut && whole.body.len == parts.body.len);
	require(!memcmp(whole.body.buf, parts.body.buf, whole.body.len));
	return 0;
}
