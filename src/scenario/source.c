#include "scenario/source.h"

#include <stdint.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "scenario/scenario.h"

void source_release(struct source *source)
{
	strbuf_release(&source->where);
}

struct place source_place(const struct source *source, size_t offset)
{
	struct place at = { 1, 1 };

	for (size_t i = 0; i < offset && i < source->len; i++) {
		at.column++;
		if (source->text[i] == '\n')
			at = (struct place){ at.line + 1, 1 };
	}
	return at;
}

int source_fault(struct source *source, struct place at, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf message = STRBUF_INIT;
	va_list args;

	if (++source->faults > SOURCE_FAULTS_MAX) {
		if (source->faults == SOURCE_FAULTS_MAX + 1)
			diags_add(source->diags, source->path, NULL, 0, 0, 0,
				  "there are more faults than the %d told here", SOURCE_FAULTS_MAX);
		return -1;
	}
	va_start(args, fmt);
	strbuf_vaddf(&message, fmt, args);
	va_end(args);
	diags_add(source->diags, source->path, source->text, source->len, at.line, at.column, "%s%s%s",
		  source->where.buf, source->where.len ? ": " : "", message.buf);
	return -1;
}

size_t source_enter(struct source *source, const char *key)
{
	size_t mark = source->where.len;

	strbuf_addf(&source->where, "%s%s", mark ? "." : "", key);
	return mark;
}

void source_leave(struct source *source, size_t mark)
{
	strbuf_truncate(&source->where, mark);
}

int source_check(struct source *source)
{
	static const char mark[] = "\xef\xbb\xbf";
	const char *nul = memchr(source->text, '\0', source->len);
	CLEANUP(free_ptr) char *text = NULL;
	size_t length;
	uint32_t code;

	if (source->len > SCENARIO_LARGEST)
		return source_fault(source, (struct place){ 0 }, "the file is larger than %d KiB",
				    SCENARIO_LARGEST / 1024);
	if (nul)
		return source_fault(source, source_place(source, (size_t)(nul - source->text)),
				    "expected text, found a NUL byte");
	if (source->len >= 3 && !memcmp(source->text, mark, 3)) {
		source->text += 3;
		source->len -= 3;
	}
	text = xstrndup(source->text, source->len);
	for (size_t i = 0; i < source->len; i += length) {
		length = utf8_decode(text + i, &code);
		if (!length)
			return source_fault(source, source_place(source, i),
					    "expected UTF-8 text, found the byte 0x%02x", (unsigned char)text[i]);
	}
	return 0;
}
