#include "store/schema.h"

#include <limits.h>

#include "base/mem.h"
#include "store/json.h"

/* The members of TEXT, a JSON object with ' in place of ", are added to OUT. */
static void add_text(cJSON *out, const char *text)
{
	CLEANUP(free_ptr) char *json = xstrdup(text);
	cJSON *tree, *child;

	for (char *at = strchr(json, '\''); at; at = strchr(at, '\''))
		*at = '"';
	tree = cJSON_Parse(json);
	if (!cJSON_IsObject(tree))
		abort();	/* a table is wrong, which every print of it shows */
	while ((child = tree->child))
		cJSON_AddItemToObject(out, child->string, cJSON_DetachItemViaPointer(tree, child));
	cJSON_Delete(tree);
}

static void add_type(cJSON *out, const char *type, bool nullable)
{
	cJSON *types;

	if (!nullable) {
		json_add_string(out, "type", type);
		return;
	}
	types = json_add_array(out, "type");
	json_add_string(types, NULL, type);
	json_add_string(types, NULL, "null");
}

static void add_whole(cJSON *out, const struct field *field, double most)
{
	add_type(out, "integer", false);
	json_add_number(out, "minimum", field->min);
	json_add_number(out, "maximum", field->max > 0 ? field->max : most);
}

static void add_words(cJSON *out, const char *const *words)
{
	cJSON *list = json_add_array(out, "enum");

	while (*words)
		json_add_string(list, NULL, *words++);
}

static void add_object(cJSON *out, const struct fields *fields, bool strict);

static void add_list(cJSON *out, const struct field *field, bool strict)
{
	add_type(out, "array", false);
	if (field->min > 0)
		json_add_number(out, "minItems", field->min);
	if (field->max > 0)
		json_add_number(out, "maxItems", field->max);
	if (!field->object)
		return;
	out = json_add_object(out, "items");
	add_type(out, "object", false);
	add_object(out, field->object, strict);
}

static void add_value(cJSON *out, const struct field *field, bool strict)
{
	switch (field->type) {
	case FIELD_OWN:
	case FIELD_OBJECT:
		add_type(out, "object", field->nullable);
		if (field->object)
			add_object(out, field->object, strict);
		break;
	case FIELD_LIST:
		add_list(out, field, strict);
		break;
	case FIELD_LISTS:
		add_type(out, "array", false);
		add_list(json_add_object(out, "items"), field, strict);
		break;
	case FIELD_TEXT:
		add_type(out, "string", field->nullable || (!field->needed && !field->omitted));
		break;
	case FIELD_TEXTS:
		add_type(out, "array", false);
		add_type(json_add_object(out, "items"), "string", false);
		break;
	case FIELD_BOOL:
		add_type(out, "boolean", false);
		break;
	case FIELD_INT:
		add_whole(out, field, INT_MAX);
		break;
	case FIELD_UNSIGNED:
		add_whole(out, field, UINT_MAX);
		break;
	case FIELD_U64:
		add_whole(out, field, JSON_WHOLE_MAX);
		break;
	case FIELD_DOUBLE:
		add_type(out, "number", field->nullable || !field->not_negative);
		if (field->not_negative)
			json_add_number(out, "minimum", 0);
		break;
	case FIELD_VERSION:
		json_add_number(out, "const", field->max);
		break;
	}
	if (field->pattern)
		json_add_string(out, "pattern", field->pattern);
}

static void add_field(cJSON *out, const struct field *field, bool strict)
{
	cJSON *all;

	if (field->help)
		json_add_string(out, "description", field->help);
	if (field->definition) {
		CLEANUP(strbuf_release) struct strbuf ref = STRBUF_INIT;

		/* Beside "$ref" nothing is looked at. */
		all = field->help ? json_add_object(json_add_array(out, "allOf"), NULL) : out;
		strbuf_addf(&ref, "#/definitions/%s", field->definition);
		json_add_string(all, "$ref", ref.buf);
	} else if (field->schema) {
		add_text(out, field->schema);
	} else if (field->words) {
		add_words(out, field->words + (size_t)field->min);
	} else {
		add_value(out, field, strict);
	}
}

static void add_object(cJSON *out, const struct fields *fields, bool strict)
{
	cJSON *required = json_add_array(out, "required"), *properties;

	for (size_t i = 0; i < fields->n; i++)
		if (fields->items[i].needed)
			json_add_string(required, NULL, fields->items[i].key);
	if (!required->child)
		cJSON_DeleteItemFromObjectCaseSensitive(out, "required");
	if (strict)
		json_add_bool(out, "additionalProperties", false);
	if (fields->rules)
		add_text(out, fields->rules);
	properties = json_add_object(out, "properties");
	for (size_t i = 0; i < fields->n; i++)
		add_field(json_add_object(properties, fields->items[i].key), &fields->items[i], strict);
}

char *schema_print(const struct fields *root, const struct fields *definitions, bool strict)
{
	cJSON *out = json_new_object(), *named;

	json_add_string(out, "$schema", "http://json-schema.org/draft-07/schema#");
	json_add_string(out, "title", root->title);
	json_add_string(out, "description", root->help);
	add_type(out, "object", false);
	add_object(out, root, strict);
	if (definitions) {
		named = json_add_object(out, "definitions");
		for (size_t i = 0; i < definitions->n; i++)
			add_field(json_add_object(named, definitions->items[i].key), &definitions->items[i], strict);
	}
	return json_print(out);
}
