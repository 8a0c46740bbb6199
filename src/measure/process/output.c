#include "measure/process/output.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/regex.h"

/* -------- the last lines */

void tail_release(struct tail *tail)
{
	free(tail->ring);
	*tail = (struct tail)TAIL_INIT;
}

void tail_feed(struct tail *tail, const char *data, size_t len)
{
	size_t room, size = tail->keep ?: TAIL_KEPT;

	if (!len)
		return;
	tail->keep = size;
	if (!tail->ring)
		tail->ring = xmalloc(size);
	tail->total += len;
	if (len > size) {
		data += len - size;
		len = size;
	}
	room = size - tail->at;
	if (room > len)
		room = len;
	memcpy(tail->ring + tail->at, data, room);
	memcpy(tail->ring, data + room, len - room);
	tail->at = (tail->at + len) % size;
}

static void add_kept(const struct tail *tail, struct strbuf *out)
{
	if (!tail->total)
		return;
	if (tail->total >= tail->keep)
		strbuf_add(out, tail->ring + tail->at, tail->keep - tail->at);
	strbuf_add(out, tail->ring, tail->at);
}

void tail_text(const struct tail *tail, struct strbuf *out)
{
	if (tail->total > tail->keep)
		strbuf_addf(out, "[%" PRIu64 " bytes before this were not kept]\n", tail->total - tail->keep);
	add_kept(tail, out);
}

void tail_lines(const struct tail *tail, unsigned lines, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf kept = STRBUF_INIT;
	size_t from;

	add_kept(tail, &kept);
	while (kept.len && kept.buf[kept.len - 1] == '\n')
		strbuf_truncate(&kept, kept.len - 1);
	for (from = kept.len; from > 0; from--)
		if (kept.buf[from - 1] == '\n' && !--lines)
			break;
	strbuf_add(out, kept.buf + from, kept.len - from);
}

/* -------- waiting for a line */

static int refused(const struct line_watch *watch, struct error *err)
{
	return error_wrap(err, "the regular expression '%.60s' cannot be used", watch->text);
}

int line_watch_init(struct line_watch *watch, const char *regex, struct error *err)
{
	watch->regex = NULL;
	watch->text = regex;
	watch->fault = (struct error)ERROR_INIT;
	watch->seen = false;
	watch->len = 0;
	return regex_compile(regex, 0, &watch->regex, err) < 0 ? refused(watch, err) : 0;
}

void line_watch_release(struct line_watch *watch)
{
	regex_free(watch->regex);
	watch->regex = NULL;
}

static void try_line(struct line_watch *watch, bool ended)
{
	int found = regex_find(watch->regex, (struct regex_text){ watch->line, watch->len, 0, ended ? 0 : REGEX_NOT_AT_END }, NULL, &watch->fault);

	watch->line[watch->len] = '\0';
	if (found < 0)
		refused(watch, &watch->fault);
	watch->seen = found > 0;
}

void line_watch_feed(struct line_watch *watch, const char *data, size_t len)
{
	bool more = false;

	for (; len && !watch->seen && !watch->fault.kind; data++, len--) {
		bool whole = watch->len < WATCH_LINE;

		/* Bytes beyond the buffer are dropped. */
		if (*data != '\n') {
			if (whole)
				watch->line[watch->len++] = *data ? *data : ' ';
			more = more || whole;
			continue;
		}
		if (whole && watch->len && watch->line[watch->len - 1] == '\r')
			watch->len--;
		try_line(watch, whole);
		watch->len = 0;
		more = false;
	}
	if (!watch->seen && !watch->fault.kind && more)
		try_line(watch, false);
}
