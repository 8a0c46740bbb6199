#include "store/json.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <regex.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"

/*
 * JSON text being scanned, with the words for what is wrong at a place of it, and the scan of a
 * string: the part of the grammar where bytes become characters.
 */

struct json_text {
	const char *text;
	size_t len, pos;	/* pos never exceeds len */
	const char *path;	/* for errors */
	struct error *err;
};

/* -------- json string */

/* An ERR_INPUT at the line and column of offset AT; -1. */
static int json_text_fail(const struct json_text *in, size_t at, const char *fmt, ...)
{
	char text[512];
	unsigned line = 1;
	size_t line_start = 0;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	for (size_t i = 0; i < at; i++) {
		if (in->text[i] != '\n')
			continue;
		line++;
		line_start = i + 1;
	}
	error_set(in->err, ERR_INPUT, "%s", text);
	return error_at(in->err, in->path, line, (unsigned)(at - line_start) + 1);
}

/* "expected WHAT, found 'x'" at the current place; -1. */
static int json_text_expected(const struct json_text *in, const char *what)
{
	unsigned char c;

	if (in->pos >= in->len)
		return json_text_fail(in, in->pos, "expected %s, found the end of the file", what);
	c = (unsigned char)in->text[in->pos];
	if (c > ' ' && c < 0x7f)
		return json_text_fail(in, in->pos, "expected %s, found '%c'", what, c);
	return json_text_fail(in, in->pos, "expected %s, found byte 0x%02x", what, c);
}

/* The text has an end but no NUL there, which is what utf8_decode() stops at. */
static size_t character_length(const struct json_text *in)
{
	size_t left = in->len - in->pos;
	char bytes[5] = "";
	uint32_t code;

	if ((unsigned char)in->text[in->pos] < 0x80)
		return 1;
	memcpy(bytes, in->text + in->pos, left < 4 ? left : 4);
	return utf8_decode(bytes, &code);
}

static void add_character(struct strbuf *out, uint32_t c)
{
	char bytes[4];
	size_t n = 0;

	if (c < 0x80) {
		bytes[n++] = (char)c;
	} else if (c < 0x800) {
		bytes[n++] = (char)(0xc0 | c >> 6);
	} else if (c < 0x10000) {
		bytes[n++] = (char)(0xe0 | c >> 12);
		bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
	} else {
		bytes[n++] = (char)(0xf0 | c >> 18);
		bytes[n++] = (char)(0x80 | (c >> 12 & 0x3f));
		bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
	}
	if (c >= 0x80)
		bytes[n++] = (char)(0x80 | (c & 0x3f));
	strbuf_add(out, bytes, n);
}

static int scan_hex4(struct json_text *in, uint32_t *out)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	uint32_t value = 0;

	for (int i = 0; i < 4; i++, in->pos++) {
		const char *digit = in->pos < in->len ? memchr(digits, in->text[in->pos], sizeof digits - 1) : NULL;

		if (!digit)
			return json_text_expected(in, "four hexadecimal digits after \\u");
		value = value << 4 | (uint32_t)((digit - digits) & 0xf);
	}
	*out = value;
	return 0;
}

/* Behind "\u"; AT is the backslash. */
static int scan_unicode(struct json_text *in, size_t at, uint32_t *out)
{
	uint32_t high, low;

	if (scan_hex4(in, &high) < 0)
		return -1;
	if (!high)
		return json_text_fail(in, at, "a string holds the character NUL (\\u0000)");
	*out = high;
	if (high < 0xd800 || high > 0xdfff)
		return 0;
	if (high > 0xdbff || in->len - in->pos < 6 || in->text[in->pos] != '\\' || in->text[in->pos + 1] != 'u')
		return json_text_fail(in, at, "a string holds half of a surrogate pair (\\u%04x)", high);
	in->pos += 2;
	if (scan_hex4(in, &low) < 0)
		return -1;
	if (low < 0xdc00 || low > 0xdfff)
		return json_text_fail(in, at, "a string holds half of a surrogate pair (\\u%04x)", high);
	*out = 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
	return 0;
}

/* At a backslash. */
static int scan_escape(struct json_text *in, struct strbuf *out)
{
	static const char letters[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
	size_t at = in->pos++;
	const char *letter;
	uint32_t c = 0;

	letter = in->pos < in->len ? memchr(letters, in->text[in->pos], sizeof letters - 1) : NULL;
	if (letter) {
		c = (unsigned char)meant[letter - letters];
		in->pos++;
	} else if (in->pos < in->len && in->text[in->pos] == 'u') {
		in->pos++;
		if (scan_unicode(in, at, &c) < 0)
			return -1;
	} else {
		return json_text_expected(in, "one of \" \\ / b f n r t u after a backslash");
	}
	if (out)
		add_character(out, c);
	return 0;
}

static int scan_plain(struct json_text *in, struct strbuf *out)
{
	size_t from = in->pos;

	while (in->pos < in->len && in->text[in->pos] != '"' && in->text[in->pos] != '\\') {
		size_t n = character_length(in);
		unsigned char c = (unsigned char)in->text[in->pos];

		if (!n)
			return json_text_fail(in, in->pos, "a string holds byte 0x%02x, which is not valid UTF-8", c);
		if (c < ' ')
			return json_text_fail(in, in->pos, "a string holds the control character 0x%02x; write \\u%04x",
					      c, c);
		in->pos += n;
	}
	if (out)
		strbuf_add(out, in->text + from, in->pos - from);
	return 0;
}

/*
 * The rest of a string whose opening quote has been read, up to and with its closing quote; its
 * characters, escapes decoded, are appended to OUT unless that is NULL. 0 or -1.
 */
static int json_string_scan(struct json_text *in, struct strbuf *out)
{
	for (;;) {
		if (scan_plain(in, out) < 0)
			return -1;
		if (in->pos >= in->len)
			return json_text_expected(in, "'\"'");
		if (in->text[in->pos] == '"') {
			in->pos++;
			return 0;
		}
		if (scan_escape(in, out) < 0)
			return -1;
	}
}

/* -------- json scan */

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

/* 0, or -1 with an ERR_INPUT at PATH's line and column (bytes, from 1). */
static int json_scan(const char *text, size_t len, const char *path, struct error *err)
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

/* -------- json */

cJSON *json_parse(const char *text, size_t len, const char *path, struct error *err)
{
	cJSON *tree;

	if (json_scan(text, len, path, err) < 0)
		return NULL;
	tree = cJSON_ParseWithLength(text, len);
	if (!tree) {
		error_set(err, ERR_INPUT, "the file cannot be read as JSON");
		error_at(err, path, 0, 0);
	}
	return tree;
}

struct json json_root(const cJSON *value)
{
	return (struct json){ .value = value };
}

static bool is_plain_key(const char *key)
{
	for (const char *p = key; *p; p++)
		if (!isalnum((unsigned char)*p) && *p != '_' && *p != '-')
			return false;
	return *key;
}

static void add_path(struct strbuf *out, const struct json *at)
{
	if (!at->parent) {
		strbuf_addc(out, '$');
		return;
	}
	add_path(out, at->parent);
	if (!at->key) {
		strbuf_addf(out, "[%zu]", at->index);
	} else if (is_plain_key(at->key)) {
		strbuf_addf(out, ".%s", at->key);
	} else {
		strbuf_addc(out, '[');
		escape_json(out, at->key);
		strbuf_addc(out, ']');
	}
}

char *json_path(const struct json *at)
{
	struct strbuf path = STRBUF_INIT;

	add_path(&path, at);
	return strbuf_take(&path);
}

int json_fault(const struct json *at, struct error *err, const char *fmt, ...)
{
	CLEANUP(free_ptr) char *path = json_path(at);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&text, fmt, args);
	va_end(args);
	/* A key can be megabytes long; the words behind it must still be readable. */
	return error_set(err, ERR_INPUT, "%.300s: %s", path, text.buf);
}

/* What a value is, for "found ...": "a string", "null". */
static const char *json_kind(const struct json *at)
{
	switch (at->value->type & 0xff) {
	case cJSON_False:
	case cJSON_True:
		return "a boolean";
	case cJSON_NULL:
		return "null";
	case cJSON_Number:
		return "a number";
	case cJSON_String:
		return "a string";
	case cJSON_Array:
		return "an array";
	default:
		return "an object";
	}
}

int json_mismatch(const struct json *at, struct error *err, const char *expected)
{
	return json_fault(at, err, "expected %s, found %s", expected, json_kind(at));
}

static int find(const struct json *object, const char *key, struct json *out, struct error *err)
{
	const cJSON *value;

	if (!cJSON_IsObject(object->value))
		return json_mismatch(object, err, "an object");
	value = cJSON_GetObjectItemCaseSensitive(object->value, key);
	if (!value)
		return 0;
	*out = (struct json){ .value = value, .parent = object, .key = value->string, .strict = object->strict };
	return 1;
}

int json_get(const struct json *object, const char *key, struct json *out, struct error *err)
{
	struct json found;
	int result = find(object, key, &found, err);

	if (result != 1 || cJSON_IsNull(found.value))
		return result < 0 ? -1 : 0;
	*out = found;
	return 1;
}

int json_need(const struct json *object, const char *key, struct json *out, struct error *err)
{
	int result = find(object, key, out, err);

	if (!result)
		return json_fault(object, err, "the key \"%s\" is missing", key);
	return result < 0 ? -1 : 0;
}

/* -------- single values */

int json_string(const struct json *at, char **out, struct error *err)
{
	if (!cJSON_IsString(at->value))
		return json_mismatch(at, err, "a string");
	*out = xstrdup(at->value->valuestring);
	return 0;
}

int json_number(const struct json *at, double *out, struct error *err)
{
	if (!cJSON_IsNumber(at->value))
		return json_mismatch(at, err, "a number");
	if (!isfinite(at->value->valuedouble))
		return json_fault(at, err, "expected a finite number");
	*out = at->value->valuedouble;
	return 0;
}

int json_number_or_null(const struct json *at, double *out, struct error *err)
{
	if (cJSON_IsNull(at->value)) {
		*out = NAN;
		return 0;
	}
	if (!cJSON_IsNumber(at->value))
		return json_mismatch(at, err, "a number or null");
	return json_number(at, out, err);
}

int json_bool(const struct json *at, bool *out, struct error *err)
{
	if (!cJSON_IsBool(at->value))
		return json_mismatch(at, err, "true or false");
	*out = cJSON_IsTrue(at->value);
	return 0;
}

int json_measured(const struct json *at, double *out, struct error *err)
{
	double value;

	if (json_number(at, &value, err) < 0)
		return -1;
	if (value < 0)
		return json_fault(at, err, "expected a number that is not negative, found %.17g", value);
	*out = value;
	return 0;
}

int json_whole(const struct json *at, uint64_t min, uint64_t max, uint64_t *out, struct error *err)
{
	double value;

	if (max > JSON_WHOLE_MAX)
		max = JSON_WHOLE_MAX;
	if (!cJSON_IsNumber(at->value))
		return json_mismatch(at, err, "a whole number");
	if (json_number(at, &value, err) < 0)
		return -1;
	if (value < (double)min || value > (double)max || floor(value) != value)
		return json_fault(at, err, "expected a whole number from %llu to %llu, found %.17g", (unsigned long long)min,
				  (unsigned long long)max, value);
	*out = (uint64_t)value;
	return 0;
}

int json_choice(const struct json *at, const char *const *words, size_t n, size_t *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf all = STRBUF_INIT;

	if (!cJSON_IsString(at->value))
		return json_mismatch(at, err, "a string");
	for (size_t i = 0; i < n; i++) {
		if (!strcmp(words[i], at->value->valuestring)) {
			*out = i;
			return 0;
		}
		strbuf_addf(&all, "%s%s", i ? ", " : "", words[i]);
	}
	return json_fault(at, err, "expected one of %s, found '%.60s'", all.buf, at->value->valuestring);
}

int json_each(const struct json *at, int (*each)(const struct json *item, void *ctx, struct error *err), void *ctx,
	      struct error *err)
{
	struct json item = { .parent = at, .strict = at->strict };

	if (!cJSON_IsArray(at->value) && !cJSON_IsObject(at->value))
		return json_mismatch(at, err, "an array or an object");
	cJSON_ArrayForEach(item.value, at->value) {
		item.key = item.value->string;
		if (each(&item, ctx, err) < 0)
			return -1;
		item.index++;
	}
	return 0;
}

size_t json_size(const struct json *at)
{
	return (size_t)cJSON_GetArraySize(at->value);
}

static int push_string(const struct json *item, void *ctx, struct error *err)
{
	char *text = NULL;

	if (json_string(item, &text, err) < 0)
		return -1;
	strv_take(ctx, text);
	return 0;
}

int json_strings(const struct json *at, struct strv *out, struct error *err)
{
	CLEANUP(strv_release) struct strv list = STRV_INIT;

	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array of strings");
	if (json_each(at, push_string, &list, err) < 0)
		return -1;
	strv_release(out);
	*out = list;
	list = (struct strv)STRV_INIT;
	return 0;
}

/* -------- writing */

/* cJSON answers a lack of memory with NULL; here it ends the process, as everywhere. */
static cJSON *must(cJSON *item)
{
	if (!item)
		abort();
	return item;
}

static cJSON *add(cJSON *parent, const char *key, cJSON *item)
{
	cJSON_bool added;

	must(item);
	added = key ? cJSON_AddItemToObject(parent, key, item) : cJSON_AddItemToArray(parent, item);
	if (!added)
		abort();
	return item;
}

cJSON *json_new_object(void)
{
	return must(cJSON_CreateObject());
}

cJSON *json_add_object(cJSON *parent, const char *key)
{
	return add(parent, key, cJSON_CreateObject());
}

cJSON *json_add_array(cJSON *parent, const char *key)
{
	return add(parent, key, cJSON_CreateArray());
}

void json_add_number(cJSON *parent, const char *key, double value)
{
	add(parent, key, isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull());
}

void json_add_bool(cJSON *parent, const char *key, bool value)
{
	add(parent, key, cJSON_CreateBool(value));
}

void json_add_string(cJSON *parent, const char *key, const char *value)
{
	add(parent, key, value ? cJSON_CreateString(value) : cJSON_CreateNull());
}

void json_add_strings(cJSON *parent, const char *key, const struct strv *list)
{
	cJSON *array = json_add_array(parent, key);

	for (size_t i = 0; i < list->n; i++)
		json_add_string(array, NULL, list->items[i]);
}

/* -------- by tables of fields */

static int unknown_key(const struct json *at, const struct fields *fields, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf all = STRBUF_INIT;
	CLEANUP(free_ptr) const char **known = xcalloc(fields->n, sizeof *known);
	const char *meant;

	for (size_t i = 0; i < fields->n; i++) {
		known[i] = fields->items[i].key;
		strbuf_addf(&all, "%s%s", i ? ", " : "", known[i]);
	}
	meant = nearest(at->key, known, fields->n);
	if (meant)
		return json_fault(at, err, "unknown key; did you mean \"%s\"?", meant);
	return json_fault(at, err, "unknown key; expected one of %s", all.buf);
}

static int refuse_unknown(const struct json *object, const struct fields *fields, struct error *err)
{
	const cJSON *child;
	size_t i;

	if (!cJSON_IsObject(object->value))
		return json_mismatch(object, err, "an object");
	cJSON_ArrayForEach(child, object->value) {
		struct json at = { .value = child, .parent = object, .key = child->string };

		for (i = 0; i < fields->n && strcmp(fields->items[i].key, child->string);)
			i++;
		if (i == fields->n)
			return unknown_key(&at, fields, err);
	}
	return 0;
}

static bool matches(const char *text, const char *pattern)
{
	regex_t regex;
	int result;

	if (regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB))
		abort();	/* a table is wrong */
	result = regexec(&regex, text, 0, NULL, 0);
	regfree(&regex);
	return !result;
}

static int read_text(const struct json *at, const struct field *field, char **member, struct error *err)
{
	CLEANUP(free_ptr) char *text = NULL;

	if (field->nullable && cJSON_IsNull(at->value))
		return 0;
	if (json_string(at, &text, err) < 0)
		return -1;
	if (field->pattern && !matches(text, field->pattern))
		return json_fault(at, err, "expected %s, found '%.60s'", field->expected, text);
	free(*member);
	*member = take_ptr(&text);
	return 0;
}

static int read_word(const struct json *at, const struct field *field, unsigned *member, struct error *err)
{
	size_t first = (size_t)field->min, n = 0, index;

	while (field->words[first + n])
		n++;
	if (json_choice(at, field->words + first, n, &index, err) < 0)
		return -1;
	*member = (unsigned)(first + index);
	return 0;
}

static int read_whole(const struct json *at, const struct field *field, double most, uint64_t *out, struct error *err)
{
	if (field->max > 0)
		most = field->max;
	return json_whole(at, (uint64_t)field->min, (uint64_t)most, out, err);
}

static int read_double(const struct json *at, const struct field *field, double *member, struct error *err)
{
	if (!field->not_negative || (field->nullable && cJSON_IsNull(at->value)))
		return json_number_or_null(at, member, err);
	return json_measured(at, member, err);
}

static int read_object(const struct json *at, const struct fields *fields, void *member, struct error *err)
{
	if (fields->empty)
		memcpy(member, fields->empty, fields->size);
	return json_read(at, fields, member, err);
}

/* What every list begins with. */
struct list {
	char *items;
	size_t n, cap;
};

static int check_list(const struct json *at, const struct field *field, struct error *err)
{
	size_t n = json_size(at);

	if (!field->max)
		return cJSON_IsArray(at->value) ? 0 : json_fault(at, err, "expected an array of %s, found %s", field->expected,
								 json_kind(at));
	if (cJSON_IsArray(at->value) && (double)n >= field->min && (double)n <= field->max)
		return 0;
	return field->min > 0 ? json_fault(at, err, "expected an array of %g to %g %s", field->min, field->max, field->expected)
			      : json_fault(at, err, "expected an array of at most %g %s", field->max, field->expected);
}

/* An item is the list's before it is read, so that whoever releases the list finds what was read of it. */
static int read_list(const struct json *at, const struct field *field, void *member, struct error *err)
{
	const struct fields *fields = field->object;
	struct json item = { .parent = at, .strict = at->strict };
	struct list list;

	if (check_list(at, field, err) < 0)
		return -1;
	memcpy(&list, member, sizeof list);
	cJSON_ArrayForEach(item.value, at->value) {
		void *read;

		if (list.n == list.cap) {
			list.cap = list.cap ? list.cap * 2 : 8;
			list.items = xrealloc_array(list.items, list.cap, fields->size);
		}
		read = memset(list.items + list.n++ * fields->size, 0, fields->size);
		memcpy(member, &list, sizeof list);
		if (read_object(&item, fields, read, err) < 0)
			return -1;
		item.index++;
	}
	return 0;
}

int json_read_value(const struct json *at, const struct field *field, void *member, struct error *err)
{
	uint64_t whole;

	if (field->json && field->json->read)
		return field->json->read(at, member, err);
	if (field->words)
		return read_word(at, field, member, err);
	switch (field->type) {
	case FIELD_TEXT:
		return read_text(at, field, member, err);
	case FIELD_TEXTS:
		return json_strings(at, member, err);
	case FIELD_BOOL:
		return json_bool(at, member, err);
	case FIELD_INT:
		if (read_whole(at, field, INT_MAX, &whole, err) < 0)
			return -1;
		*(int *)member = (int)whole;
		return 0;
	case FIELD_UNSIGNED:
		if (read_whole(at, field, UINT_MAX, &whole, err) < 0)
			return -1;
		*(unsigned *)member = (unsigned)whole;
		return 0;
	case FIELD_U64:
		return read_whole(at, field, JSON_WHOLE_MAX, member, err);
	case FIELD_DOUBLE:
		return read_double(at, field, member, err);
	case FIELD_OBJECT:
		return read_object(at, field->object, member, err);
	case FIELD_LIST:
		return read_list(at, field, member, err);
	case FIELD_OWN:
	case FIELD_LISTS:
	case FIELD_VERSION:
		break;
	}
	return 0;
}

int json_read(const struct json *object, const struct fields *fields, void *record, struct error *err)
{
	if (object->strict && refuse_unknown(object, fields, err) < 0)
		return -1;
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->items[i];
		struct json at;
		int found = field->needed ? json_need(object, field->key, &at, err) : json_get(object, field->key, &at, err);

		if (found < 0)
			return -1;
		if (field->derived || (!field->needed && !found))
			continue;
		if (json_read_value(&at, field, (char *)record + field->offset, err) < 0)
			return -1;
	}
	return fields->check ? fields->check(object, record, err) : 0;
}

static void write_list(cJSON *array, const struct field *field, const void *member)
{
	struct list list;

	memcpy(&list, member, sizeof list);
	for (size_t i = 0; i < list.n; i++)
		json_write(json_add_object(array, NULL), field->object, list.items + i * field->object->size);
}

void json_write_value(cJSON *parent, const char *key, const struct field *field, const void *member)
{
	uint64_t whole;

	if (field->json && field->json->add) {
		field->json->add(parent, key, member);
		return;
	}
	if (field->words) {
		json_add_string(parent, key, field->words[*(const unsigned *)member]);
		return;
	}
	switch (field->type) {
	case FIELD_TEXT:
		if (!field->omitted || *(char *const *)member)
			json_add_string(parent, key, *(char *const *)member);
		break;
	case FIELD_TEXTS:
		json_add_strings(parent, key, member);
		break;
	case FIELD_BOOL:
		json_add_bool(parent, key, *(const bool *)member);
		break;
	case FIELD_INT:
		json_add_number(parent, key, *(const int *)member);
		break;
	case FIELD_UNSIGNED:
		json_add_number(parent, key, *(const unsigned *)member);
		break;
	case FIELD_U64:
		whole = *(const uint64_t *)member;
		json_add_number(parent, key, (double)(whole < JSON_WHOLE_MAX ? whole : JSON_WHOLE_MAX));
		break;
	case FIELD_DOUBLE:
		json_add_number(parent, key, *(const double *)member);
		break;
	case FIELD_OBJECT:
		json_write(json_add_object(parent, key), field->object, member);
		break;
	case FIELD_LIST:
		write_list(json_add_array(parent, key), field, member);
		break;
	case FIELD_VERSION:
		json_add_number(parent, key, field->max);
		break;
	case FIELD_OWN:
	case FIELD_LISTS:
		break;
	}
}

void json_write(cJSON *object, const struct fields *fields, const void *record)
{
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->items[i];

		if (!field->when || field->when(record))
			json_write_value(object, field->key, field, (const char *)record + field->offset);
		else if (field->nullable && !field->omitted)
			json_add_string(object, field->key, NULL);
	}
}

int json_check_schema(const struct json *root, unsigned current, const char *writer, struct error *err)
{
	struct json at;
	uint64_t schema;

	if (json_need(root, "schema", &at, err) < 0 || json_whole(&at, 0, JSON_WHOLE_MAX, &schema, err) < 0)
		return -1;
	if (schema == current)
		return 0;
	if (schema < current)
		return json_fault(&at, err, "schema %llu is unknown; this pawl %s reads schema %u",
				  (unsigned long long)schema, PAWL_VERSION, current);
	if (writer)
		return json_fault(&at, err, "schema %llu is newer than this pawl %s reads; use pawl %.40s, which wrote it",
				  (unsigned long long)schema, PAWL_VERSION, writer);
	return json_fault(&at, err, "schema %llu is newer than this pawl %s reads; use a newer pawl",
			  (unsigned long long)schema, PAWL_VERSION);
}

/* -------- printing */

enum { INDENT = 2 };

static void print_number(struct strbuf *out, double value)
{
	char text[32];

	if (floor(value) == value && fabs(value) <= (double)JSON_WHOLE_MAX) {
		strbuf_addf(out, "%.0f", value);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	strbuf_adds(out, text);
}

static bool is_container(const cJSON *value)
{
	return cJSON_IsArray(value) || cJSON_IsObject(value);
}

static bool is_numbers(const cJSON *value)
{
	const cJSON *child;

	cJSON_ArrayForEach(child, value)
		if (!cJSON_IsNumber(child))
			return false;
	return cJSON_IsArray(value) && value->child;
}

/* Holds numbers, words and the like alone. */
static bool is_plain(const cJSON *value)
{
	const cJSON *child;

	cJSON_ArrayForEach(child, value)
		if (is_container(child))
			return false;
	return cJSON_IsObject(value);
}

static bool on_one_line(const cJSON *value, bool in_array)
{
	const cJSON *child;

	if (!value->child)
		return true;
	if (cJSON_IsObject(value) && !in_array)
		return false;
	cJSON_ArrayForEach(child, value)
		if (is_container(child) && !(cJSON_IsObject(value) && (is_numbers(child) || is_plain(child))))
			return false;
	return true;
}

static void print_value(struct strbuf *out, const cJSON *value, size_t indent, bool in_array);

static void print_container(struct strbuf *out, const cJSON *value, size_t indent, bool in_array)
{
	bool keyed = cJSON_IsObject(value), flat = on_one_line(value, in_array);
	const cJSON *child;

	strbuf_addc(out, keyed ? '{' : '[');
	cJSON_ArrayForEach(child, value) {
		if (child != value->child)
			strbuf_adds(out, flat ? ", " : ",");
		if (!flat) {
			strbuf_addc(out, '\n');
			strbuf_pad(out, ' ', indent + INDENT);
		}
		if (keyed) {
			escape_json(out, child->string);
			strbuf_adds(out, ": ");
		}
		print_value(out, child, indent + INDENT, !keyed || flat);
	}
	if (!flat) {
		strbuf_addc(out, '\n');
		strbuf_pad(out, ' ', indent);
	}
	strbuf_addc(out, keyed ? '}' : ']');
}

static void print_value(struct strbuf *out, const cJSON *value, size_t indent, bool in_array)
{
	if (is_container(value))
		print_container(out, value, indent, in_array);
	else if (cJSON_IsString(value))
		escape_json(out, value->valuestring);
	else if (cJSON_IsNumber(value))
		print_number(out, value->valuedouble);
	else if (cJSON_IsBool(value))
		strbuf_adds(out, cJSON_IsTrue(value) ? "true" : "false");
	else
		strbuf_adds(out, "null");
}

char *json_print(cJSON *tree)
{
	struct strbuf out = STRBUF_INIT;

	print_value(&out, tree, 0, false);
	strbuf_addc(&out, '\n');
	cJSON_Delete(tree);
	return strbuf_take(&out);
}
