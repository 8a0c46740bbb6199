/*
 * The schemas in share/ against the code: written documents are valid and fully described, and schema and reader
 * require the same keys.
 */
#include "unit.h"

#include <regex.h>

#include "json_samples.h"
#include "store_parse.h"

#define N(array) (sizeof(array) / sizeof *(array))

static cJSON *read_schema(const char *path)
{
	static char text[256 << 10];
	FILE *file = fopen(path, "r");
	struct error err = ERROR_INIT;
	size_t len;
	cJSON *tree;

	if (!file)
		fail_msg("%s cannot be opened; tests run from the root of the repository", path);
	len = fread(text, 1, sizeof text, file);
	fclose(file);
	assert_true(len < sizeof text);
	tree = json_parse(text, len, path, &err);
	if (!tree)
		fail_msg("%s:%u:%u: %s", path, err.at.line, err.at.column, err.msg);
	return tree;
}

static const cJSON *member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* A validator of the keywords used by the schemas. The test fails on any other keyword. */

typedef bool rule_fn(const struct json *at, const cJSON *rule);

static bool is_of_type(const cJSON *value, const char *type)
{
	if (!strcmp(type, "integer"))
		return cJSON_IsNumber(value) && floor(value->valuedouble) == value->valuedouble;
	return (!strcmp(type, "string") && cJSON_IsString(value)) || (!strcmp(type, "number") && cJSON_IsNumber(value)) ||
	       (!strcmp(type, "boolean") && cJSON_IsBool(value)) || (!strcmp(type, "null") && cJSON_IsNull(value)) ||
	       (!strcmp(type, "array") && cJSON_IsArray(value)) || (!strcmp(type, "object") && cJSON_IsObject(value));
}

static bool check_type(const struct json *at, const cJSON *rule)
{
	const cJSON *type;

	if (cJSON_IsString(rule))
		return is_of_type(at->value, rule->valuestring);
	cJSON_ArrayForEach(type, rule)
		if (is_of_type(at->value, type->valuestring))
			return true;
	return false;
}

static bool check_const(const struct json *at, const cJSON *rule)
{
	return cJSON_Compare(at->value, rule, true);
}

static bool check_enum(const struct json *at, const cJSON *rule)
{
	const cJSON *value;

	cJSON_ArrayForEach(value, rule)
		if (cJSON_Compare(at->value, value, true))
			return true;
	return false;
}

static bool matches(const char *text, const char *pattern)
{
	regex_t regex;
	int result;

	assert_int_equal(regcomp(&regex, pattern, REG_EXTENDED | REG_NOSUB), 0);
	result = regexec(&regex, text, 0, NULL, 0);
	regfree(&regex);
	return !result;
}

static bool check_pattern(const struct json *at, const cJSON *rule)
{
	return !cJSON_IsString(at->value) || matches(at->value->valuestring, rule->valuestring);
}

static bool check_names(const struct json *at, const cJSON *rule)
{
	const cJSON *child;

	cJSON_ArrayForEach(child, at->value)
		if (!matches(child->string, member(rule, "pattern")->valuestring))
			return false;
	return true;
}

static bool check_required(const struct json *at, const cJSON *rule)
{
	const cJSON *key;

	cJSON_ArrayForEach(key, rule)
		if (cJSON_IsObject(at->value) && !member(at->value, key->valuestring))
			return false;
	return true;
}

static bool check_minimum(const struct json *at, const cJSON *rule)
{
	return !cJSON_IsNumber(at->value) || at->value->valuedouble >= rule->valuedouble;
}

static bool check_maximum(const struct json *at, const cJSON *rule)
{
	return !cJSON_IsNumber(at->value) || at->value->valuedouble <= rule->valuedouble;
}

static bool check_least_size(const struct json *at, const cJSON *rule)
{
	return (double)json_size(at) >= rule->valuedouble;
}

static bool check_most_size(const struct json *at, const cJSON *rule)
{
	return (double)json_size(at) <= rule->valuedouble;
}

static bool check_longest(const struct json *at, const cJSON *rule)
{
	return !cJSON_IsString(at->value) || (double)strlen(at->value->valuestring) <= rule->valuedouble;
}

/* Keywords for readers, and keywords that validate() itself follows. */
static bool no_check(const struct json *at, const cJSON *rule)
{
	return true;
}

static const struct { const char *keyword; rule_fn *check; } rules[] = {
	{ "$schema", no_check }, { "$id", no_check }, { "title", no_check }, { "description", no_check },
	{ "properties", no_check },
	{ "additionalProperties", no_check }, { "items", no_check }, { "type", check_type }, { "const", check_const },
	{ "enum", check_enum }, { "pattern", check_pattern }, { "propertyNames", check_names },
	{ "required", check_required }, { "minimum", check_minimum }, { "maximum", check_maximum },
	{ "minItems", check_least_size }, { "maxItems", check_most_size }, { "minProperties", check_least_size },
	{ "maxProperties", check_most_size }, { "maxLength", check_longest },
};

static void check_rule(const struct json *at, const cJSON *rule)
{
	CLEANUP(free_ptr) char *path = json_path(at);

	for (size_t i = 0; i < N(rules); i++) {
		if (strcmp(rules[i].keyword, rule->string))
			continue;
		if (!rules[i].check(at, rule))
			fail_msg("%s: what is written breaks the schema's \"%s\"", path, rule->string);
		return;
	}
	fail_msg("%s: the schema's \"%s\" is not a keyword this test knows", path, rule->string);
}

static const cJSON *schema_of(const struct json *at, const cJSON *schema)
{
	const cJSON *found;

	if (!at->key)
		return member(schema, "items");
	found = member(member(schema, "properties"), at->key);
	return found ? found : member(schema, "additionalProperties");
}

/* Every written key has a description, even where additional keys are allowed. */
static void validate(const struct json *at, const cJSON *schema)
{
	struct json child = { .parent = at };
	const cJSON *rule;

	cJSON_ArrayForEach(rule, schema)
		check_rule(at, rule);
	cJSON_ArrayForEach(child.value, at->value) {
		const cJSON *inner;

		child.key = child.value->string;
		inner = schema_of(&child, schema);
		if (!cJSON_IsObject(inner)) {
			CLEANUP(free_ptr) char *path = json_path(&child);

			fail_msg("%s is written and not in the schema", path);
		}
		validate(&child, inner);
		child.index++;
	}
}

/* Returns the first of OBJECT and the objects that follow it in its list that has KEY; else NULL. */
static cJSON *with_key(cJSON *object, const char *key)
{
	while (object && !member(object, key))
		object = object->string ? NULL : object->next;
	return object;
}

/* Every key of the schema is written in the object at AT, or in one that follows it in its list. */
static void assert_written(const struct json *at, const cJSON *schema)
{
	const cJSON *property, *items = member(schema, "items");

	cJSON_ArrayForEach(property, member(schema, "properties")) {
		struct json child = { .parent = at, .key = property->string };

		child.value = member(with_key((cJSON *)at->value, property->string), property->string);
		if (!child.value) {
			CLEANUP(free_ptr) char *path = json_path(&child);

			fail_msg("%s is in the schema and not written", path);
		}
		assert_written(&child, property);
	}
	if (items && at->value->child)
		assert_written(&(struct json){ .parent = at, .value = at->value->child }, items);
}

struct document {
	cJSON *tree, *schema;
	try_fn *try;
};

static bool is_taken(const struct document *document)
{
	CLEANUP(free_ptr) char *text = cJSON_PrintUnformatted(document->tree);
	struct error err = ERROR_INIT;

	return !document->try(text, &err);
}

static bool is_required(const cJSON *schema, const char *key)
{
	const cJSON *required;

	cJSON_ArrayForEach(required, member(schema, "required"))
		if (!strcmp(required->valuestring, key))
			return true;
	return false;
}

/* A document without KEY is refused if and only if the schema requires the key. */
static void assert_required_alike(const struct document *document, cJSON *object, const cJSON *schema, const char *key)
{
	bool required = is_required(schema, key);
	cJSON *taken_out = cJSON_DetachItemFromObjectCaseSensitive(object, key);

	if (is_taken(document) == required)
		fail_msg("\"%s\": required by the %s only", key, required ? "schema" : "reader");
	cJSON_AddItemToObject(object, key, taken_out);
}

/* An unknown key is refused if and only if the schema forbids additional keys. */
static void assert_strict_alike(const struct document *document, cJSON *object, const cJSON *schema)
{
	const char *where = object->string ? object->string : "the root or an element";
	bool strict = cJSON_IsFalse(member(schema, "additionalProperties"));

	cJSON_AddNullToObject(object, "unheard-of");
	if (is_taken(document) == strict)
		fail_msg("%s: unknown keys are refused by the %s only", where, strict ? "schema" : "reader");
	cJSON_DeleteItemFromObjectCaseSensitive(object, "unheard-of");
}

/* Every word of the schema is read, and no other. In a baseline another tier would be another class. */
static void assert_words_alike(const struct document *document, cJSON *object, const cJSON *property)
{
	const char *key = property->string;
	cJSON *kept = cJSON_DetachItemFromObjectCaseSensitive(object, key);
	const cJSON *word;

	cJSON_ArrayForEach(word, member(property, "enum")) {
		cJSON_AddItemToObject(object, key, cJSON_Duplicate(word, true));
		if (!is_taken(document) && document->try == try_result)
			fail_msg("%s \"%s\" is in the schema and refused", key, word->valuestring);
		cJSON_DeleteItemFromObjectCaseSensitive(object, key);
	}
	cJSON_AddStringToObject(object, key, "unheard-of");
	assert_false(is_taken(document));
	cJSON_DeleteItemFromObjectCaseSensitive(object, key);
	cJSON_AddItemToObject(object, key, kept);
}

static void assert_alike(const struct document *document, cJSON *value, const cJSON *schema)
{
	const cJSON *property;

	if (member(schema, "items") && value->child)
		assert_alike(document, value->child, member(schema, "items"));
	if (!member(schema, "properties"))
		return;
	assert_strict_alike(document, value, schema);
	cJSON_ArrayForEach(property, member(schema, "properties")) {
		cJSON *object = with_key(value, property->string);

		assert_required_alike(document, object, schema, property->string);
		if (member(property, "enum"))
			assert_words_alike(document, object, property);
		assert_alike(document, (cJSON *)member(object, property->string), property);
	}
}

static void open_baseline(struct document *out)
{
	CLEANUP(baseline_release) struct baseline baseline = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	sample_baseline(&baseline);
	text = baseline_format(&baseline);
	*out = (struct document){
		.tree = cJSON_Parse(text),
		.schema = read_schema("share/baseline.schema.json"),
		.try = try_baseline,
	};
}

static void open_result(struct document *out, const struct result *result)
{
	CLEANUP(free_ptr) char *text = result_format(result);

	*out = (struct document){
		.tree = cJSON_Parse(text),
		.schema = read_schema("share/result.schema.json"),
		.try = try_result,
	};
}

static void document_release(struct document *document)
{
	cJSON_Delete(document->tree);
	cJSON_Delete(document->schema);
}

static void assert_in_step(const struct document *document)
{
	struct json root = { .value = document->tree };

	assert_true(is_taken(document));
	validate(&root, document->schema);
	assert_written(&root, document->schema);
	assert_alike(document, document->tree, document->schema);
}

TEST(baseline_is_in_step)
{
	CLEANUP(document_release) struct document document = { 0 };

	open_baseline(&document);
	assert_in_step(&document);
}

TEST(result_is_in_step)
{
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(document_release) struct document document = { 0 };

	sample_result(&result);
	open_result(&document, &result);
	assert_in_step(&document);
}

/* Every word of an enumeration is in the schema; otherwise a result that uses it is invalid. */
TEST(result_has_every_word)
{
	CLEANUP(result_release) struct result result = { 0 };
	CLEANUP(document_release) struct document document = { 0 };
	struct scenario_result *scenario;
	struct json root;

	sample_result(&result);
	scenario = &result.scenarios[0];
	for (int i = 0; i <= VERDICT_ACCEPTED; i++) {
		struct gate gate = { .metric = metric_find("ipc"), .max = NAN, .min = NAN };

		scenario_result_add_gate(scenario, &gate)->stored.verdict = (enum verdict)i;
	}
	for (int i = 0; i <= ROW_NOT_SUPPORTED; i++)
		sample_row(&scenario->head.arena, &scenario->head.runs[0], "cycles", (enum row_state)i, 1);
	for (int i = 0; i <= SCENARIO_SKIPPED; i++) {
		scenario = result_add_scenario(&result, "another");
		scenario->path = "another.yaml";
		scenario->head.state = (enum scenario_state)i;
	}
	open_result(&document, &result);
	root = (struct json){ .value = document.tree };
	validate(&root, document.schema);
}
