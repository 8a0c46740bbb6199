/* Addresses of servers: an accepted address is valid in a request, and survives writing and reading. */
#include "scenario/scenario.h"
#include "fuzz.h"

static void check_host(const struct endpoint *endpoint)
{
	require(endpoint->port && endpoint->host[0]);
	for (const char *p = endpoint->host; *p; p++)
		require(*p > ' ' && *p < 0x7f && !strchr("/@[]?#", *p));
}

static void check_url(const char *text)
{
	CLEANUP(endpoint_release) struct endpoint url = { 0 }, again = { 0 };
	CLEANUP(strbuf_release) struct strbuf written = STRBUF_INIT;
	struct error err = ERROR_INIT;

	if (endpoint_parse_url(text, &url, &err) < 0) {
		require(err.kind == ERR_INPUT && !url.host && !url.path);
		return;
	}
	check_host(&url);
	require(url.path[0] == '/');
	for (const char *p = url.path; *p; p++)
		require((unsigned char)*p > ' ' && *p != 0x7f && *p != '#');
	strbuf_adds(&written, "http://");
	endpoint_add_host(&url, &written);
	strbuf_adds(&written, url.path);
	require(!endpoint_parse_url(written.buf, &again, &err));
	require(!strcmp(url.host, again.host) && url.port == again.port && !strcmp(url.path, again.path));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(free_ptr) char *text = xstrndup((const char *)data, size);
	CLEANUP(endpoint_release) struct endpoint endpoint = { 0 };
	struct error err = ERROR_INIT;

	if (endpoint_parse(text, &endpoint, &err) < 0)
		require(err.kind == ERR_INPUT && !endpoint.host);
	else
		check_host(&endpoint);
	check_url(text);
	return 0;
}
