#include "store/store.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>

#include "base/mem.h"
#include "base/parse.h"
#include "base/regex.h"
#include "base/text.h"

/* -------- bytes to a tree */

static int fault_at(const char *text, size_t at, struct error *err, const char *fmt, ...)
{
	char words[200];
	unsigned line = 1;
	size_t start = 0;
	va_list args;

	va_start(args, fmt);
	vsnprintf(words, sizeof words, fmt, args);
	va_end(args);
	for (size_t i = 0; i < at; i++)
		if (text[i] == '\n') {
			line++;
			start = i + 1;
		}
	error_set(err, ERR_INPUT, "%s", words);
	return error_at(err, "", line, (unsigned)(at - start) + 1);
}

static int found_at(const char *text, size_t len, size_t at, struct error *err, const char *expected)
{
	unsigned char c = at < len ? (unsigned char)text[at] : 0;

	if (at >= len)
		return fault_at(text, at, err, "%s, found the end of the file", expected);
	if (c > ' ' && c < 0x7f)
		return fault_at(text, at, err, "%s, found '%c'", expected, c);
	return fault_at(text, at, err, "%s, found byte 0x%02x", expected, c);
}

/* The text has no NUL at its end, where utf8_decode() would stop. */
static size_t character_length(const char *text, size_t left)
{
	char bytes[5] = "";
	uint32_t code;

	if ((unsigned char)*text < 0x80)
		return 1;
	memcpy(bytes, text, left < 4 ? left : 4);
	return utf8_decode(bytes, &code);
}

/* Rejects text that cJSON would wrongly accept or need much memory for. */
static int check_text(const char *text, size_t len, struct error *err)
{
	size_t depth = 0, values = 1, n;
	bool quoted = false;

	for (size_t i = 0; i < len; i += n) {
		unsigned char c = (unsigned char)text[i];

		n = character_length(text + i, len - i);
		if (!quoted && (c >= 0x80 || (c < ' ' && (!c || !strchr("\t\r\n", c)))))
			return found_at(text, len, i, err, "expected a value");
		if (!n)
			return fault_at(text, i, err, "a string holds byte 0x%02x, which is not valid UTF-8", c);
		if (quoted && c < ' ')
			return fault_at(text, i, err, "a string holds the control character 0x%02x; write \\u%04x", c, c);
		if (quoted && c == '\\' && i + 1 < len) {
			/* cJSON reads an invalid number as NUL and truncates the string there. */
			for (size_t digit = i + 2; text[i + 1] == 'u' && digit < i + 6; digit++)
				if (digit >= len || !isxdigit((unsigned char)text[digit]))
					return found_at(text, len, digit, err, "expected four hexadecimal digits after \\u");
			if (text[i + 1] == 'u' && !memcmp(text + i + 2, "0000", 4))
				return fault_at(text, i, err, "a string holds the character NUL (\\u0000)");
			n += strchr("\"\\", text[i + 1]) && text[i + 1];
		} else if (c == '"') {
			quoted = !quoted;
		} else if (!quoted && strchr("[{", c)) {
			values++;
			if (++depth > JSON_DEPTH_MAX)
				return fault_at(text, i, err, "nested deeper than %d levels", JSON_DEPTH_MAX);
		} else if (!quoted && strchr("]}", c)) {
			depth -= depth > 0;
		} else if (!quoted && c == ',') {
			values++;
		}
		if (values > JSON_NODES_MAX)
			return fault_at(text, i, err, "more than %d values", JSON_NODES_MAX);
	}
	if (quoted || depth)
		return found_at(text, len, len, err, quoted ? "expected '\"'" : "expected ']' or '}'");
	return 0;
}

static int by_key(const void *a, const void *b)
{
	return strcmp((*(const cJSON *const *)a)->string, (*(const cJSON *const *)b)->string);
}

static int check_keys(const struct json *object, struct error *err)
{
	size_t n = (size_t)cJSON_GetArraySize(object->value), i = 0;
	CLEANUP(free_ptr) const cJSON **keys = xcalloc(n + 1, sizeof *keys);
	const cJSON *member;

	cJSON_ArrayForEach(member, object->value)
		keys[i++] = member;
	qsort(keys, n, sizeof *keys, by_key);
	for (i = 1; i < n; i++)
		if (!by_key(&keys[i - 1], &keys[i]))
			return json_fault(object, err, "the key \"%.60s\" occurs twice in one object", keys[i]->string);
	return 0;
}

static int check_tree(const struct json *at, struct error *err)
{
	const cJSON *member;
	size_t i = 0;

	if (cJSON_IsNumber(at->value) && !isfinite(at->value->valuedouble))
		return json_fault(at, err, "the number is too large");
	if (cJSON_IsObject(at->value) && check_keys(at, err) < 0)
		return -1;
	cJSON_ArrayForEach(member, at->value) {
		const struct json item = { .value = member, .parent = at, .key = member->string, .index = i++ };

		if (check_tree(&item, err) < 0)
			return -1;
	}
	return 0;
}

cJSON *json_parse(const char *text, size_t len, const char *path, struct error *err)
{
	struct error why = ERROR_INIT;
	const char *end = NULL;
	cJSON *tree = NULL;
	size_t at;

	at = text_byte_order_mark(text, len);
	text += at;
	len -= at;
	if (len > JSON_LARGEST) {
		error_set(&why, ERR_INPUT, "the file has %zu bytes; at most %d (%d MiB) are read", len, JSON_LARGEST, JSON_LARGEST >> 20);
	} else if (check_text(text, len, &why) == 0) {
		tree = cJSON_ParseWithLengthOpts(text, len, &end, false);
		for (at = end ? (size_t)(end - text) : 0; at < len && strchr(" \t\r\n", text[at]); at++)
			;
		if (!tree)
			found_at(text, len, at, &why, at < len ? "expected valid JSON" : "expected a value");
		else if (at < len)
			found_at(text, len, at, &why, "expected the end of the file");
		else if (check_tree(&(struct json){ .value = tree }, &why) == 0)
			return tree;
	}
	cJSON_Delete(tree);
	error_at(&why, path, why.at.line, why.at.column);
	error_copy(err, &why);
	return NULL;
}

/* -------- values at a path */

enum { INDEX_DIGITS = 6 };

struct step {
	const char *key;	/* NULL: an index */
	size_t len;
	int index;
};

/* 1, 0 at the end, or -1 if invalid. FIRST: its key has no dot before it. */
static int next_step(const char **at, bool first, struct step *out)
{
	size_t len;

	if (**at == '[') {
		len = strspn(*at + 1, "0123456789");
		if (!len || len > INDEX_DIGITS || (*at)[1 + len] != ']')
			return -1;
		*out = (struct step){ .index = (int)strtol(*at + 1, NULL, 10) };
		*at += len + 2;
		return 1;
	}
	if (!**at)
		return first ? -1 : 0;
	if (!first && *(*at)++ != '.')
		return -1;
	len = strcspn(*at, ".[]");
	*out = (struct step){ .key = *at, .len = len };
	*at += len;
	return len ? 1 : -1;
}

static const char *path_start(const char *path)
{
	if (path[0] == '$' && path[1] == '.')
		return path + 2;
	return path[0] == '$' && path[1] == '[' ? path + 1 : path;
}

bool json_path_valid(const char *path)
{
	const char *at = path_start(path);
	struct step step;
	int found = 1;

	for (bool first = true; found == 1; first = false)
		found = next_step(&at, first, &step);
	return found == 0;
}

const cJSON *json_at(const cJSON *root, const char *path)
{
	const cJSON *value = root;
	const char *at = path_start(path);
	struct step step;
	int found = 1;

	for (bool first = true; value && (found = next_step(&at, first, &step)) == 1; first = false) {
		CLEANUP(free_ptr) char *key = step.key ? xstrndup(step.key, step.len) : NULL;

		if (key)
			value = cJSON_IsObject(value) ? cJSON_GetObjectItemCaseSensitive(value, key) : NULL;
		else
			value = cJSON_IsArray(value) ? cJSON_GetArrayItem(value, step.index) : NULL;
	}
	return found < 0 ? NULL : value;
}

/* -------- values in an output */

cJSON *json_scan_next(struct json_scan *scan)
{
	for (; scan->at < scan->len; scan->at++) {
		const char *text = scan->text + scan->at, *end = text;
		bool begins_line = !scan->at || text[-1] == '\n' || text[-1] == '\r';
		cJSON *value = NULL;
		size_t read;

		if (begins_line && (*text == '{' || *text == '[') && scan->budget)
			value = cJSON_ParseWithLengthOpts(text, scan->len - scan->at, &end, 0);
		read = (size_t)(end - text);
		if (value) {
			scan->begin = scan->at;
			scan->at += read;
			return value;
		}
		scan->budget -= read < scan->budget ? read : scan->budget;
	}
	return NULL;
}

/* -------- places of values, and their faults */

static void add_path(struct strbuf *out, const struct json *at)
{
	if (!at->parent) {
		strbuf_addc(out, '$');
		return;
	}
	add_path(out, at->parent);
	if (!at->key) {
		strbuf_addf(out, "[%zu]", at->index);
	} else if (text_made_of(at->key, "_-")) {
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
	/* A key may be megabytes long. The words after it must stay readable. */
	return error_set(err, ERR_INPUT, "%.300s: %s", path, text.buf);
}

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
	*out = (struct json){
		.value = value, .parent = object, .key = value->string, .strict = object->strict, .arena = object->arena,
	};
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

int json_bool(const struct json *at, bool *out, struct error *err)
{
	if (!cJSON_IsBool(at->value))
		return json_mismatch(at, err, "true or false");
	*out = cJSON_IsTrue(at->value);
	return 0;
}

int json_measured(const struct json *at, double *out, struct error *err)
{
	double value = at->value->valuedouble;

	if (!cJSON_IsNumber(at->value))
		return json_mismatch(at, err, "a number");
	if (value < 0)
		return json_fault(at, err, "expected a number that is not negative, found %.17g", value);
	*out = value;
	return 0;
}

int json_choice(const struct json *at, const char *const *words, size_t *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf all = STRBUF_INIT;

	if (!cJSON_IsString(at->value))
		return json_mismatch(at, err, "a string");
	for (size_t i = 0; words[i]; i++) {
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
	struct json item = { .parent = at, .strict = at->strict, .arena = at->arena };

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

static int read_texts(const struct json *at, struct strv *out, struct error *err)
{
	struct json item = { .parent = at };

	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array of strings");
	cJSON_ArrayForEach(item.value, at->value) {
		if (!cJSON_IsString(item.value))
			return json_mismatch(&item, err, "a string");
		item.index++;
	}
	if (!at->arena)
		strv_release(out);
	*out = (struct strv)STRV_INIT;
	cJSON_ArrayForEach(item.value, at->value) {
		if (at->arena)
			arena_push(at->arena, out, item.value->valuestring);
		else
			strv_push(out, item.value->valuestring);
	}
	return 0;
}

/* -------- writing */

/* cJSON returns NULL if memory runs out. */
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

cJSON *json_new_list(void)
{
	return must(cJSON_CreateArray());
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

static int refuse_unknown(const struct json *object, const struct fields *fields, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf all = STRBUF_INIT;
	CLEANUP(free_ptr) const char **known = xcalloc(fields->n, sizeof *known);
	struct json at = { .parent = object };
	const char *meant;
	size_t i;

	if (!cJSON_IsObject(object->value))
		return json_mismatch(object, err, "an object");
	for (i = 0; i < fields->n; i++)
		known[i] = fields->items[i].key;
	cJSON_ArrayForEach(at.value, object->value) {
		at.key = at.value->string;
		for (i = 0; i < fields->n && strcmp(known[i], at.key);)
			i++;
		if (i < fields->n)
			continue;
		meant = nearest(at.key, known, fields->n);
		if (meant)
			return json_fault(&at, err, "unknown key; did you mean \"%s\"?", meant);
		for (i = 0; i < fields->n; i++)
			strbuf_addf(&all, "%s%s", i ? ", " : "", known[i]);
		return json_fault(&at, err, "unknown key; expected one of %s", all.buf);
	}
	return 0;
}

static int read_text(const struct json *at, const struct field *field, char **member, struct error *err)
{
	const char *text = at->value->valuestring;

	if (field->nullable && cJSON_IsNull(at->value))
		return 0;
	if (!cJSON_IsString(at->value))
		return json_mismatch(at, err, "a string");
	if ((field->max > 0 && strlen(text) > field->max) || (field->pattern && !regex_matches(field->pattern, text)))
		return json_fault(at, err, "expected %s, found '%.60s'", field->expected, text);
	if (!at->arena)
		free(*member);
	*member = at->arena ? arena_strdup(at->arena, text) : xstrdup(text);
	return 0;
}

static int read_whole(const struct json *at, const struct field *field, double most, uint64_t *out, struct error *err)
{
	double value = at->value->valuedouble;

	if (field->max > 0)
		most = field->max;
	if (!cJSON_IsNumber(at->value))
		return json_mismatch(at, err, "a whole number");
	if (value < field->min || value > most || floor(value) != value)
		return json_fault(at, err, "expected a whole number from %.0f to %.0f, found %.17g", field->min, most, value);
	*out = (uint64_t)value;
	return 0;
}

static int read_double(const struct json *at, const struct field *field, double *member, struct error *err)
{
	bool nullable = field->nullable || !field->not_negative;

	if (cJSON_IsNull(at->value) && nullable) {
		*member = NAN;
		return 0;
	}
	if (field->not_negative)
		return json_measured(at, member, err);
	if (!cJSON_IsNumber(at->value))
		return json_mismatch(at, err, "a number or null");
	*member = at->value->valuedouble;
	return 0;
}

static int read_object(const struct json *at, const struct fields *fields, void *member, struct error *err)
{
	if (fields->empty)
		memcpy(member, fields->empty, fields->size);
	return json_read(at, fields, member, err);
}

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

/* The item is in the list before it is read, so that releasing the list also frees a partly read one. */
static int read_list(const struct json *at, const struct field *field, void *member, struct error *err)
{
	const struct fields *fields = field->object;
	struct json item = { .parent = at, .strict = at->strict, .arena = at->arena };
	struct list list;

	if (check_list(at, field, err) < 0)
		return -1;
	memcpy(&list, member, sizeof list);
	cJSON_ArrayForEach(item.value, at->value) {
		void *read;

		if (list.n == list.cap) {
			list.cap = list.cap ? list.cap * 2 : 8;
			list.items = at->arena ? arena_grow(at->arena, list.items, list.n, list.cap, fields->size)
					       : xrealloc_array(list.items, list.cap, fields->size);
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
	size_t index;

	if (field->json && field->json->read)
		return field->json->read(at, member, err);
	if (field->json && field->json->item)
		return check_list(at, field, err) < 0 ? -1 : json_each(at, field->json->item, member, err);
	if (field->words) {
		if (json_choice(at, field->words + (size_t)field->min, &index, err) < 0)
			return -1;
		*(unsigned *)member = (unsigned)((size_t)field->min + index);
		return 0;
	}
	switch (field->type) {
	case FIELD_TEXT:
		return read_text(at, field, member, err);
	case FIELD_TEXTS:
		return read_texts(at, member, err);
	case FIELD_BOOL:
		return json_bool(at, member, err);
	case FIELD_INT:	/* has the bytes of an unsigned, being not below 0 */
	case FIELD_UNSIGNED:
		if (read_whole(at, field, field->type == FIELD_INT ? INT_MAX : UINT_MAX, &whole, err) < 0)
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

int json_read(const struct json *from, const struct fields *fields, void *record, struct error *err)
{
	struct json into = *from;
	const struct json *object = &into;

	if (fields->arena)
		into.arena = record;
	if (object->strict && refuse_unknown(object, fields, err) < 0)
		return -1;
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->items[i];
		struct json at;
		bool older = field->was && !cJSON_HasObjectItem(object->value, field->key);
		const char *key = older ? field->was : field->key;
		int found = field->needed ? json_need(object, key, &at, err) : json_get(object, key, &at, err);

		if (found < 0)
			return -1;
		if (field->derived || (!field->needed && !found))
			continue;
		if (json_read_value(&at, field, (char *)record + field->offset, err) < 0)
			return -1;
	}
	return fields->check ? fields->check(object, record, err) : 0;
}

void json_write_value(cJSON *parent, const char *key, const struct field *field, const void *member)
{
	struct list list;
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
		parent = json_add_array(parent, key);
		memcpy(&list, member, sizeof list);
		for (size_t i = 0; i < list.n; i++)
			json_write(json_add_object(parent, NULL), field->object, list.items + i * field->object->size);
		break;
	case FIELD_VERSION:
		json_add_number(parent, key, field->max);
		break;
	case FIELD_OWN:
	case FIELD_LISTS:
		break;
	}
}

static bool is_empty(const struct field *field, const void *member)
{
	struct list list;

	switch (field->type) {
	case FIELD_TEXT:
		return !*(char *const *)member;
	case FIELD_BOOL:
		return !*(const bool *)member;
	case FIELD_UNSIGNED:
		return !*(const unsigned *)member;
	case FIELD_TEXTS:
	case FIELD_LIST:
		memcpy(&list, member, sizeof list);
		return !list.n;
	default:
		return false;
	}
}

void json_write(cJSON *object, const struct fields *fields, const void *record)
{
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->items[i];
		const void *member = (const char *)record + field->offset;
		bool left_out = field->when && !field->when(record);

		if (!left_out && !(field->omitted && is_empty(field, member)))
			json_write_value(object, field->key, field, member);
		else if (left_out && field->nullable && !field->omitted)
			json_add_string(object, field->key, NULL);
	}
}

/* A newer schema has keys that would be reported as unknown. */
static int check_version(const struct json *root, const struct field *versions, struct error *err)
{
	static const struct field version = { .key = "schema" };
	const cJSON *sessions = cJSON_GetObjectItemCaseSensitive(root->value, "sessions"), *last = root->value;
	unsigned long long current = (unsigned long long)versions->max;
	double oldest = versions->min > 0 ? versions->min : versions->max;
	const char *wrote;
	uint64_t found;
	struct json at;

	if (json_need(root, version.key, &at, err) < 0 || read_whole(&at, &version, JSON_WHOLE_MAX, &found, err) < 0)
		return -1;
	if ((double)found >= oldest && found <= current)
		return 0;
	if (found < current)
		return json_fault(&at, err, "schema %llu is unknown; this pawl %s reads schema %llu", (unsigned long long)found,
				  PAWL_VERSION, current);
	/* The pawl that wrote the file, or the last session of a baseline, even if other parts are faulty. */
	if (sessions)
		last = cJSON_GetArrayItem(sessions, cJSON_GetArraySize(sessions) - 1);
	wrote = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(last, "pawl"));
	if (wrote)
		return json_fault(&at, err, "schema %llu is newer than this pawl %s reads; use pawl %.40s, which wrote it",
				  (unsigned long long)found, PAWL_VERSION, wrote);
	return json_fault(&at, err, "schema %llu is newer than this pawl %s reads; use a newer pawl",
			  (unsigned long long)found, PAWL_VERSION);
}

int json_read_file(const struct json_file *file, const struct fields *fields, void *record, struct error *err)
{
	cJSON *tree = json_parse(file->text, file->len, file->path, err);
	struct json root = { .value = tree, .strict = file->strict };
	int ret;

	if (!tree)
		return -1;
	ret = check_version(&root, &fields->items[0], err);
	if (ret == 0)
		ret = json_read(&root, fields, record, err);
	cJSON_Delete(tree);
	return ret < 0 ? error_at(err, file->path, 0, 0) : 0;
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

static bool is_plain(const cJSON *value)
{
	const cJSON *child;

	cJSON_ArrayForEach(child, value)
		if (cJSON_IsArray(value) ? !cJSON_IsNumber(child) : is_container(child))
			return false;
	return cJSON_IsObject(value) || value->child;
}

static bool on_one_line(const cJSON *value, bool in_array)
{
	const cJSON *child;

	if (cJSON_IsObject(value) && !in_array)
		return !value->child;
	cJSON_ArrayForEach(child, value)
		if (is_container(child) && !(cJSON_IsObject(value) && is_plain(child)))
			return false;
	return true;
}

static void print_value(struct strbuf *out, const cJSON *value, size_t indent, bool in_array)
{
	bool keyed = cJSON_IsObject(value), flat = on_one_line(value, in_array);
	const cJSON *child;

	if (cJSON_IsString(value)) {
		escape_json(out, value->valuestring);
		return;
	}
	if (cJSON_IsNumber(value)) {
		print_number(out, value->valuedouble);
		return;
	}
	if (!is_container(value)) {
		strbuf_adds(out, cJSON_IsNull(value) ? "null" : cJSON_IsTrue(value) ? "true" : "false");
		return;
	}
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

void json_append(struct strbuf *out, cJSON *tree)
{
	print_value(out, tree, 0, false);
	strbuf_addc(out, '\n');
	cJSON_Delete(tree);
}

char *json_print(cJSON *tree)
{
	struct strbuf out = STRBUF_INIT;

	json_append(&out, tree);
	return strbuf_take(&out);
}

char *json_format(const struct fields *fields, const void *record)
{
	cJSON *tree = json_new_object();

	json_write(tree, fields, record);
	return json_print(tree);
}
