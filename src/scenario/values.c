#include "scenario/values.h"

#include <strings.h>

#include "base/mem.h"
#include "base/parse.h"
#include "scenario/expand.h"
#include "scenario/scenario.h"

/* -------- fields */

static const struct yaml_field *find_field(const struct yaml_fields *fields, const char *key)
{
	for (size_t i = 0; i < fields->n; i++)
		if (!strcmp(fields->items[i].key, key))
			return &fields->items[i];
	return NULL;
}

static int unknown_key(struct source *source, const struct node *key, const struct yaml_fields *fields)
{
	CLEANUP(strbuf_release) struct strbuf known = STRBUF_INIT;
	CLEANUP(free_ptr) const char **keys = xcalloc(fields->n, sizeof *keys);
	const char *near;
	size_t n = 0;

	for (size_t i = 0; i < fields->n; i++) {
		strbuf_addf(&known, "%s%s", n ? ", " : "", fields->items[i].key);
		keys[n++] = fields->items[i].key;
	}
	near = nearest(key->text, keys, n);
	if (near)
		return source_fault(source, key->at, "unknown key '%.60s'; did you mean '%s'?", key->text, near);
	return source_fault(source, key->at, "unknown key '%.60s'; the keys here are %s", key->text, known.buf);
}

static int refuse_unknown(struct source *source, const struct node *mapping, const struct yaml_fields *fields)
{
	int ret = 0;

	for (size_t i = 0; i < mapping->n; i++)
		if (!find_field(fields, mapping->entries[i].key.text))
			ret = unknown_key(source, &mapping->entries[i].key, fields);
	return ret;
}

/* A key that was meant to be this one has been told as unknown already. */
static bool misspelt(const struct node *mapping, const struct yaml_fields *fields, const char *key)
{
	for (size_t i = 0; i < mapping->n; i++) {
		const char *found = mapping->entries[i].key.text;

		if (!find_field(fields, found) && nearest(found, &key, 1))
			return true;
	}
	return false;
}

static int parse_field(struct source *source, const struct yaml_field *field, const struct node_entry *entry, char *base)
{
	size_t mark;
	int ret = 0;

	mark = source_enter(source, field->key);
	if (field->nested)
		ret = fields_parse(source, &entry->value, field->nested, base + field->offset);
	if (!ret && field->parse)
		ret = field->parse(source, entry, base + field->offset);
	source_leave(source, mark);
	return ret;
}

int fields_parse(struct source *source, const struct node *mapping, const struct yaml_fields *fields, void *out)
{
	int ret;

	if (mapping->kind != NODE_MAPPING)
		return node_expected(source, mapping, "a mapping");
	ret = refuse_unknown(source, mapping, fields);
	for (size_t i = 0; i < fields->n; i++) {
		const struct yaml_field *field = &fields->items[i];
		const struct node_entry *entry = node_find(mapping, field->key);

		if (entry && parse_field(source, field, entry, out) < 0)
			ret = -1;
		else if (!entry && field->required && !misspelt(mapping, fields, field->key))
			ret = source_fault(source, mapping->at, "the key '%s' is missing; add %s", field->key,
					   field->required);
	}
	return ret;
}

static bool is_among(const char *key, const char *const *keys, size_t n)
{
	while (n && strcmp(keys[n - 1], key))
		n--;
	return n;
}

static int none_of(struct source *source, const struct node *mapping, const char *const *keys, size_t n,
		   const char *what)
{
	CLEANUP(strbuf_release) struct strbuf list = STRBUF_INIT;

	for (size_t i = 0; i < n; i++)
		strbuf_addf(&list, "%s%s", !i ? "" : i + 1 < n ? ", " : " or ", keys[i]);
	return source_fault(source, mapping->at, "%s is missing; add %s", what, list.buf);
}

int fields_one_of(struct source *source, const struct node *mapping, const char *const *keys, size_t n,
		  const char *what, const struct node_entry **out)
{
	const struct node_entry *found = NULL;

	for (size_t i = 0; i < mapping->n; i++) {
		const struct node_entry *entry = &mapping->entries[i];

		if (!is_among(entry->key.text, keys, n))
			continue;
		if (found)
			return source_fault(source, entry->key.at, "%s and %s exclude each other; keep one",
					    found->key.text, entry->key.text);
		found = entry;
	}
	if (!found && what)
		return none_of(source, mapping, keys, n, what);
	*out = found;
	return 0;
}

static const char *entry_name(const struct node *node)
{
	const struct node_entry *name = node->kind == NODE_MAPPING ? node_find(node, "name") : NULL;

	return name && name->value.kind == NODE_TEXT && scenario_name_valid(name->value.text) ? name->value.text : NULL;
}

static int wrong_list(struct source *source, const struct node *node, const char *what, size_t max)
{
	char expected[80];

	snprintf(expected, sizeof expected, "a list of 1 to %zu %s", max, what);
	if (node->kind != NODE_LIST)
		return node_expected(source, node, expected);
	return source_fault(source, node->at, "expected %s, found %zu", expected, node->n);
}

int fields_each(struct source *source, const struct node *list, const char *what, size_t max, field_fn *parse,
		void *out)
{
	int ret = 0;

	if (list->kind != NODE_LIST || !list->n || list->n > max)
		return wrong_list(source, list, what, max);
	for (size_t i = 0; i < list->n; i++) {
		const char *name = entry_name(&list->entries[i].value);
		size_t mark = name ? source_enter(source, name) : source->where.len;

		if (parse(source, &list->entries[i], out) < 0)
			ret = -1;
		source_leave(source, mark);
	}
	return ret;
}

/* -------- values */

enum { UNIT_LONGEST = 24, NAME_LONGEST = 100 };

static const uint64_t day_ns = 86400ull * 1000000000;

const char *value_text(struct source *source, const struct node *node, const char *expected)
{
	if (node->kind != NODE_TEXT) {
		node_expected(source, node, expected);
		return NULL;
	}
	if (strlen(node->text) > VALUE_TEXT_MAX) {
		source_fault(source, node->at, "the text is longer than %d KiB", VALUE_TEXT_MAX / 1024);
		return NULL;
	}
	return node->text;
}

int value_count(struct source *source, const struct node *node, unsigned low, unsigned high, unsigned *out)
{
	char expected[80];
	uint64_t value;

	snprintf(expected, sizeof expected, "a whole number from %u to %u", low, high);
	if (node->kind != NODE_TEXT || parse_u64(node->text, &value, NULL) < 0 || value < low || value > high)
		return node_expected(source, node, expected);
	*out = (unsigned)value;
	return 0;
}

int value_bool(struct source *source, const struct node *node, bool *out)
{
	static const char *const words[] = { "off", "on", "false", "true", "no", "yes" };

	for (size_t i = 0; node->kind == NODE_TEXT && i < sizeof words / sizeof *words; i++) {
		if (strcasecmp(node->text, words[i]))
			continue;
		*out = i % 2;
		return 0;
	}
	return node_expected(source, node, "on or off");
}

bool value_made_of(const char *text, const char *extra)
{
	if (!*text)
		return false;
	for (; *text; text++) {
		bool letter = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z');

		if (!letter && !(*text >= '0' && *text <= '9') && !strchr(extra, *text))
			return false;
	}
	return true;
}

bool scenario_name_valid(const char *name)
{
	return value_made_of(name, "._-") && *name != '.' && strlen(name) <= NAME_LONGEST;
}

int value_string(struct source *source, const struct node_entry *entry, void *out)
{
	const char *text = value_text(source, &entry->value, "text");

	if (!text)
		return -1;
	if (!*text)
		return source_fault(source, entry->value.at, "the text is empty");
	*(char **)out = entry->value.text;
	return 0;
}

int value_expanded(struct source *source, const struct node_entry *entry, void *out)
{
	char *text;

	if (value_string(source, entry, &text) < 0 || expand_check(source, &entry->value) < 0)
		return -1;
	*(char **)out = text;
	return 0;
}

static int wrong_shape(struct source *source, const struct node *node, const char *expected, const char *sample)
{
	if (!strcmp(node->text, sample))
		return node_expected(source, node, expected);
	return source_fault(source, node->at, "expected %s, found '%.60s', which becomes '%.60s'", expected, node->text,
			    sample);
}

int value_shaped(struct source *source, const struct node_entry *entry, bool (*fits)(const char *text),
		 const char *expected, char **out)
{
	CLEANUP(free_ptr) char *sample = NULL;
	char *text;

	if (entry->value.kind != NODE_TEXT)
		return node_expected(source, &entry->value, expected);
	if (value_expanded(source, entry, &text) < 0)
		return -1;
	sample = expand_sample(source, text);
	if (!fits(sample))
		return wrong_shape(source, &entry->value, expected, sample);
	*out = text;
	return 0;
}

int value_regex(struct source *source, const struct node_entry *entry, void *out)
{
	CLEANUP(free_ptr) char *sample = NULL;
	struct error why = ERROR_INIT;
	regex_t regex;
	char *text;

	if (value_expanded(source, entry, &text) < 0)
		return -1;
	sample = expand_sample(source, text);
	if (regex_compile(&regex, sample, REG_NOSUB, &why) < 0)
		return source_fault(source, entry->value.at, "the regular expression '%.60s' cannot be used: %s", text,
				    why.msg);
	regfree(&regex);
	*(char **)out = text;
	return 0;
}

int value_name(struct source *source, const struct node_entry *entry, void *out)
{
	if (entry->value.kind != NODE_TEXT || !scenario_name_valid(entry->value.text))
		return node_expected(source, &entry->value,
				     "a name of at most 100 letters, digits, '.', '_' or '-' that does not start "
				     "with '.'");
	return value_string(source, entry, out);
}

int value_user(struct source *source, const struct node_entry *entry, void *out)
{
	if (entry->value.kind != NODE_TEXT || !value_made_of(entry->value.text, "._-") || *entry->value.text == '-')
		return node_expected(source, &entry->value, "the name of a user");
	return value_string(source, entry, out);
}

int value_unit(struct source *source, const struct node_entry *entry, void *out)
{
	if (entry->value.kind != NODE_TEXT || !value_made_of(entry->value.text, "/%_-") ||
	    strlen(entry->value.text) > UNIT_LONGEST)
		return node_expected(source, &entry->value, "a short word such as ms, MiB or request");
	return value_string(source, entry, out);
}

int value_duration(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	uint64_t ns;

	if (node->kind != NODE_TEXT || parse_duration(node->text, &ns, NULL) < 0)
		return node_expected(source, node, "a duration such as 30s");
	if (!ns || ns > day_ns)
		return node_expected(source, node, "a duration above 0s and up to 24h");
	*(uint64_t *)out = ns;
	return 0;
}

static int add_word(struct source *source, const struct node *node, struct strv *words)
{
	const char *text = value_text(source, node, "text");

	if (!text)
		return -1;
	if (!*text)
		return source_fault(source, node->at, "the text is empty");
	arena_push(source->arena, words, text);
	return 0;
}

int value_words(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	struct strv words = STRV_INIT;
	int ret = 0;

	if (node->kind == NODE_TEXT)
		ret = add_word(source, node, &words);
	else if (node->kind != NODE_LIST)
		ret = node_expected(source, node, "text or a list of texts");
	for (size_t i = 0; node->kind == NODE_LIST && i < node->n; i++)
		if (add_word(source, &node->entries[i].value, &words) < 0)
			ret = -1;
	if (!ret)
		*(struct strv *)out = words;
	return ret;
}

int value_switch(struct source *source, const struct node_entry *entry, void *out)
{
	return value_bool(source, &entry->value, out);
}
