#include "gate/json.h"

#include <ctype.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "gate/json_scan.h"

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

const char *json_kind(const struct json *at)
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
	*out = (struct json){ .value = value, .parent = object, .key = value->string };
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

static int unknown_key(const struct json *at, const char *const *known, size_t n, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf all = STRBUF_INIT;
	const char *meant = nearest(at->key, known, n);

	if (meant)
		return json_fault(at, err, "unknown key; did you mean \"%s\"?", meant);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&all, "%s%s", i ? ", " : "", known[i]);
	return json_fault(at, err, "unknown key; expected one of %s", all.buf);
}

int json_only(const struct json *object, const char *const *known, struct error *err)
{
	size_t n = 0, i;
	const cJSON *child;

	if (!cJSON_IsObject(object->value))
		return json_mismatch(object, err, "an object");
	while (known[n])
		n++;
	cJSON_ArrayForEach(child, object->value) {
		struct json at = { .value = child, .parent = object, .key = child->string };

		for (i = 0; i < n && strcmp(known[i], child->string);)
			i++;
		if (i == n)
			return unknown_key(&at, known, n, err);
	}
	return 0;
}
