/* Tables of fields as JSON and as a JSON Schema: every type and limit, defaults, and errors. */
#include "unit.h"

#include "store/store.h"

enum colour { RED, GREEN, BLUE };

struct point {
	double x, y;
};

struct record {
	char *text, *nothing, *path;
	struct strv texts;
	bool truth;
	int status;
	unsigned count;
	enum colour colour;
	uint64_t large;
	double number, measured;
	struct point at;
	struct point *points;
	size_t n_points, cap_points;
	double sum;
};

static const char *const colours[] = { "red", "green", "blue", NULL };

static const struct field point_items[] = {
	{ FIELD(struct point, x), .needed = true, .help = "Across." },
	{ FIELD(struct point, y) },
};

static const struct point point_empty = { .y = 7 };
static const struct fields point_fields = { FIELDS(point_items), .size = sizeof(struct point), .empty = &point_empty };

static bool has_point(const void *record)
{
	return ((const struct record *)record)->at.x > 0;
}

static void add_sum(cJSON *object, const char *key, const void *member)
{
	const struct record *r = member;

	json_add_number(object, key, r->number + r->measured);
}

static int add_item(const struct json *item, void *member, struct error *err)
{
	double *sum = member, value;

	if (json_measured(item, &value, err) < 0)
		return -1;
	*sum += value;
	return 0;
}

static void add_items(cJSON *object, const char *key, const void *member)
{
	json_add_number(json_add_array(object, key), NULL, *(const double *)member);
}

static const struct json_codec sum_codec = { .add = add_sum }, items_codec = { .add = add_items, .item = add_item };

static const struct field items[] = {
	{ .key = "version", .type = FIELD_VERSION, .max = 3, .needed = true },
	{ FIELD(struct record, text), .needed = true, .pattern = "^[a-z]+$", .expected = "small letters" },
	{ FIELD(struct record, nothing), .omitted = true },
	{ FIELD(struct record, path), .needed = true, .nullable = true },
	{ FIELD(struct record, texts) }, { FIELD(struct record, truth) },
	{ FIELD(struct record, status), .max = 255 },
	{ FIELD_AS("how-many", struct record, count), .min = 1, .max = 9 },
	{ FIELD(struct record, colour), .words = colours, .min = GREEN },
	{ FIELD(struct record, large) }, { FIELD(struct record, number) },
	{ FIELD(struct record, measured), .not_negative = true },
	{ FIELD(struct record, at), .object = &point_fields, .when = has_point, .nullable = true },
	{ FIELD_ITEMS("points", struct record, points, &point_fields), .min = 1, .max = 2, .expected = "points" },
	{ .key = "sum", .derived = true, .json = &sum_codec, .schema = "{'type': 'number', 'maximum': 5}" },
	{ FIELD_AS("parts", struct record, sum), .expected = "parts", .json = &items_codec, .definition = "parts" },
};

static int check(const struct json *at, void *record, struct error *err)
{
	const struct record *r = record;

	return r->truth || r->count < 9 ? 0 : json_fault(at, err, "nine are true");
}

static const struct fields fields = {
	FIELDS(items), .title = "record", .help = "One of each.", .rules = "{'not': {'required': ['other']}}", .check = check,
};

static void record_release(struct record *r)
{
	free(r->text);
	free(r->nothing);
	free(r->path);
	free(r->points);
	strv_release(&r->texts);
}

static const char whole[] =
	"{\n"
	"  \"version\": 3,\n"
	"  \"text\": \"abc\",\n"
	"  \"path\": null,\n"
	"  \"texts\": [\"one\", \"two\"],\n"
	"  \"truth\": true,\n"
	"  \"status\": 255,\n"
	"  \"how-many\": 9,\n"
	"  \"colour\": \"blue\",\n"
	"  \"large\": 9007199254740992,\n"
	"  \"number\": null,\n"
	"  \"measured\": 1.5,\n"
	"  \"at\": {\n"
	"    \"x\": 1,\n"
	"    \"y\": 7\n"
	"  },\n"
	"  \"points\": [\n"
	"    {\"x\": 2, \"y\": 7},\n"
	"    {\"x\": null, \"y\": 5}\n"
	"  ],\n"
	"  \"sum\": null,\n"
	"  \"parts\": [3]\n"
	"}\n";

static int read_record(const char *text, bool strict, struct record *out, struct error *err)
{
	cJSON *tree = json_parse(text, strlen(text), "x.json", err);
	struct json root = { .value = tree, .strict = strict };
	int ret;

	if (!tree)
		return -1;
	ret = json_read(&root, &fields, out, err);
	cJSON_Delete(tree);
	return ret;
}

static char *write_record(const struct record *r)
{
	cJSON *tree = json_new_object();

	json_write(tree, &fields, r);
	return json_print(tree);
}

/* Fields are written in the table's order. Reading and writing again gives the same text. */
TEST(each_type_is_read_and_written)
{
	CLEANUP(record_release) struct record r = { 0 };
	CLEANUP(free_ptr) char *text = NULL;
	struct error err = ERROR_INIT;

	MUST(read_record(whole, true, &r, &err));
	assert_string_equal(r.text, "abc");
	assert_null(r.path);
	assert_int_equal(r.texts.n, 2);
	assert_int_equal(r.status, 255);
	assert_int_equal(r.count, 9);
	assert_int_equal(r.colour, BLUE);
	assert_true(r.large == UINT64_C(1) << 53);
	assert_true(r.at.x == 1 && r.at.y == 7);
	assert_int_equal(r.n_points, 2);
	assert_true(r.points[0].y == 7 && isnan(r.points[1].x) && r.points[1].y == 5);
	assert_true(r.sum == 3);
	r.number = NAN;
	text = write_record(&r);
	assert_string_equal(text, whole);
}

TEST(nothing_is_null_or_left_out)
{
	const struct record r = { .text = (char *)"a", .count = 1, .colour = GREEN, .large = UINT64_MAX, .measured = INFINITY };
	CLEANUP(free_ptr) char *text = write_record(&r);

	assert_null(strstr(text, "nothing"));
	assert_non_null(strstr(text, "\"at\": null"));
	assert_non_null(strstr(text, "\"points\": []"));
	assert_non_null(strstr(text, "\"measured\": null"));
	assert_non_null(strstr(text, "\"large\": 9007199254740992"));
}

#define LEAST "\"version\": 3, \"text\": \"a\", \"path\": null"

TEST(faults_are_told)
{
	static const struct { const char *text, *message; } cases[] = {
		{ "{" LEAST "}", NULL },
		{ "{" LEAST ", \"texts\": null, \"at\": null}", NULL },
		{ "[]", "$: expected an object, found an array" },
		{ "{\"version\": 3}", "$: the key \"text\" is missing" },
		{ "{" LEAST ", \"colur\": 1}", "$.colur: unknown key; did you mean \"colour\"?" },
		{ "{\"version\": 3, \"text\": \"A\", \"path\": null}", "$.text: expected small letters, found 'A'" },
		{ "{\"version\": 3, \"text\": null, \"path\": null}", "$.text: expected a string, found null" },
		{ "{" LEAST ", \"nothing\": 1}", "$.nothing: expected a string, found a number" },
		{ "{" LEAST ", \"texts\": \"a\"}", "$.texts: expected an array of strings, found a string" },
		{ "{" LEAST ", \"texts\": [1]}", "$.texts[0]: expected a string, found a number" },
		{ "{" LEAST ", \"truth\": 0}", "$.truth: expected true or false, found a number" },
		{ "{" LEAST ", \"status\": -1}", "$.status: expected a whole number from 0 to 255, found -1" },
		{ "{" LEAST ", \"status\": 256}", "$.status: expected a whole number from 0 to 255, found 256" },
		{ "{" LEAST ", \"how-many\": 0}", "$.how-many: expected a whole number from 1 to 9, found 0" },
		{ "{" LEAST ", \"colour\": \"red\"}", "$.colour: expected one of green, blue, found 'red'" },
		{ "{" LEAST ", \"colour\": []}", "$.colour: expected a string, found an array" },
		{ "{" LEAST ", \"large\": {}}", "$.large: expected a whole number, found an object" },
		{ "{" LEAST ", \"large\": 9007199254740994}",
		  "$.large: expected a whole number from 0 to 9007199254740992, found 9007199254740994" },
		{ "{" LEAST ", \"large\": 1.5}", "$.large: expected a whole number from 0 to 9007199254740992, found 1.5" },
		{ "{" LEAST ", \"number\": \"1\"}", "$.number: expected a number or null, found a string" },
		{ "{" LEAST ", \"number\": true}", "$.number: expected a number or null, found a boolean" },
		{ "{" LEAST ", \"measured\": \"1\"}", "$.measured: expected a number, found a string" },
		{ "{" LEAST ", \"measured\": -1}", "$.measured: expected a number that is not negative, found -1" },
		{ "{" LEAST ", \"at\": {}}", "$.at: the key \"x\" is missing" },
		{ "{" LEAST ", \"at\": {\"x\": 1, \"z\": 1}}", "$.at.z: unknown key; expected one of x, y" },
		{ "{" LEAST ", \"points\": []}", "$.points: expected an array of 1 to 2 points" },
		{ "{" LEAST ", \"points\": [{\"x\": 1}, 2]}", "$.points[1]: expected an object, found a number" },
		{ "{" LEAST ", \"parts\": {}}", "$.parts: expected an array of parts, found an object" },
		{ "{" LEAST ", \"parts\": [1, true]}", "$.parts[1]: expected a number, found a boolean" },
		{ "{" LEAST ", \"how-many\": 9}", "$: nine are true" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(record_release) struct record r = { .status = 42, .colour = RED, .large = 42, .number = 42, .measured = 42 };
		struct error err = ERROR_INIT;

		assert_int_equal(read_record(cases[i].text, true, &r, &err), cases[i].message ? -1 : 0);
		if (cases[i].message)
			assert_string_equal(err.msg, cases[i].message);
		/* A value that is refused leaves its member unchanged. */
		assert_true(!r.nothing && !r.texts.n && !r.truth && r.status == 42 && r.colour == RED && r.large == 42 &&
			    r.number == 42 && r.measured == 42);
	}
}

/* At every level. */
TEST(unknown_keys_are_passed_over_unless_strict)
{
	static const char text[] = "{" LEAST ", \"novelty\": 1, \"at\": {\"x\": 1, \"novelty\": 1}}";
	CLEANUP(record_release) struct record r = { 0 }, strict = { 0 };
	struct error err = ERROR_INIT;

	assert_int_equal(read_record(text, false, &r, &err), 0);
	assert_int_equal(read_record(text, true, &strict, &err), -1);
}

static void assert_schema(const cJSON *properties, const char *key, const char *expected)
{
	CLEANUP(free_ptr) char *found = cJSON_PrintUnformatted(cJSON_GetObjectItemCaseSensitive(properties, key));

	assert_string_equal(found, expected);
}

TEST(the_schema_says_the_same)
{
	static const struct field named[] = { { .key = "parts", .schema = "{'type': 'array'}" } };
	static const struct fields definitions = { FIELDS(named) };
	CLEANUP(free_ptr) char *text = schema_print("record", &fields, &definitions, SCHEMA_STRICT);
	struct error err = ERROR_INIT;
	cJSON *tree = json_parse(text, strlen(text), "schema", &err), *properties;

	assert_non_null(tree);
	assert_schema(tree, "$id", "\"https://raw.githubusercontent.com/OWNER/pawl/main/share/record.schema.json\"");
	assert_schema(tree, "title", "\"record\"");
	assert_schema(tree, "required", "[\"version\",\"text\",\"path\"]");
	assert_schema(tree, "additionalProperties", "false");
	assert_schema(tree, "not", "{\"required\":[\"other\"]}");
	assert_schema(tree, "definitions", "{\"parts\":{\"type\":\"array\"}}");
	properties = cJSON_GetObjectItemCaseSensitive(tree, "properties");
	assert_schema(properties, "version", "{\"const\":3}");
	assert_schema(properties, "text", "{\"type\":\"string\",\"pattern\":\"^[a-z]+$\"}");
	assert_schema(properties, "nothing", "{\"type\":\"string\"}");
	assert_schema(properties, "path", "{\"type\":[\"string\",\"null\"]}");
	assert_schema(properties, "texts", "{\"type\":\"array\",\"items\":{\"type\":\"string\"}}");
	assert_schema(properties, "truth", "{\"type\":\"boolean\"}");
	assert_schema(properties, "how-many", "{\"type\":\"integer\",\"minimum\":1,\"maximum\":9}");
	assert_schema(properties, "colour", "{\"enum\":[\"green\",\"blue\"]}");
	assert_schema(properties, "large", "{\"type\":\"integer\",\"minimum\":0,\"maximum\":9.00719925474099e+15}");
	assert_schema(properties, "number", "{\"type\":[\"number\",\"null\"]}");
	assert_schema(properties, "measured", "{\"type\":\"number\",\"minimum\":0}");
	assert_schema(properties, "at", "{\"type\":[\"object\",\"null\"],\"required\":[\"x\"],\"additionalProperties\":false,"
					"\"properties\":{\"x\":{\"description\":\"Across.\",\"type\":[\"number\",\"null\"]},"
					"\"y\":{\"type\":[\"number\",\"null\"]}}}");
	assert_schema(properties, "sum", "{\"type\":\"number\",\"maximum\":5}");
	assert_schema(properties, "parts", "{\"$ref\":\"#/definitions/parts\"}");
	cJSON_Delete(tree);
}
