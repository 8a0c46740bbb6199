#include "store/json_scan.h"

#include <ctype.h>
#include <math.h>

#include "base/mem.h"
#include "store/json.h"
#include "store/json_string.h"

/* cJSON reads a number through a buffer of this size, and tears a longer one apart. */
enum { NUMBER_LONGEST = 63 };

/* A key of an object that is still open: its decoded bytes in scan.names, its place in the text. */
struct key {
	size_t start, len, at;
};

struct scan {
	struct json_text in;
	size_t nodes, depth;
	struct strbuf names;
	struct key *keys;
	size_t n_keys, cap_keys;
};

static void skip_space(struct json_text *in)
{
	while (in->pos < in->len && strchr(" \t\r\n", in->text[in->pos]) && in->text[in->pos])
		in->pos++;
}

static size_t skip_digits(struct json_text *in)
{
	size_t from = in->pos;

	while (in->pos < in->len && isdigit((unsigned char)in->text[in->pos]))
		in->pos++;
	return in->pos - from;
}

static bool accept(struct json_text *in, const char *any_of)
{
	if (in->pos >= in->len || !in->text[in->pos] || !strchr(any_of, in->text[in->pos]))
		return false;
	in->pos++;
	return true;
}

static int check_finite(const struct json_text *in, size_t from)
{
	char text[NUMBER_LONGEST + 1];

	memcpy(text, in->text + from, in->pos - from);
	text[in->pos - from] = '\0';
	if (!isfinite(strtod(text, NULL)))
		return json_text_fail(in, from, "the number %s is too large", text);
	return 0;
}

static int scan_number(struct json_text *in)
{
	size_t from = in->pos;
	bool zero, exponent = false;

	accept(in, "-");
	zero = accept(in, "0");
	if (!zero && !skip_digits(in))
		return json_text_expected(in, "a digit");
	if (zero && skip_digits(in))
		return json_text_fail(in, from, "a number starts with a superfluous 0");
	if (accept(in, ".") && !skip_digits(in))
		return json_text_expected(in, "a digit");
	if (accept(in, "eE")) {
		exponent = true;
		accept(in, "+-");
		if (!skip_digits(in))
			return json_text_expected(in, "a digit");
	}
	if (in->pos - from > NUMBER_LONGEST)
		return json_text_fail(in, from, "a number has more than %d characters", NUMBER_LONGEST);
	return exponent ? check_finite(in, from) : 0;
}

static int scan_literal(struct json_text *in)
{
	static const char *const words[] = { "true", "false", "null" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		size_t len = strlen(words[i]);

		if (in->len - in->pos < len || memcmp(in->text + in->pos, words[i], len))
			continue;
		in->pos += len;
		return 0;
	}
	return json_text_expected(in, "a value");
}

static int by_name(const void *a, const void *b, void *names)
{
	const struct key *x = a, *y = b;
	int order = memcmp((char *)names + x->start, (char *)names + y->start, x->len < y->len ? x->len : y->len);

	if (order)
		return order;
	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return x->at < y->at ? -1 : 1;
}

static bool same_name(const struct scan *s, const struct key *a, const struct key *b)
{
	return a->len == b->len && !memcmp(s->names.buf + a->start, s->names.buf + b->start, a->len);
}

/* The keys from FIRST on are those of the object that ends here. */
static int close_object(struct scan *s, size_t first)
{
	struct key *keys = s->keys + first;
	size_t n = s->n_keys - first, names_before = n ? keys[0].start : s->names.len;
	const struct key *duplicate = NULL;

	if (n > 1)
		qsort_r(keys, n, sizeof *keys, by_name, s->names.buf);
	for (size_t i = 1; i < n; i++)
		if (same_name(s, &keys[i - 1], &keys[i]) && (!duplicate || keys[i].at < duplicate->at))
			duplicate = &keys[i];
	if (duplicate)
		return json_text_fail(&s->in, duplicate->at, "the key \"%.*s\" occurs twice in one object",
				      duplicate->len < 60 ? (int)duplicate->len : 60, s->names.buf + duplicate->start);
	s->n_keys = first;
	strbuf_truncate(&s->names, names_before);
	return 0;
}

static int scan_key(struct scan *s)
{
	struct key key = { .start = s->names.len };

	skip_space(&s->in);
	key.at = s->in.pos;
	if (!accept(&s->in, "\""))
		return json_text_expected(&s->in, "a key in double quotes");
	if (json_string_scan(&s->in, &s->names) < 0)
		return -1;
	key.len = s->names.len - key.start;
	VEC_GROW(s->keys, s->n_keys, s->cap_keys);
	s->keys[s->n_keys++] = key;
	skip_space(&s->in);
	return accept(&s->in, ":") ? 0 : json_text_expected(&s->in, "':'");
}

static int scan_value(struct scan *s);

static int scan_members(struct scan *s, bool keyed)
{
	const char *end = keyed ? "}" : "]";
	size_t first = s->n_keys;

	skip_space(&s->in);
	if (accept(&s->in, end))
		return 0;
	do {
		if ((keyed && scan_key(s) < 0) || scan_value(s) < 0)
			return -1;
		skip_space(&s->in);
	} while (accept(&s->in, ","));
	if (!accept(&s->in, end))
		return json_text_expected(&s->in, keyed ? "',' or '}'" : "',' or ']'");
	return keyed ? close_object(s, first) : 0;
}

static int scan_container(struct scan *s, bool keyed)
{
	int result;

	if (s->depth == JSON_DEPTH_MAX)
		return json_text_fail(&s->in, s->in.pos - 1, "nested deeper than %d levels", JSON_DEPTH_MAX);
	s->depth++;
	result = scan_members(s, keyed);
	s->depth--;
	return result;
}

static int scan_value(struct scan *s)
{
	struct json_text *in = &s->in;

	skip_space(in);
	if (++s->nodes > JSON_NODES_MAX)
		return json_text_fail(in, in->pos, "more than %d values", JSON_NODES_MAX);
	if (accept(in, "{"))
		return scan_container(s, true);
	if (accept(in, "["))
		return scan_container(s, false);
	if (accept(in, "\""))
		return json_string_scan(in, NULL);
	if (in->pos < in->len && (in->text[in->pos] == '-' || isdigit((unsigned char)in->text[in->pos])))
		return scan_number(in);
	return scan_literal(in);
}

int json_scan(const char *text, size_t len, const char *path, struct error *err)
{
	struct scan s = { .in = { .text = text, .len = len, .path = path, .err = err }, .names = STRBUF_INIT };
	int result;

	if (len > JSON_LARGEST) {
		error_set(err, ERR_INPUT, "the file has %zu bytes; at most %d (8 MiB) are read", len, JSON_LARGEST);
		return error_at(err, path, 0, 0);
	}
	result = scan_value(&s);
	if (!result) {
		skip_space(&s.in);
		if (s.in.pos < len)
			result = json_text_expected(&s.in, "the end of the file");
	}
	strbuf_release(&s.names);
	free(s.keys);
	return result;
}
