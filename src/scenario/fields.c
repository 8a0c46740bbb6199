#include "scenario/fields.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/nearest.h"

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
		if (fields->items[i].unsupported)
			continue;
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
	if (field->unsupported)
		ret = source_fault(source, entry->key.at, "%s not supported by pawl " PAWL_VERSION, field->unsupported);
	if (!ret && field->nested)
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
