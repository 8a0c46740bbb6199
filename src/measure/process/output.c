#include "measure/process/output.h"

#include <inttypes.h>

#include "base/mem.h"
#include "base/regex.h"

/* -------- the last lines */

void tail_release(struct tail *tail)
{
	strbuf_release(&tail->text);
	*tail = (struct tail)TAIL_INIT;
}

void tail_feed(struct tail *tail, const char *data, size_t len)
{
	tail->keep = tail->keep ?: TAIL_KEPT;
	tail->total += len;
	if (len > tail->keep) {
		data += len - tail->keep;
		len = tail->keep;
	}
	/* Bytes are moved seldom. */
	if (tail->text.len + len > 2 * tail->keep)
		strbuf_cut_start(&tail->text, tail->text.len - (tail->keep - len));
	strbuf_add(&tail->text, data, len);
}

static void add_kept(const struct tail *tail, struct strbuf *out)
{
	size_t len = tail->text.len < tail->keep ? tail->text.len : tail->keep;

	strbuf_add(out, tail->text.buf + tail->text.len - len, len);
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
	strbuf_trim_end(&kept, "\n");
	for (from = kept.len; from > 0; from--)
		if (kept.buf[from - 1] == '\n' && !--lines)
			break;
	strbuf_add(out, kept.buf + from, kept.len - from);
}

/* -------- lines as hashes */

static void hash_part(struct lines *lines)
{
	const char *text = lines->part.buf;
	size_t len = lines->part.len;

	while (len) {
		const char *first = NULL;
		size_t placed = 0, before;

		for (const char *const *place = lines->places; place && *place; place++) {
			const char *at = memmem(text, len, *place, strlen(*place));

			if (!at || (first && at >= first))
				continue;
			first = at;
			placed = strlen(*place);
		}
		before = first ? (size_t)(first - text) : len;
		lines->hash = fnv_bytes(lines->hash, text, before);
		if (first)
			lines->hash = fnv_bytes(lines->hash, "\1", 1);
		text += before + placed;
		len -= before + placed;
	}
	strbuf_reset(&lines->part);
}

void lines_end(struct lines *lines)
{
	if (!lines->begun && !lines->part.len)
		return;
	hash_part(lines);
	if (lines->n < LINES_KEPT) {
		*VEC_ADD(lines->hashes, lines->n, lines->cap) = lines->hash;
	} else {
		lines->rest = fnv_bytes(lines->rest ?: FNV_START, &lines->hash, sizeof lines->hash);
	}
	lines->hash = FNV_START;
	lines->begun = false;
}

void lines_feed(struct lines *lines, const char *data, size_t len)
{
	uint64_t room;

	if (!lines->bytes)
		lines->hash = FNV_START;
	room = lines->bytes < LINES_BYTES ? LINES_BYTES - lines->bytes : 0;
	lines->bytes += len;
	if (len > room)
		len = (size_t)room;
	while (len) {
		const char *eol = memchr(data, '\n', len);
		size_t n = eol ? (size_t)(eol - data) + 1 : len;

		strbuf_add(&lines->part, data, n);
		if (eol)
			lines_end(lines);
		else if (lines->part.len >= LINE_PLACED) {
			lines->begun = true;
			hash_part(lines);
		}
		data += n;
		len -= n;
	}
}

void lines_release(struct lines *lines)
{
	free(lines->hashes);
	strbuf_release(&lines->part);
	*lines = (struct lines)LINES_INIT(lines->places);
}

static uint64_t line_at(const struct lines *lines, size_t i)
{
	return i < lines->n ? lines->hashes[i] : 0;
}

long lines_compare(const struct lines base[2], const struct lines head[2])
{
	size_t n = base[0].n > head[0].n ? base[0].n : head[0].n;

	/* Behind a line that one side has now and then, lines do not correspond. */
	if (base[0].n != base[1].n || head[0].n != head[1].n)
		return LINES_SAME;
	for (size_t i = 0; i < n; i++)
		if (line_at(&base[0], i) == line_at(&base[1], i) && line_at(&head[0], i) == line_at(&head[1], i) &&
		    line_at(&base[0], i) != line_at(&head[0], i))
			return (long)i + 1;
	if (base[0].rest == base[1].rest && head[0].rest == head[1].rest && base[0].rest != head[0].rest)
		return LINES_LATER;
	/* Below the limit, lengths may differ by the sides' places. */
	return base[0].bytes > LINES_BYTES && head[0].bytes > LINES_BYTES && base[0].bytes == base[1].bytes && head[0].bytes == head[1].bytes &&
	       base[0].bytes != head[0].bytes ? LINES_LATER : LINES_SAME;
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
