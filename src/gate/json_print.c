#include "gate/json.h"

#include <math.h>

#include "base/escape.h"

enum { INDENT = 2 };

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
