#include "gate/result_json.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/json_check.h"
#include "gate/machine_json.h"
#include "gate/profile_json.h"
#include "gate/scenario_json.h"

static void add_schema(cJSON *object, const char *key, const void *member)
{
	(void)member;
	json_add_number(object, key, RESULT_SCHEMA);
}

static const struct json_codec schema_codec = { add_schema, NULL };

static void add_mode(cJSON *object, const char *key, const void *member)
{
	json_codec_text.add(object, key, member);
}

static int read_mode(const struct json *at, void *member, struct error *err)
{
	static const char *const modes[] = { "stored", "paired" };
	size_t index;

	if (json_choice(at, modes, sizeof modes / sizeof modes[0], &index, err) < 0)
		return -1;
	*(char **)member = xstrdup(modes[index]);
	return 0;
}

static const struct json_codec mode_codec = { add_mode, read_mode };

/* -------- whose files judged */

static void add_edits(cJSON *object, const char *key, const void *member)
{
	const struct judged_by *by = member;
	cJSON *list = json_add_array(object, key);

	for (size_t i = 0; i < by->n_edits; i++) {
		cJSON *one = json_add_object(list, NULL);

		json_add_string(one, "path", by->edits[i].path);
		json_add_string(one, "change", judge_change_name(by->edits[i].change));
		json_add_string(one, "note", by->edits[i].note);
	}
}

static int read_edit(const struct json *item, void *ctx, struct error *err)
{
	static const char *const changes[] = { "edited", "added", "removed", "renamed" };
	CLEANUP(free_ptr) char *path = NULL, *note = NULL;
	struct json at;
	size_t change;
	int noted;

	if (json_need(item, "path", &at, err) < 0 || json_string(&at, &path, err) < 0 ||
	    json_need(item, "change", &at, err) < 0 ||
	    json_choice(&at, changes, sizeof changes / sizeof changes[0], &change, err) < 0)
		return -1;
	noted = json_get(item, "note", &at, err);
	if (noted < 0 || (noted && json_string(&at, &note, err) < 0))
		return -1;
	judged_by_add(ctx, path, (enum judge_change)change, note);
	return 0;
}

static int read_edits(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsArray(at->value))
		return json_mismatch(at, err, "an array of files");
	if (json_size(at) > JUDGE_EDITS_MOST)
		return json_fault(at, err, "expected at most %d files, found %zu", JUDGE_EDITS_MOST, json_size(at));
	return json_each(at, read_edit, member, err);
}

static const struct json_codec edits_codec = { add_edits, read_edits };

static const struct json_field judge_fields[] = {
	JSON_OPTIONAL(struct judged_by, ref, json_codec_text),
	JSON_OPTIONAL(struct judged_by, commit, json_codec_text),
	JSON_NEEDED(struct judged_by, own, json_codec_bool),
	JSON_WHOLE("edits", edits_codec, true),
	{ "not_protected", offsetof(struct judged_by, open), &json_codec_texts, false },
	JSON_END,
};

static void add_judge(cJSON *object, const char *key, const void *member)
{
	const struct judged_by *by = member;

	if (by->ref || by->open.n)
		json_fields_add(json_add_object(object, key), judge_fields, by);
}

static int read_judge(const struct json *at, void *member, struct error *err)
{
	return json_fields_read(at, judge_fields, member, err);
}

static const struct json_codec judge_codec = { add_judge, read_judge };

static const struct json_field fields[] = {
	JSON_WHOLE("schema", schema_codec, true),
	JSON_NEEDED(struct result, mode, mode_codec),
	JSON_NEEDED(struct result, status, status_codec),
	JSON_NEEDED(struct result, partial, json_codec_bool),
	JSON_OPTIONAL(struct result, strict, json_codec_bool),
	JSON_NEEDED(struct result, command, json_codec_text),
	JSON_NEEDED(struct result, date, json_codec_date),
	JSON_OPTIONAL(struct result, commit, json_codec_text),
	JSON_NEEDED(struct result, pawl, json_codec_text),
	JSON_OPTIONAL(struct result, out_dir, json_codec_text),
	JSON_OPTIONAL(struct result, elapsed_s, json_codec_number),
	JSON_NEEDED(struct result, machine, machine_codec),
	{ "judge", offsetof(struct result, judged_by), &judge_codec, false },
	JSON_OPTIONAL(struct result, notes, json_codec_texts),
	JSON_OPTIONAL(struct result, busy, json_codec_texts),
	JSON_WHOLE("scenarios", scenarios_codec, true),
	JSON_END,
};

static int read_result(const struct json *root, struct result *out, struct error *err)
{
	const char *writer = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(root->value, "pawl"));

	if (json_check_schema(root, RESULT_SCHEMA, writer, err) < 0)
		return -1;
	return json_fields_read(root, fields, out, err);
}

int result_parse(const char *text, size_t len, const char *path, struct result *out, struct error *err)
{
	struct result result = { 0 };
	struct json root;
	cJSON *tree = json_parse(text, len, path, err);
	int failed;

	if (!tree)
		return -1;
	root = json_root(tree);
	failed = read_result(&root, &result, err);
	cJSON_Delete(tree);
	if (failed) {
		result_release(&result);
		return error_at(err, path, 0, 0);
	}
	*out = result;
	return 0;
}

static size_t count_values(const cJSON *value)
{
	const cJSON *child;
	size_t n = 1;

	cJSON_ArrayForEach(child, value)
		n += count_values(child);
	return n;
}

static cJSON *build(const struct result *result)
{
	cJSON *tree = json_new_object();

	json_fields_add(tree, fields, result);
	return tree;
}

static void drop_raw(cJSON *scenario)
{
	cJSON_DeleteItemFromObjectCaseSensitive(scenario, "raw");
}

static void drop_symbols(cJSON *scenario)
{
	profile_json_shorten(cJSON_GetObjectItemCaseSensitive(scenario, "profile"), PROFILE_JSON_BASELINE_MOST);
}

static void drop_profile(cJSON *scenario)
{
	cJSON_DeleteItemFromObjectCaseSensitive(scenario, "profile");
}

/* What goes, one after the other, from a result that would be too large to be read again. */
static const struct {
	void (*drop)(cJSON *scenario);
	const char *note;
} spare[] = {
	{ drop_raw, "perf's own rows are not in this file: with them it would be too large to be read again" },
	{ drop_symbols, "of each profile only the heaviest symbols are in this file: with more it would be too large to be "
			"read again" },
	{ drop_profile, "profiles are not in this file: with them it would be too large to be read again" },
};

enum { N_SPARE = sizeof spare / sizeof spare[0] };

static void drop(cJSON *tree, size_t which)
{
	cJSON *scenario;

	cJSON_ArrayForEach(scenario, cJSON_GetObjectItemCaseSensitive(tree, "scenarios"))
		spare[which].drop(scenario);
	json_add_string(cJSON_GetObjectItemCaseSensitive(tree, "notes"), NULL, spare[which].note);
}

char *result_format(const struct result *result)
{
	for (size_t dropped = 0;; dropped++) {
		CLEANUP(free_ptr) char *text = NULL;
		cJSON *tree = build(result);
		bool last = dropped == N_SPARE, few;

		for (size_t i = 0; i < dropped; i++)
			drop(tree, i);
		few = count_values(tree) <= JSON_NODES_MAX;
		text = json_print(tree);
		if (last || (few && strlen(text) <= JSON_LARGEST))
			return take_ptr(&text);
	}
}
