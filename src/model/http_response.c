#include "model/http_response.h"

#include <strings.h>

#include "base/parse.h"
#include "base/utf8.h"

#define VERSION "HTTP/1."
enum { QUOTED = 30 };

void http_response_release(struct http_response *r)
{
	strbuf_release(&r->body);
	strbuf_release(&r->line);
	*r = (struct http_response)HTTP_RESPONSE_INIT;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "<text> 'the line'" */
static int refuse(const struct http_response *r, const char *text, struct error *err)
{
	return error_set(err, ERR_TARGET, "%s '%.*s'", text, (int)utf8_clip(r->line.buf, QUOTED), r->line.buf);
}

/* -------- lines; r->line holds one without its end */

static int status_line(struct http_response *r, struct error *err)
{
	const char *code = r->line.buf + strlen(VERSION) + 2;

	if (r->line.len < strlen(VERSION "1 200") || !is_digit(code[-2]) || code[-1] != ' ' || code[0] < '1' ||
	    !is_digit(code[0]) || !is_digit(code[1]) || !is_digit(code[2]) || (code[3] && code[3] != ' '))
		return refuse(r, "its answer has no status but", err);
	r->code = (unsigned)(code[0] - '0') * 100 + (unsigned)(code[1] - '0') * 10 + (unsigned)(code[2] - '0');
	r->part = HTTP_FIELDS;
	return 0;
}

static void head_ended(struct http_response *r)
{
	/* 100 Continue and its like come before the response; 101 is the last of what is HTTP. */
	if (r->code < 200 && r->code != 101) {
		r->part = HTTP_STATUS;
		r->chunked = r->has_length = false;
		return;
	}
	r->status = r->code;
	r->headed = true;
	if (r->code == 101 || r->code == 204 || r->code == 304)
		r->part = HTTP_DONE;
	else if (r->chunked)
		r->part = HTTP_CHUNK_SIZE;
	else if (r->has_length)
		r->part = r->length ? HTTP_LENGTH : HTTP_DONE;
	else
		r->part = HTTP_UNTIL_END;
}

static int content_length(struct http_response *r, const char *value, struct error *err)
{
	uint64_t length;

	if (parse_u64(value, &length, NULL) < 0 || (r->has_length && length != r->length))
		return refuse(r, "its answer has a wrong length:", err);
	r->has_length = true;
	r->length = length;
	return 0;
}

static int transfer_encoding(struct http_response *r, const char *value, struct error *err)
{
	if (!strcasecmp(value, "identity"))
		return 0;
	if (strcasecmp(value, "chunked"))
		return refuse(r, "its answer is encoded in a way that was not asked for:", err);
	r->chunked = true;
	return 0;
}

static const struct {
	const char *name;
	int (*take)(struct http_response *r, const char *value, struct error *err);
} fields[] = {
	{ "content-length", content_length }, { "transfer-encoding", transfer_encoding },
};

static int field_line(struct http_response *r, struct error *err)
{
	size_t name = strcspn(r->line.buf, ":");
	const char *value = r->line.buf + name + 1;

	if (!r->line.len) {
		head_ended(r);
		return 0;
	}
	/* A folded line goes on with the field before it. */
	if (r->line.buf[0] == ' ' || r->line.buf[0] == '\t')
		return 0;
	if (!name || !r->line.buf[name])
		return refuse(r, "its answer has a line that is no field:", err);
	while (strbuf_ends_with(&r->line, " ") || strbuf_ends_with(&r->line, "\t"))
		strbuf_truncate(&r->line, r->line.len - 1);
	value += strspn(value, " \t");
	for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
		if (name == strlen(fields[i].name) && !strncasecmp(r->line.buf, fields[i].name, name))
			return fields[i].take(r, value, err);
	return 0;
}

/* Hexadecimal, then perhaps an extension: "1a;name=value". */
static int chunk_size_line(struct http_response *r, struct error *err)
{
	size_t n = strspn(r->line.buf, "0123456789abcdefABCDEF");

	if (!n || n > 15 || (r->line.buf[n] && !strchr("; \t", r->line.buf[n])))
		return refuse(r, "its answer has a chunk of unknown size:", err);
	r->length = strtoull(r->line.buf, NULL, 16);
	r->part = r->length ? HTTP_CHUNK : HTTP_TRAILER;
	return 0;
}

static int chunk_end_line(struct http_response *r, struct error *err)
{
	if (r->line.len)
		return refuse(r, "its answer has a chunk that is longer than it says, by", err);
	r->part = HTTP_CHUNK_SIZE;
	return 0;
}

static int trailer_line(struct http_response *r, struct error *err)
{
	(void)err;
	if (!r->line.len)
		r->part = HTTP_DONE;
	return 0;
}

static int (*const take_line[])(struct http_response *r, struct error *err) = {
	[HTTP_STATUS] = status_line,
	[HTTP_FIELDS] = field_line,
	[HTTP_CHUNK_SIZE] = chunk_size_line,
	[HTTP_CHUNK_END] = chunk_end_line,
	[HTTP_TRAILER] = trailer_line,
	[HTTP_DONE] = NULL,
};

/* One that speaks something else may wait for an answer, so its first bytes must do. */
static bool begins_as_http(const struct http_response *r, bool ended)
{
	size_t n = ended || r->line.len > strlen(VERSION) ? strlen(VERSION) : r->line.len;

	return !strncmp(r->line.buf, VERSION, n);
}

/* How many of the bytes were used, or -1. */
static ssize_t feed_line(struct http_response *r, const char *data, size_t len, struct error *err)
{
	const char *end = memchr(data, '\n', len);
	size_t used = end ? (size_t)(end - data) + 1 : len;

	/* The chunks' own lines are as many as the body makes them. */
	if (r->part == HTTP_CHUNK_SIZE || r->part == HTTP_CHUNK_END)
		r->lines = r->line.len;
	if (used > HTTP_HEAD_LARGEST - r->lines)
		return error_set(err, ERR_TARGET, "its answer has more than %d KiB of fields", HTTP_HEAD_LARGEST >> 10);
	r->lines += used;
	strbuf_add(&r->line, data, end ? used - 1 : used);
	if (end && strbuf_ends_with(&r->line, "\r"))
		strbuf_truncate(&r->line, r->line.len - 1);
	if (r->part == HTTP_STATUS && !begins_as_http(r, end))
		return refuse(r, "it does not speak HTTP/1, its answer begins with", err);
	if (!end)
		return (ssize_t)used;
	if (take_line[r->part](r, err) < 0)
		return -1;
	strbuf_reset(&r->line);
	return (ssize_t)used;
}

static ssize_t feed_body(struct http_response *r, const char *data, size_t len)
{
	size_t room = HTTP_BODY_LARGEST - r->body.len, used = len < room ? len : room;

	if (!room) {
		r->cut = true;
		r->part = HTTP_DONE;
		return 0;
	}
	if (r->part != HTTP_UNTIL_END) {
		used = used < r->length ? used : (size_t)r->length;
		r->length -= used;
		if (!r->length)
			r->part = r->part == HTTP_CHUNK ? HTTP_CHUNK_END : HTTP_DONE;
	}
	strbuf_add(&r->body, data, used);
	return (ssize_t)used;
}

int http_response_feed(struct http_response *r, const char *data, size_t len, struct error *err)
{
	while (len && r->part != HTTP_DONE) {
		ssize_t used = take_line[r->part] ? feed_line(r, data, len, err) : feed_body(r, data, len);

		if (used < 0)
			return -1;
		data += used;
		len -= (size_t)used;
	}
	return r->part == HTTP_DONE;
}

int http_response_end(struct http_response *r, struct error *err)
{
	if (r->part == HTTP_UNTIL_END)
		r->part = HTTP_DONE;
	if (r->part == HTTP_DONE)
		return 0;
	if (r->part == HTTP_STATUS && !r->code && !r->line.len)
		return error_set(err, ERR_TARGET, "it closed the connection without an answer");
	return error_set(err, ERR_TARGET, "its answer ends too early");
}
