/* A JSON Schema beside the parser's tables: the same keys at the same levels, no more and no fewer. */
#ifndef PAWL_TESTS_SCHEMA_WALK_H
#define PAWL_TESTS_SCHEMA_WALK_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "model/metric.h"
#include "scenario/gates.h"
#include "scenario/values.h"

static cJSON *schema_load(const char *path)
{
	static char text[256 << 10];
	FILE *file = fopen(path, "r");
	size_t len;
	cJSON *schema;

	if (!file)
		fail_msg("%s: cannot be opened; tests run from the repository's root", path);
	len = fread(text, 1, sizeof text - 1, file);
	fclose(file);
	text[len] = '\0';
	schema = cJSON_Parse(text);
	if (!schema)
		fail_msg("%s: not valid JSON near: %.40s", path, cJSON_GetErrorPtr());
	return schema;
}

/* What {"$ref": "#/definitions/NAME"} stands for, alone or under allOf. */
static const cJSON *schema_resolve(const cJSON *root, const cJSON *at)
{
	static const char prefix[] = "#/definitions/";
	const cJSON *all = cJSON_GetObjectItemCaseSensitive(at, "allOf"), *ref, *found;

	ref = cJSON_GetObjectItemCaseSensitive(all ? cJSON_GetArrayItem(all, 0) : at, "$ref");
	if (!ref)
		return at;
	assert_memory_equal(ref->valuestring, prefix, sizeof prefix - 1);
	found = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(root, "definitions"),
						 ref->valuestring + sizeof prefix - 1);
	if (!found)
		fail_msg("%s is not defined", ref->valuestring);
	return found;
}

static bool schema_lists(const cJSON *array, const char *word)
{
	const cJSON *item;

	cJSON_ArrayForEach(item, array)
		if (!strcmp(item->valuestring, word))
			return true;
	return false;
}

static const struct field *schema_field(const struct fields *fields, const char *key)
{
	for (size_t i = 0; i < fields->n; i++)
		if (!strcmp(fields->items[i].key, key))
			return &fields->items[i];
	return NULL;
}

static void schema_compare(const cJSON *root, const cJSON *object, const struct fields *fields)
{
	const cJSON *properties = cJSON_GetObjectItemCaseSensitive(object, "properties"), *item;

	assert_true(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(object, "additionalProperties")));
	cJSON_ArrayForEach(item, properties) {
		const struct field *field = schema_field(fields, item->string);

		if (!field)
			fail_msg("the schema has '%s', which the parser refuses", item->string);
	}
	for (size_t i = 0; i < fields->n; i++) {
		const struct field *field = &fields->items[i];
		const cJSON *property = cJSON_GetObjectItemCaseSensitive(properties, field->key);

		if (!property)
			fail_msg("the schema lacks '%s'", field->key);
		if (field->needed &&
		    !schema_lists(cJSON_GetObjectItemCaseSensitive(object, "required"), field->key))
			fail_msg("the schema does not require '%s'", field->key);
		if (property && field->type == FIELD_LIST)
			property = cJSON_GetObjectItemCaseSensitive(property, "items");
		if (property && field->object)
			schema_compare(root, schema_resolve(root, property), field->object);
	}
}

static void schema_has_metric(const cJSON *root, const cJSON *properties, const char *name, bool higher_is_better)
{
	const cJSON *property = cJSON_GetObjectItemCaseSensitive(properties, name);

	if (!property)
		fail_msg("the schema lacks the gate '%s'", name);
	assert_string_equal(schema_resolve(root, property)->string, higher_is_better ? "fall" : "rise");
}

static void schema_compare_gates(const cJSON *root)
{
	const cJSON *definitions = cJSON_GetObjectItemCaseSensitive(root, "definitions"), *properties, *item;

	schema_compare(root, cJSON_GetObjectItemCaseSensitive(definitions, "limits"), &gate_fields);
	properties = cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(definitions, "gates"),
						      "properties");
	cJSON_ArrayForEach(item, properties)
		if (!metric_find(item->string) && !gates_word(item->string))
			fail_msg("the schema has a gate '%s', which is no metric", item->string);
	schema_compare(root, cJSON_GetObjectItemCaseSensitive(definitions, "symbolLimits"), &symbol_gate_fields);
	schema_compare(root, cJSON_GetObjectItemCaseSensitive(definitions, "budget"), &share_budget_fields);
	for (size_t i = 0; i < metric_catalogue_size; i++) {
		const struct metric *metric = &metric_catalogue[i];

		schema_has_metric(root, properties, metric->name, metric->higher_is_better);
		if (metric->alias)
			schema_has_metric(root, properties, metric->alias, metric->higher_is_better);
	}
}

static inline void schema_check(const char *path, const struct fields *fields)
{
	cJSON *root = schema_load(path);

	schema_compare(root, root, fields);
	schema_compare_gates(root);
	cJSON_Delete(root);
}

/* The mappings of a list, which stand under #/definitions/NAME. */
static inline void schema_check_entries(const char *path, const char *name, const struct fields *fields)
{
	cJSON *root = schema_load(path);
	const cJSON *definitions = cJSON_GetObjectItemCaseSensitive(root, "definitions");

	schema_compare(root, cJSON_GetObjectItemCaseSensitive(definitions, name), fields);
	cJSON_Delete(root);
}

#endif
