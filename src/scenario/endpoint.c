#include "scenario/endpoint.h"

#include <stdbool.h>
#include <strings.h>

#include "base/mem.h"
#include "base/parse.h"

#define SCHEME "http://"
enum { HOST_LARGEST = 253, HTTP_PORT = 80 };

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
static const char digits[] = "0123456789";

void endpoint_release(struct endpoint *endpoint)
{
	free(endpoint->host);
	free(endpoint->path);
	*endpoint = (struct endpoint){ 0 };
}

/* Each of these says what is wrong, or NULL when it went well. */

static const char *take_host(const char *text, size_t len, struct endpoint *out)
{
	CLEANUP(free_ptr) char *host = xstrndup(text, len);
	size_t good = strspn(host, letters);

	if (!len)
		return "the host is missing";
	if (len > HOST_LARGEST)
		return "the host is longer than 253 characters";
	while (good < len && (strchr(letters, host[good]) || strchr(digits, host[good]) || strchr(".-_", host[good])))
		good++;
	if (good < len)
		return host[good] == ':' ? "an IPv6 address stands in brackets, as in [::1]:80" :
					   "a host consists of letters, digits, dots and dashes";
	out->host = take_ptr(&host);
	return NULL;
}

static const char *take_address6(const char *text, size_t len, struct endpoint *out)
{
	CLEANUP(free_ptr) char *host = xstrndup(text, len);

	if (!strchr(host, ':') || len > HOST_LARGEST || host[strspn(host, "0123456789abcdefABCDEF:.")])
		return "brackets hold an IPv6 address, as in [::1]:80";
	out->host = take_ptr(&host);
	return NULL;
}

static const char *take_port(const char *text, size_t len, struct endpoint *out)
{
	CLEANUP(free_ptr) char *port = xstrndup(text, len);
	uint64_t number;

	if (parse_u64(port, &number, NULL) < 0 || !number || number > 65535)
		return "a port is a number from 1 to 65535";
	out->port = (uint16_t)number;
	return NULL;
}

/* OUT->port stays as it is when TEXT has none. */
static const char *take_authority(const char *text, size_t len, struct endpoint *out)
{
	const char *close = *text == '[' ? memchr(text, ']', len) : NULL, *colon, *why;

	if (memchr(text, '@', len))
		return "user names and passwords are not sent";
	if (*text == '[' && len && !close)
		return "the ] is missing";
	colon = close ? (close + 1 < text + len ? close + 1 : NULL) : memrchr(text, ':', len);
	if (close && colon && *colon != ':')
		return "only a port may follow the ]";
	why = close ? take_address6(text + 1, (size_t)(close - text - 1), out) :
		      take_host(text, colon ? (size_t)(colon - text) : len, out);
	if (why || !colon)
		return why;
	return take_port(colon + 1, (size_t)(text + len - colon - 1), out);
}

static const char *take_path(const char *text, struct endpoint *out)
{
	struct strbuf path = STRBUF_INIT;

	for (const char *p = text; *p && *p != '#'; p++)
		if (*p <= ' ' || *p > '~')
			return "spaces, control characters and those beyond ASCII are written as %20 and the like";
	if (*text != '/')
		strbuf_addc(&path, '/');
	strbuf_add(&path, text, strcspn(text, "#"));
	out->path = strbuf_take(&path);
	return NULL;
}

static const char *take_url(const char *text, struct endpoint *out)
{
	const char *authority = text + strlen(SCHEME), *path, *why;

	if (!strncasecmp(text, "https://", 8))
		return "only plain http is spoken; for https let ready.command run curl";
	if (strncasecmp(text, SCHEME, strlen(SCHEME)))
		return "it does not begin with " SCHEME;
	path = authority + strcspn(authority, "/?#");
	out->port = HTTP_PORT;
	why = take_authority(authority, (size_t)(path - authority), out);
	return why ?: take_path(path, out);
}

static const char *take_host_port(const char *text, struct endpoint *out)
{
	const char *why;

	if (strstr(text, "://"))
		return "that is a URL, which ready.http takes";
	if (!strchr(text, ':'))
		return "the port is missing";
	why = take_authority(text, strlen(text), out);
	return why || out->port ? why : "the port is missing";
}

int endpoint_parse(const char *text, struct endpoint *out, struct error *err)
{
	CLEANUP(endpoint_release) struct endpoint endpoint = { 0 };
	const char *why = take_host_port(text, &endpoint);

	if (why)
		return error_set(err, ERR_INPUT, "expected HOST:PORT such as 127.0.0.1:6379, found '%.60s': %s", text,
				 why);
	*out = endpoint;
	endpoint = (struct endpoint){ 0 };
	return 0;
}

int endpoint_parse_url(const char *text, struct endpoint *out, struct error *err)
{
	CLEANUP(endpoint_release) struct endpoint endpoint = { 0 };
	const char *why = take_url(text, &endpoint);

	if (why)
		return error_set(err, ERR_INPUT, "expected a URL such as http://127.0.0.1:8080/health, found '%.60s': %s",
				 text, why);
	*out = endpoint;
	endpoint = (struct endpoint){ 0 };
	return 0;
}

void endpoint_add_host(const struct endpoint *endpoint, struct strbuf *out)
{
	bool brackets = strchr(endpoint->host, ':');

	strbuf_addf(out, "%s%s%s", brackets ? "[" : "", endpoint->host, brackets ? "]" : "");
	if (endpoint->port != HTTP_PORT)
		strbuf_addf(out, ":%u", endpoint->port);
}
