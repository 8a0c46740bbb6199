#include "unit.h"

#include "store/store.h"

#define N(array) (sizeof(array) / sizeof *(array))

static cJSON *parse(const char *text, size_t len, struct error *err)
{
	*err = (struct error)ERROR_INIT;
	return json_parse(text, len, "x.json", err);
}

TEST(takes_valid_text)
{
	static const char *const cases[] = {
		"{}", "[]", "0", "-0", "-0.5e-3", "1E+2", "\"\"", "true", " \t\r\n null \n", "[1, [2, {\"a\": [3]}]]",
		"{\"a\": {\"a\": 1}, \"b\": {\"a\": 2}}", "[{\"a\": 1}, {\"a\": 1}]", "{\"\": 1, \"a\": 2, \"aa\": 3}",
		"\"\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u20ac \\ud83d\\udc27\"", "\"gr\xc3\xbc\xc3\x9f \xf0\x9f\x90\xa7\"",
		"\"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"", "{\"a\\u0062\": 1, \"ab\\u0063\": 2}", "1e-999",
		"\"\x7f\"", "01", "1.", "\xef\xbb\xbf{\"a\": 1}",
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct error err;
		cJSON *tree = parse(cases[i], strlen(cases[i]), &err);

		if (!tree)
			fail_msg("%s: %s", cases[i], err.msg);
		cJSON_Delete(tree);
	}
}

TEST(refuses_bad_text_with_its_place)
{
	static const struct { const char *text; unsigned line, column; const char *message; } cases[] = {
		{ "", 1, 1, "expected a value, found the end of the file" },
		{ " \n ", 2, 2, "expected a value, found the end of the file" },
		{ "{} x", 1, 4, "expected the end of the file, found 'x'" },
		{ "{}\n{}", 2, 1, "expected the end of the file, found '{'" },
		{ "\xef\xbb\xbf\xef\xbb\xbf{}", 1, 1, "expected a value, found byte 0xef" },
		{ "\xef\xbb\xbf{} x", 1, 4, "expected the end of the file, found 'x'" },
		{ "{\n  \"a\": tru\n}", 2, 8, "expected valid JSON, found 't'" },
		{ "nulll", 1, 5, "expected the end of the file, found 'l'" },
		{ "NaN", 1, 1, "expected valid JSON, found 'N'" },
		{ "Infinity", 1, 1, "expected valid JSON, found 'I'" },
		{ "+1", 1, 1, "expected valid JSON, found '+'" },
		{ ".5", 1, 1, "expected valid JSON, found '.'" },
		{ "[1.x]", 1, 4, "expected valid JSON, found 'x'" },
		{ "1e", 1, 2, "expected the end of the file, found 'e'" },
		{ "[1e+]", 1, 3, "expected valid JSON, found 'e'" },
		{ "-", 1, 1, "expected valid JSON, found '-'" },
		{ "0x10", 1, 2, "expected the end of the file, found 'x'" },
		{ "[1e999]", 0, 0, "$[0]: the number is too large" },
		{ "-1e400", 0, 0, "$: the number is too large" },
		{ "[1,]", 1, 4, "expected valid JSON, found ']'" },
		{ "[1 2]", 1, 4, "expected valid JSON, found '2'" },
		{ "[", 1, 2, "expected ']' or '}', found the end of the file" },
		{ "[1", 1, 3, "expected ']' or '}', found the end of the file" },
		{ "[1}", 1, 3, "expected valid JSON, found '}'" },
		{ "{\"a\"}", 1, 5, "expected valid JSON, found '}'" },
		{ "{\"a\":1,}", 1, 8, "expected valid JSON, found '}'" },
		{ "{a:1}", 1, 3, "expected valid JSON, found ':'" },
		{ "{'a':1}", 1, 3, "expected valid JSON, found 'a'" },
		{ "{\"a\":1 \"b\":2}", 1, 8, "expected valid JSON, found '\"'" },
		{ "// x\n1", 1, 1, "expected valid JSON, found '/'" },
		{ "\"abc", 1, 5, "expected '\"', found the end of the file" },
		{ "\"a\nb\"", 1, 3, "a string holds the control character 0x0a; write \\u000a" },
		{ "\"\\x41\"", 1, 2, "expected valid JSON, found '\\'" },
		{ "\"\\", 1, 3, "expected '\"', found the end of the file" },
		{ "\"\\u12g4\"", 1, 6, "expected four hexadecimal digits after \\u, found 'g'" },
		{ "\"\\u12", 1, 6, "expected four hexadecimal digits after \\u, found the end of the file" },
		{ "\"\\u0000\"", 1, 2, "a string holds the character NUL (\\u0000)" },
		{ "[\"x\\ud800\"]", 1, 4, "expected valid JSON, found '\\'" },
		{ "\"\\ud800\\n12345\"", 1, 2, "expected valid JSON, found '\\'" },
		{ "\"\\ud800\\u0041\"", 1, 2, "expected valid JSON, found '\\'" },
		{ "\"\\udc00\\ud800\"", 1, 2, "expected valid JSON, found '\\'" },
		{ "\"\\ud800\\ud800\"", 1, 2, "expected valid JSON, found '\\'" },
		{ "\"a\xff\"", 1, 3, "a string holds byte 0xff, which is not valid UTF-8" },
		{ "\"\xc0\xaf\"", 1, 2, "a string holds byte 0xc0, which is not valid UTF-8" },
		{ "\"\xe0\x80\xaf\"", 1, 2, "a string holds byte 0xe0, which is not valid UTF-8" },
		{ "\"\xed\xa0\x80\"", 1, 2, "a string holds byte 0xed, which is not valid UTF-8" },
		{ "\"\xf4\x90\x80\x80\"", 1, 2, "a string holds byte 0xf4, which is not valid UTF-8" },
		{ "\"\xf5\x80\x80\x80\"", 1, 2, "a string holds byte 0xf5, which is not valid UTF-8" },
		{ "\"\xe2\x82\"", 1, 2, "a string holds byte 0xe2, which is not valid UTF-8" },
		{ "\"\xe2\x82", 1, 2, "a string holds byte 0xe2, which is not valid UTF-8" },
		{ "{\"a\":1,\"b\":2,\n \"a\":3}", 0, 0, "$: the key \"a\" occurs twice in one object" },
		{ "{\"a\":1, \"\\u0061\":2}", 0, 0, "$: the key \"a\" occurs twice in one object" },
		{ "{\"\":1, \"\":2}", 0, 0, "$: the key \"\" occurs twice in one object" },
		{ "[{\"x\":{\"k\":1,\"k\":2}}]", 0, 0, "$[0].x: the key \"k\" occurs twice in one object" },
		{ "{\"k\":{\"x\":[{}]},\"k\":1}", 0, 0, "$: the key \"k\" occurs twice in one object" },
		{ "{\"b\":1,\"a\":2,\"b\":3,\"a\":4}", 0, 0, "$: the key \"a\" occurs twice in one object" },
		{ "{\"\xc3\xbc\":1,\"\\u00fc\":2}", 0, 0, "$: the key \"\xc3\xbc\" occurs twice in one object" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct error err;
		/* A copy of exact size, so that sanitizers detect reads beyond its end. */
		CLEANUP(free_ptr) char *copy = xcopy(cases[i].text, strlen(cases[i].text));

		if (parse(copy, strlen(cases[i].text), &err))
			fail_msg("%s: was taken", cases[i].text);
		if (strcmp(err.msg, cases[i].message) || err.at.line != cases[i].line || err.at.column != cases[i].column)
			fail_msg("%s: %u:%u: %s", cases[i].text, err.at.line, err.at.column, err.msg);
		assert_int_equal(err.kind, ERR_INPUT);
		assert_string_equal(err.at.path, "x.json");
	}
}

TEST(refuses_nul_bytes)
{
	static const struct { const char *text; size_t len; const char *message; } cases[] = {
		{ "1\0", 2, "expected a value, found byte 0x00" },
		{ "\0", 1, "expected a value, found byte 0x00" },
		{ "\"a\0b\"", 5, "a string holds the control character 0x00; write \\u0000" },
		{ "[1\0]", 4, "expected a value, found byte 0x00" },
		{ "\"\\\0\"", 4, "a string holds the control character 0x00; write \\u0000" },
		{ "\"\\u\0000\"", 6, "expected four hexadecimal digits after \\u, found byte 0x00" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		struct error err;

		assert_null(parse(cases[i].text, cases[i].len, &err));
		assert_string_equal(err.msg, cases[i].message);
	}
}

static cJSON *parse_nested(size_t depth, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < depth; i++)
		strbuf_adds(&text, i % 2 ? "[" : "{\"a\":");
	strbuf_addc(&text, '1');
	for (size_t i = depth; i-- > 0;)
		strbuf_addc(&text, i % 2 ? ']' : '}');
	return parse(text.buf, text.len, err);
}

TEST(bounds_depth)
{
	struct error err;
	cJSON *tree = parse_nested(JSON_DEPTH_MAX, &err);

	assert_non_null(tree);
	cJSON_Delete(tree);
	assert_null(parse_nested(JSON_DEPTH_MAX + 1, &err));
	assert_string_equal(err.msg, "nested deeper than 64 levels");
	assert_null(parse_nested(100000, &err));
}

static cJSON *parse_values(size_t n, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_addc(&text, '[');
	for (size_t i = 1; i < n; i++)
		strbuf_adds(&text, i > 1 ? ",1" : "1");
	strbuf_addc(&text, ']');
	return parse(text.buf, text.len, err);
}

TEST(bounds_values)
{
	struct error err;
	cJSON *tree = parse_values(JSON_NODES_MAX, &err);

	assert_non_null(tree);
	cJSON_Delete(tree);
	assert_null(parse_values(JSON_NODES_MAX + 1, &err));
	assert_string_equal(err.msg, "more than 1000000 values");
	assert_int_equal(err.at.line, 1);
}

static cJSON *parse_blank(size_t len, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_pad(&text, ' ', len - 1);
	strbuf_addc(&text, '7');
	return parse(text.buf, text.len, err);
}

TEST(bounds_size)
{
	struct error err;
	cJSON *tree = parse_blank(JSON_LARGEST, &err);

	assert_non_null(tree);
	cJSON_Delete(tree);
	assert_null(parse_blank(JSON_LARGEST + 1, &err));
	assert_string_equal(err.msg, "the file has 33554433 bytes; at most 33554432 (32 MiB) are read");
	assert_string_equal(err.at.path, "x.json");
}

/* A quadratic search would take minutes. */
TEST(takes_objects_with_many_keys)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	enum { KEYS = 100000 };
	struct error err;
	cJSON *tree;

	strbuf_addc(&text, '{');
	for (int i = 0; i < KEYS; i++)
		strbuf_addf(&text, "%s\"a-common-start-of-every-key-%d\":1", i ? "," : "", i * 7919 % KEYS);
	strbuf_addc(&text, '}');
	tree = parse(text.buf, text.len, &err);
	assert_non_null(tree);
	cJSON_Delete(tree);

	strbuf_truncate(&text, text.len - 1);
	strbuf_adds(&text, ",\n\"a-common-start-of-every-ke\\u0079-77\":1}");
	assert_null(parse(text.buf, text.len, &err));
	assert_string_equal(err.msg, "$: the key \"a-common-start-of-every-key-77\" occurs twice in one object");
	assert_int_equal(err.at.line, 0);
}

TEST(names_the_path)
{
	struct error err;
	cJSON *tree = cJSON_Parse("{\"sessions\": [1, {\"date\": 5, \"a b\\n\": 1}]}");
	struct json root = { .value = tree }, sessions, second, date, odd;
	CLEANUP(free_ptr) char *path = NULL, *odd_path = NULL, *root_path = NULL;

	assert_int_equal(json_get(&root, "sessions", &sessions, &err), 1);
	second = (struct json){ .value = sessions.value->child->next, .parent = &sessions, .index = 1 };
	assert_int_equal(json_need(&second, "date", &date, &err), 0);
	assert_int_equal(json_need(&second, "a b\n", &odd, &err), 0);
	path = json_path(&date);
	odd_path = json_path(&odd);
	root_path = json_path(&root);
	assert_string_equal(path, "$.sessions[1].date");
	assert_string_equal(odd_path, "$.sessions[1][\"a b\\n\"]");
	assert_string_equal(root_path, "$");
	assert_int_equal(json_fault(&date, &err, "found %d", 5), -1);
	assert_string_equal(err.msg, "$.sessions[1].date: found 5");
	assert_int_equal(err.kind, ERR_INPUT);
	cJSON_Delete(tree);
}

TEST(gets_and_needs)
{
	cJSON *tree = cJSON_Parse("{\"a\": 1, \"n\": null}"), *list = cJSON_Parse("[]");
	struct json root = { .value = tree }, array = { .value = list }, at = { .index = 77 };
	struct error err = ERROR_INIT;

	assert_int_equal(json_get(&root, "a", &at, &err), 1);
	assert_int_equal(at.index, 0);
	assert_int_equal(json_get(&root, "A", &at, &err), 0);
	assert_int_equal(json_get(&root, "n", &at, &err), 0);
	assert_string_equal(at.key, "a");
	assert_int_equal(err.kind, ERR_NONE);
	assert_int_equal(json_need(&root, "n", &at, &err), 0);
	assert_int_equal(json_need(&root, "zz", &at, &err), -1);
	assert_string_equal(err.msg, "$: the key \"zz\" is missing");
	assert_int_equal(json_get(&array, "a", &at, &err), -1);
	assert_string_equal(err.msg, "$: expected an object, found an array");
	cJSON_Delete(tree);
	cJSON_Delete(list);
}

static const struct field nullable = { .type = FIELD_DOUBLE }, list_of = { .type = FIELD_TEXTS };

TEST(reads_values)
{
	cJSON *tree = cJSON_Parse("{\"t\": \"gr\\u00fc\\u00df\", \"n\": null, \"l\": [\"a\", \"b\"], \"x\": -2.5}");
	CLEANUP(strv_release) struct strv list = STRV_INIT;
	CLEANUP(free_ptr) char *found = NULL;
	struct json root = { .value = tree }, at;
	struct error err = ERROR_INIT;
	double value;

	assert_int_equal(json_need(&root, "t", &at, &err), 0);
	assert_int_equal(json_string(&at, &found, &err), 0);
	assert_string_equal(found, "gr\xc3\xbc\xc3\x9f");
	assert_int_equal(json_read_value(&at, &list_of, &list, &err), -1);
	assert_string_equal(err.msg, "$.t: expected an array of strings, found a string");
	assert_int_equal(json_need(&root, "l", &at, &err), 0);
	assert_int_equal(json_read_value(&at, &list_of, &list, &err), 0);
	assert_int_equal(list.n, 2);
	assert_string_equal(list.items[1], "b");
	assert_int_equal(json_need(&root, "x", &at, &err), 0);
	assert_int_equal(json_read_value(&at, &nullable, &value, &err), 0);
	assert_true(value == -2.5);
	assert_int_equal(json_need(&root, "n", &at, &err), 0);
	assert_int_equal(json_read_value(&at, &nullable, &value, &err), 0);
	assert_true(isnan(value));
	assert_int_equal(json_size(&root), 4);
	cJSON_Delete(tree);
}

static int note_item(const struct json *item, void *ctx, struct error *err)
{
	CLEANUP(free_ptr) char *path = json_path(item);

	strbuf_addf(ctx, "%s ", path);
	return cJSON_IsNull(item->value) ? json_fault(item, err, "stop") : 0;
}

TEST(walks_in_order)
{
	cJSON *tree = cJSON_Parse("{\"b\": 1, \"a\": 2, \"l\": null, \"z\": 3}");
	cJSON *list = cJSON_Parse("[7, 8]"), *one = cJSON_Parse("1");
	struct json root = { .value = tree }, array = { .value = list }, scalar = { .value = one };
	CLEANUP(strbuf_release) struct strbuf seen = STRBUF_INIT;
	struct error err = ERROR_INIT;

	assert_int_equal(json_each(&root, note_item, &seen, &err), -1);
	assert_string_equal(err.msg, "$.l: stop");
	assert_int_equal(json_each(&array, note_item, &seen, &err), 0);
	assert_string_equal(seen.buf, "$.b $.a $.l $[0] $[1] ");
	assert_int_equal(json_each(&scalar, note_item, &seen, &err), -1);
	assert_string_equal(err.msg, "$: expected an array or an object, found a number");
	cJSON_Delete(tree);
	cJSON_Delete(list);
	cJSON_Delete(one);
}

TEST(prints_numbers_short_and_exact)
{
	static const struct { double value; const char *text; } cases[] = {
		{ 0, "0" }, { -0.0, "-0" }, { 1, "1" }, { -3, "-3" }, { 61.2, "61.2" }, { 0.1 + 0.2, "0.30000000000000004" },
		{ 0.3, "0.3" }, { 1.0 / 3, "0.3333333333333333" }, { 1e15, "1000000000000000" },
		{ 9007199254740992.0, "9007199254740992" }, { 1040123456, "1040123456" }, { 1e-7, "1e-07" },
		{ 1e300, "1e+300" }, { 5e-324, "4.94065645841247e-324" }, { NAN, "null" }, { INFINITY, "null" },
		{ -INFINITY, "null" },
	};

	for (size_t i = 0; i < N(cases); i++) {
		cJSON *list = cJSON_CreateArray();
		CLEANUP(strbuf_release) struct strbuf expected = STRBUF_INIT;
		CLEANUP(free_ptr) char *text = NULL;

		json_add_number(list, NULL, cases[i].value);
		text = json_print(list);
		strbuf_addf(&expected, "[%s]\n", cases[i].text);
		assert_string_equal(text, expected.buf);
	}
}

/* Returns a reproducible sequence: xorshift64 of Marsaglia (2003). */
static double some_double(uint64_t *seed)
{
	double value;

	do {
		*seed ^= *seed << 13;
		*seed ^= *seed >> 7;
		*seed ^= *seed << 17;
		memcpy(&value, seed, sizeof value);
	} while (!isfinite(value));
	return value;
}

TEST(numbers_read_back_the_same)
{
	uint64_t seed = 88172645463325252u;

	for (int i = 0; i < 20000; i++) {
		double value = some_double(&seed), found = 0;
		cJSON *object = json_new_object(), *tree;
		CLEANUP(free_ptr) char *text = NULL;
		struct json root, at;
		struct error err;

		json_add_number(object, "x", value);
		text = json_print(object);
		tree = parse(text, strlen(text), &err);
		assert_non_null(tree);
		root = (struct json){ .value = tree };
		assert_int_equal(json_need(&root, "x", &at, &err), 0);
		assert_int_equal(json_read_value(&at, &nullable, &found, &err), 0);
		assert_memory_equal(&found, &value, sizeof value);
		cJSON_Delete(tree);
	}
}

TEST(prints_for_a_diff)
{
	static const char expected[] =
		"{\n"
		"  \"schema\": 1,\n"
		"  \"none\": null,\n"
		"  \"machine\": {\n"
		"    \"cpus\": 4,\n"
		"    \"vm\": true\n"
		"  },\n"
		"  \"empty\": [],\n"
		"  \"nothing\": {},\n"
		"  \"command\": [\"a\", \"b \\\"c\\\"\"],\n"
		"  \"runs\": [\n"
		"    {\"task-clock\": 12.5, \"ipc\": null},\n"
		"    {}\n"
		"  ],\n"
		"  \"sessions\": [\n"
		"    {\n"
		"      \"metrics\": {\n"
		"        \"task-clock\": [1.5, 2]\n"
		"      }\n"
		"    }\n"
		"  ]\n"
		"}\n";
	struct error err;
	cJSON *tree = parse(expected, strlen(expected), &err);
	CLEANUP(free_ptr) char *text = NULL;

	assert_non_null(tree);
	text = json_print(tree);
	assert_string_equal(text, expected);
}
