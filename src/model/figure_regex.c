#include "model/figure_regex.h"

#include <regex.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"

/*
 * The C library copies what is repeated, a{9} nine times and a+ once, and takes exponential time for
 * repeats on repeats such as a**. One group, no such repeats and a bounded size keep it quick.
 */
enum { REGEX_LONGEST = 500, EXPANDED_MOST = 4000 };

/* Parts of an expression as the library will copy them, outside and inside its group: all of them, and the last. */
struct expansion {
	size_t all[2], last[2];
	size_t depth, groups;
	bool repeated, twice;	/* the token before was a repeat; one was right behind another */
};

static void add_part(struct expansion *e, size_t size)
{
	e->last[e->depth] = size;
	e->all[e->depth] += size;
}

static void repeat_part(struct expansion *e, size_t times)
{
	size_t size = e->last[e->depth];

	e->all[e->depth] += size * (times - 1);
	e->last[e->depth] = size * times;
}

static void open_group(struct expansion *e)
{
	e->groups++;
	e->depth = 1;
	e->all[1] = e->last[1] = 0;
}

static void close_group(struct expansion *e)
{
	if (!e->depth)
		return;
	e->depth = 0;
	add_part(e, e->all[1] + 1);
}

/* The larger bound of the braces at *S, "{3}", "{2,5}" or "{2,}", whose end *S becomes; 0 when they are no bounds. */
static size_t read_bounds(const char **s)
{
	const char *at = *s;
	size_t most = 1;

	do {
		size_t digits = strspn(++at, "0123456789");
		size_t bound = digits ? strtoul(at, NULL, 10) : 0;

		if (bound > EXPANDED_MOST)
			bound = EXPANDED_MOST;
		most = bound >= most ? bound + 1 : most;
		at += digits;
	} while (*at == ',');
	if (*at != '}')
		return 0;
	*s = at;
	return most;
}

/* The end of the bracket expression at S, whose first character may be a bracket. */
static const char *skip_bracket(const char *s)
{
	s += s[1] == '^' ? 2 : 1;
	if (*s == ']')
		s++;
	for (; *s && *s != ']'; s++) {
		const char *end = s[0] == '[' && s[1] && strchr(":.=", s[1]) ? strchr(s + 2, ']') : NULL;

		s = end ?: s;
	}
	return *s ? s : s - 1;
}

/* How often the token at *S repeats what is before it; 0 when it is no repeat. */
static size_t read_repeat(const char **s)
{
	if (**s == '*' || **s == '?')
		return 1;
	if (**s == '+')
		return 2;
	return **s == '{' ? read_bounds(s) : 0;
}

static const char *add_token(struct expansion *e, const char *s)
{
	size_t times = read_repeat(&s);

	e->twice |= times && e->repeated;
	e->repeated = times > 0;
	if (times)
		repeat_part(e, times);
	else if (*s == '(')
		open_group(e);
	else if (*s == ')')
		close_group(e);
	else
		add_part(e, 1);
	if (*s == '\\' && s[1])
		return s + 2;
	return (*s == '[' ? skip_bracket(s) : s) + 1;
}

static int check_size(const char *regex, struct error *err)
{
	struct expansion e = { .depth = 0 };

	for (const char *s = regex; *s && e.groups < 2 && !e.twice && e.all[e.depth] <= EXPANDED_MOST;)
		s = add_token(&e, s);
	if (e.twice)
		return error_set(err, ERR_INPUT, "the regular expression '%.100s' has a repeat right behind another one",
				 regex);
	if (e.all[e.depth] > EXPANDED_MOST)
		return error_set(err, ERR_INPUT, "the regular expression '%.100s' repeats too much: written out, it has "
						 "more than %d parts", regex, EXPANDED_MOST);
	if (e.groups == 1)
		return 0;
	return error_set(err, ERR_INPUT,
			 "expected a regular expression with one group around the number, such as 'rate: ([0-9.]+)', "
			 "found %s in '%.100s'", e.groups ? "more" : "none", regex);
}

static int compile(const char *regex, regex_t *out, struct error *err)
{
	char why[120];
	int code;

	if (strlen(regex) > REGEX_LONGEST)
		return error_set(err, ERR_INPUT, "expected a regular expression of at most %d bytes, found %zu",
				 REGEX_LONGEST, strlen(regex));
	if (check_size(regex, err) < 0)
		return -1;
	code = regcomp(out, regex, REG_EXTENDED | REG_NEWLINE);
	if (!code)
		return 0;
	regerror(code, NULL, why, sizeof why);
	return error_set(err, ERR_INPUT, "the regular expression '%.100s' does not compile: %s", regex, why);
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
