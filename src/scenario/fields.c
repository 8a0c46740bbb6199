#include "scenario/fields.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "scenario/scenario.h"
#include "scenario/values.h"

static const struct field *find_field(const struct fields *fields, const char *key)
{
	for (size_t i = 0; i < fields->n; i++)
		if (!strcmp(fields->items[i].key, key))
			return &fields->items[i];
	return NULL;
}

static int unknown_key(struct source *source, const struct node *key, const struct fields *fields)
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

static int refuse_unknown(struct source *source, const struct node *mapping, const struct fields *fields)
{
	int ret = 0;

	for (size_t i = 0; i < mapping->n; i++)
		if (!find_field(fields, mapping->entries[i].key.text))
			ret = unknown_key(source, &mapping->entries[i].key, fields);
	return ret;
}

/* A key that was meant to be this one has been told as unknown already. */
static bool misspelt(const struct node *mapping, const struct fields *fields, const char *key)
{
	for (size_t i = 0; i < mapping->n; i++) {
		const char *found = mapping->entries[i].key.text;

		if (!find_field(fields, found) && nearest(found, &key, 1))
			return true;
	}
	return false;
}

static int parse_field(struct source *source, const struct field *field, const struct node_entry *entry, char *base)
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

int fields_parse(struct source *source, const struct node *mapping, const struct fields *fields, void *out)
{
	int ret;

	if (mapping->kind != NODE_MAPPING)
		return node_expected(source, mapping, "a mapping");
	ret = refuse_unknown(source, mapping, fields);
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->items[i];
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
