#include "measure/line_watch.h"

#include <string.h>

#include "base/regex.h"

int line_watch_init(struct line_watch *watch, const char *regex, struct error *err)
{
	if (regex_compile(&watch->regex, regex, REG_NOSUB, err) < 0)
		return error_wrap(err, "the regular expression '%.60s' cannot be used", regex);
	watch->seen = false;
	watch->len = 0;
	return 0;
}

void line_watch_release(struct line_watch *watch)
{
	regfree(&watch->regex);
}

static void try_line(struct line_watch *watch, bool ended)
{
	watch->line[watch->len] = '\0';
	if (regexec(&watch->regex, watch->line, 0, NULL, ended ? 0 : REG_NOTEOL) == 0)
		watch->seen = true;
}

/* What does not fit is left out. */
static void append(struct line_watch *watch, const char *data, size_t len)
{
	size_t room = WATCH_LINE - watch->len, n = len < room ? len : room;

	for (size_t i = 0; i < n; i++)
		watch->line[watch->len++] = data[i] ? data[i] : ' ';
}

static void end_line(struct line_watch *watch)
{
	bool whole = watch->len < WATCH_LINE;

	if (whole && watch->len && watch->line[watch->len - 1] == '\r')
		watch->len--;
	try_line(watch, whole);
	watch->len = 0;
}

void line_watch_feed(struct line_watch *watch, const char *data, size_t len)
{
	size_t before = watch->len;

	while (len && !watch->seen) {
		const char *end = memchr(data, '\n', len);
		size_t n = end ? (size_t)(end - data) : len;

		append(watch, data, n);
		if (!end)
			break;
		end_line(watch);
		before = 0;
		data += n + 1;
		len -= n + 1;
	}
	if (!watch->seen && watch->len > before)
		try_line(watch, false);
}
