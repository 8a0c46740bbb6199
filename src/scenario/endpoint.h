/*
 * Where a TCP server on this machine is asked whether it serves: "127.0.0.1:6379", "localhost:80",
 * "[::1]:80", or as a URL "http://HOST[:PORT][/PATH][?QUERY]". Every rejection quotes the text and
 * says what is wrong with it.
 */
#ifndef PAWL_SCENARIO_ENDPOINT_H
#define PAWL_SCENARIO_ENDPOINT_H

#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

struct endpoint {
	char *host;		/* a name or an address, without brackets */
	uint16_t port;		/* never 0 */
	char *path;		/* of a URL: path and query as a request names them, from '/'; else NULL */
};

/* HOST:PORT. */
int endpoint_parse(const char *text, struct endpoint *out, struct error *err);
/* A URL of plain http; without a port 80, without a path "/". A fragment (#...) is left out: it is never sent. */
int endpoint_parse_url(const char *text, struct endpoint *out, struct error *err);
void endpoint_release(struct endpoint *endpoint);

/* As a Host field has it: "localhost", "[::1]:8080"; port 80 is left out. Appended. */
void endpoint_add_host(const struct endpoint *endpoint, struct strbuf *out);

#endif
