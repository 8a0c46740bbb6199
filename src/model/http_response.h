/*
 * An HTTP/1.x response, read as its bytes come: status line, fields, and the body with its
 * Content-Length or chunks undone. Memory is bounded whatever the server sends: of the body its first
 * HTTP_BODY_LARGEST bytes are kept, of lines HTTP_HEAD_LARGEST bytes altogether are read.
 * It is written here, since libcurl would bring some thirty libraries into a process that must stay
 * small, for one GET over plain http to a server on this machine.
 *
 *	struct http_response response = HTTP_RESPONSE_INIT;
 *	while ((n = recv(...)) > 0 && !(got = http_response_feed(&response, buf, n, err)))
 *		;
 *	n == 0 -> http_response_end(&response, err)	the server closed the connection
 *	http_response_release(&response)
 *
 * It makes no difference how the bytes are cut. What is no response is an ERR_TARGET that says why,
 * in words about the server ("its answer ..."); after one only the release is left.
 */
#ifndef PAWL_MODEL_HTTP_RESPONSE_H
#define PAWL_MODEL_HTTP_RESPONSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strbuf.h"

enum { HTTP_BODY_LARGEST = 1 << 20, HTTP_HEAD_LARGEST = 64 << 10 };

enum http_part {
	HTTP_STATUS, HTTP_FIELDS,
	HTTP_LENGTH,			/* a body of known length */
	HTTP_UNTIL_END,			/* a body that ends with the connection */
	HTTP_CHUNK_SIZE, HTTP_CHUNK, HTTP_CHUNK_END, HTTP_TRAILER,
	HTTP_DONE,
};

struct http_response {
	unsigned status;		/* 200, 503, ...; 0 before headed */
	bool headed;			/* the fields have ended: the status stands */
	bool cut;			/* the body went on beyond what is kept */
	struct strbuf body;

	/* -------- where the parser is */
	enum http_part part;
	struct strbuf line;		/* the line being read */
	size_t lines;			/* bytes of all lines so far */
	bool chunked, has_length;
	uint64_t length;		/* of the body as Content-Length says; then what is left of it or of a chunk */
	unsigned code;			/* of the status line */
};

#define HTTP_RESPONSE_INIT { .body = STRBUF_INIT, .line = STRBUF_INIT }

/* 1 once it is complete (what follows is not looked at), 0 while more is needed, -1 with an error. */
int http_response_feed(struct http_response *response, const char *data, size_t len, struct error *err);
/* The connection has ended: 0 when that completes it, else -1 with an error. */
int http_response_end(struct http_response *response, struct error *err);
void http_response_release(struct http_response *response);

#endif
