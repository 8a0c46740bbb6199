#include "store/store.h"

#include <limits.h>

#include "base/mem.h"

/* OWNER is the account that has pawl, as in the documents. */
#define SCHEMA_HOME "https://raw.githubusercontent.com/OWNER/pawl/main/share/"

/* TEXT is a JSON object with ' in place of ". */
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

static void add_object(cJSON *out, const struct fields *fields, enum schema_kind kind);

static void add_list(cJSON *out, const struct field *field, enum schema_kind kind)
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
	add_object(out, field->object, kind);
}

#define WORD "{'type': ['string', 'number'], 'minLength': 1}"
#define WORDS "{'type': ['string', 'number', 'boolean'], 'minLength': 1}"

/* Values that the readers of scenario/yaml.h accept: YAML turns a text that looks like a number into one. */
static const char *const yaml_values[] = {
	[FIELD_TEXT] = WORD,
	[FIELD_TEXTS] = "{'oneOf': [" WORDS ", {'type': 'array', 'maxItems': 1000, 'items': " WORDS "}]}",
	[FIELD_BOOL] = "{'enum': ['true', 'false', true, false]}",
	[FIELD_U64] = "{'type': 'string', 'pattern': '^\\\\+?[0-9.]+([eE][+-]?[0-9]+)?(ns|us|ms|s|m|min|h)$'}",
	[FIELD_DOUBLE] = "{'type': 'string', 'pattern': '^\\\\+?([0-9]+(\\\\.[0-9]*)?|\\\\.[0-9]+)%$'}",
	[FIELD_VERSION] = "{'enum': [1, '1']}",
};

static bool add_yaml_value(cJSON *out, const struct field *field)
{
	cJSON *ways;

	if (field->type == FIELD_TEXT && field->min > 0) {
		add_text(out, "{'type': ['string', 'integer']}");
		json_add_number(out, "minimum", field->min);
		json_add_number(out, "maximum", field->max);
		json_add_number(out, "minLength", 1);
		return true;
	}
	if (field->type == FIELD_UNSIGNED) {
		ways = json_add_array(out, "oneOf");
		add_whole(json_add_object(ways, NULL), field, UINT_MAX);
		add_text(json_add_object(ways, NULL), "{'type': 'string', 'pattern': '^[0-9]+$'}");
		return true;
	}
	if (field->type >= sizeof yaml_values / sizeof *yaml_values || !yaml_values[field->type])
		return false;
	add_text(out, yaml_values[field->type]);
	return true;
}

static void add_value(cJSON *out, const struct field *field, enum schema_kind kind)
{
	if (kind == SCHEMA_YAML && add_yaml_value(out, field))
		goto pattern;
	switch (field->type) {
	case FIELD_OWN:
	case FIELD_OBJECT:
		add_type(out, "object", field->nullable);
		if (field->object)
			add_object(out, field->object, kind);
		break;
	case FIELD_LIST:
		add_list(out, field, kind);
		break;
	case FIELD_LISTS:
		add_type(out, "array", false);
		add_list(json_add_object(out, "items"), field, kind);
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
pattern:
	if (field->pattern)
		json_add_string(out, "pattern", field->pattern);
	if (field->type == FIELD_TEXT && field->max > 0 && field->min == 0)
		json_add_number(out, "maxLength", field->max);
}

static void add_field(cJSON *out, const struct field *field, enum schema_kind kind)
{
	cJSON *all;

	if (field->help)
		json_add_string(out, "description", field->help);
	if (field->definition) {
		CLEANUP(strbuf_release) struct strbuf ref = STRBUF_INIT;

		if (field->object) {	/* one of both */
			all = json_add_array(out, "oneOf");
			out = json_add_object(all, NULL);
			add_value(json_add_object(all, NULL), field, kind);
		}
		/* Draft 7 ignores all keywords next to "$ref". */
		all = field->help && !field->object ? json_add_object(json_add_array(out, "allOf"), NULL) : out;
		strbuf_addf(&ref, "#/definitions/%s", field->definition);
		json_add_string(all, "$ref", ref.buf);
	} else if (field->schema) {
		add_text(out, field->schema);
	} else if (field->words) {
		add_words(out, field->words + (size_t)field->min);
	} else {
		add_value(out, field, kind);
	}
}

static void add_one_of(cJSON *out, const struct fields *fields)
{
	cJSON *all = fields->what ? json_add_array(out, "oneOf") : json_add_array(json_add_object(out, "not"), "required");

	for (const char *const *key = fields->one_of; *key; key++)
		json_add_string(fields->what ? json_add_array(json_add_object(all, NULL), "required") : all, NULL, *key);
}

static void add_object(cJSON *out, const struct fields *fields, enum schema_kind kind)
{
	cJSON *required = json_add_array(out, "required"), *properties;

	for (size_t i = 0; i < fields->n; i++)
		if (fields->items[i].needed)
			json_add_string(required, NULL, fields->items[i].key);
	if (!required->child)
		cJSON_DeleteItemFromObjectCaseSensitive(out, "required");
	if (fields->one_of)
		add_one_of(out, fields);
	if (fields->rules)
		add_text(out, fields->rules);
	if (kind != SCHEMA_OPEN && !cJSON_GetObjectItemCaseSensitive(out, "additionalProperties"))
		json_add_bool(out, "additionalProperties", false);
	properties = json_add_object(out, "properties");
	for (size_t i = 0; i < fields->n; i++)
		add_field(json_add_object(properties, fields->items[i].key), &fields->items[i], kind);
}

char *schema_print(const char *name, const struct fields *root, const struct fields *definitions, enum schema_kind kind)
{
	CLEANUP(free_ptr) char *id = text_printf(SCHEMA_HOME "%s.schema.json", name);
	cJSON *out = json_new_object(), *named;

	json_add_string(out, "$schema", "http://json-schema.org/draft-07/schema#");
	json_add_string(out, "$id", id);
	json_add_string(out, "title", root->title);
	json_add_string(out, "description", root->help);
	add_type(out, "object", false);
	add_object(out, root, kind);
	if (definitions) {
		named = json_add_object(out, "definitions");
		for (size_t i = 0; i < definitions->n; i++)
			add_field(json_add_object(named, definitions->items[i].key), &definitions->items[i], kind);
	}
	return json_print(out);
}
