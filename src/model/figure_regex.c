#include "model/figure_regex.h"

#include <stdbool.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/regex.h"
#include "base/strbuf.h"

static int compile(const char *text, regex_t *out, struct error *err)
{
	regex_t regex;
	size_t groups;

	if (regex_compile(&regex, text, REG_NEWLINE, err) < 0)
		return error_wrap(err, "the regular expression '%.100s' cannot be used", text);
	groups = regex.re_nsub;
	if (groups == 1) {
		*out = regex;
		return 0;
	}
	regfree(&regex);
	return error_set(err, ERR_INPUT,
			 "expected a regular expression with one group around the number, such as 'rate: ([0-9.]+)', "
			 "found %s in '%.100s'", groups ? "more" : "none", text);
}

int figure_regex_check(const char *regex, struct error *err)
{
	CLEANUP(regfree) regex_t compiled = { 0 };

	return compile(regex, &compiled, err);
}

/* The last capture in LINE. It may hold a NUL, and yet must end in one: sanitizers look for that. */
static bool last_in_line(const regex_t *regex, const struct strbuf *line, regmatch_t *out)
{
	regoff_t to = (regoff_t)line->len;
	bool found = false;

	for (regoff_t from = 0; from <= to;) {
		regmatch_t match[2] = { { .rm_so = from, .rm_eo = to } };

		if (regexec(regex, line->buf, 2, match, REG_STARTEND))
			break;
		if (match[1].rm_so >= 0 && match[1].rm_eo > match[1].rm_so) {
			*out = match[1];
			found = true;
		}
		/* After an empty match the same place would match for ever. */
		from = match[0].rm_eo > from ? match[0].rm_eo : from + 1;
	}
	return found;
}

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

int figure_regex_find(const char *regex, const char *text, size_t len, char **out)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	CLEANUP(regfree) regex_t compiled = { 0 };
	size_t end = len;

	if (compile(regex, &compiled, NULL) < 0)
		return 0;
	while (true) {
		size_t start = end;
		regmatch_t capture;

		while (start && !ends_line(text[start - 1]))
			start--;
		strbuf_reset(&line);
		strbuf_add(&line, text + start, end - start);
		if (last_in_line(&compiled, &line, &capture)) {
			*out = xstrndup(line.buf + capture.rm_so, (size_t)(capture.rm_eo - capture.rm_so));
			return 1;
		}
		if (!start)
			return 0;
		end = start - 1;
	}
}
