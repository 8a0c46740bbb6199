#include "measure/tail.h"

#include <inttypes.h>

#include "base/cleanup.h"
#include "base/mem.h"

void tail_release(struct tail *tail)
{
	free(tail->ring);
	*tail = (struct tail)TAIL_INIT;
}

static size_t size_of(const struct tail *tail)
{
	return tail->keep ? tail->keep : TAIL_KEPT;
}

void tail_feed(struct tail *tail, const char *data, size_t len)
{
	size_t room, size = size_of(tail);

	if (!len)
		return;
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
	if (tail->total >= size_of(tail))
		strbuf_add(out, tail->ring + tail->at, size_of(tail) - tail->at);
	strbuf_add(out, tail->ring, tail->at);
}

void tail_text(const struct tail *tail, struct strbuf *out)
{
	if (!tail->total)
		return;
	if (tail->total > size_of(tail))
		strbuf_addf(out, "[%" PRIu64 " bytes before this were not kept]\n", tail->total - size_of(tail));
	add_kept(tail, out);
}

void tail_lines(const struct tail *tail, unsigned lines, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf kept = STRBUF_INIT;
	size_t from;

	if (!tail->total)
		return;
	add_kept(tail, &kept);
	while (kept.len && kept.buf[kept.len - 1] == '\n')
		strbuf_truncate(&kept, kept.len - 1);
	for (from = kept.len; from > 0; from--)
		if (kept.buf[from - 1] == '\n' && !--lines)
			break;
	strbuf_add(out, kept.buf + from, kept.len - from);
}
