#include "gate/bisection_json.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "gate/json_check.h"

/* More comparisons than anybody has patience for. */
enum { STEPS_MAX = 10000 };

/* -------- single values */

static void add_text(cJSON *object, const char *key, const void *member)
{
	json_codec_text.add(object, key, member);
}

/* SHA-1 or SHA-256, in full. */
static int read_id(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *id = NULL;
	size_t len;

	if (json_string(at, &id, err) < 0)
		return -1;
	len = strspn(id, "0123456789abcdef");
	if (id[len] || (len != 40 && len != 64))
		return json_fault(at, err, "expected a commit's full id, found '%.70s'", id);
	free(*(char **)member);
	*(char **)member = take_ptr(&id);
	return 0;
}

static const struct json_codec id_codec = { add_text, read_id };

static int read_metric(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *name = NULL;

	if (json_string(at, &name, err) < 0 || json_check_metric(at, name, err) < 0)
		return -1;
	*(char **)member = take_ptr(&name);
	return 0;
}

static const struct json_codec metric_codec = { add_text, read_metric };

static void add_state(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, bisect_state_name(*(const enum bisect_state *)member));
}

static int read_state(const struct json *at, void *member, struct error *err)
{
	static const enum bisect_state states[] = { BISECT_GOOD, BISECT_BAD, BISECT_SKIPPED };
	const char *names[sizeof states / sizeof states[0]];
	size_t index;

	for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
		names[i] = bisect_state_name(states[i]);
	if (json_choice(at, names, sizeof names / sizeof names[0], &index, err) < 0)
		return -1;
	*(enum bisect_state *)member = states[index];
	return 0;
}

static const struct json_codec state_codec = { add_state, read_state };

/* -------- a comparison */

static const struct json_field step_fields[] = {
	JSON_NEEDED(struct bisect_step, base, id_codec),
	JSON_NEEDED(struct bisect_step, head, id_codec),
	JSON_NEEDED(struct bisect_step, state, state_codec),
	JSON_NEEDED(struct bisect_step, change_pct, json_codec_number),
	JSON_NEEDED(struct bisect_step, low_pct, json_codec_number),
	JSON_NEEDED(struct bisect_step, high_pct, json_codec_number),
	JSON_NEEDED(struct bisect_step, pairs, json_codec_unsigned),
	JSON_NEEDED(struct bisect_step, elapsed_s, json_codec_measured),
	JSON_OPTIONAL(struct bisect_step, reason, json_codec_text),
	JSON_END,
};

static void add_step(cJSON *object, const char *key, const void *member)
{
	const struct bisect_step *step = member;

	if (step->state == BISECT_UNTESTED)
		json_add_string(object, key, NULL);
	else
		json_fields_add(json_add_object(object, key), step_fields, step);
}

static int read_step(const struct json *at, void *member, struct error *err)
{
	struct bisect_step step = { 0 };

	if (json_fields_only(at, step_fields, err) < 0 || json_fields_read(at, step_fields, &step, err) < 0) {
		bisect_step_release(&step);
		return -1;
	}
	*(struct bisect_step *)member = step;
	return 0;
}

static const struct json_codec step_codec = { add_step, read_step };

static void add_steps(cJSON *object, const char *key, const void *member)
{
	const struct bisection *b = member;
	cJSON *array = json_add_array(object, key);

	for (size_t i = 0; i < b->n_steps; i++)
		add_step(array, NULL, &b->steps[i]);
}

static int read_one_step(const struct json *item, void *ctx, struct error *err)
{
	struct bisection *b = ctx;
	struct bisect_step step;

	if (read_step(item, &step, err) < 0)
		return -1;
	VEC_GROW(b->steps, b->n_steps, b->cap_steps);
	b->steps[b->n_steps++] = step;
	return 0;
}

static int read_steps(const struct json *at, void *member, struct error *err)
{
	if (!cJSON_IsArray(at->value) || json_size(at) > STEPS_MAX)
		return json_fault(at, err, "expected an array of at most %d comparisons", STEPS_MAX);
	return json_each(at, read_one_step, member, err);
}

static const struct json_codec steps_codec = { add_steps, read_steps };

/* -------- what follows from the rest */

static void add_status(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, bisection_status(member));
}

static void add_outcome(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, bisect_outcome_name(bisection_outcome(member)));
}

static void add_commits(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, (double)((const struct bisection *)member)->commits.n);
}

static void add_suspects(cJSON *object, const char *key, const void *member)
{
	const struct bisection *b = member;
	struct suspects s = bisection_suspects(b);
	cJSON *array = json_add_array(object, key);

	if (b->whole.state != BISECT_BAD)
		return;
	for (size_t i = s.first; i < b->commits.n && i <= s.last; i++) {
		const struct commit *commit = &b->commits.items[i];
		cJSON *item = json_add_object(array, NULL);

		json_add_string(item, "commit", commit->id);
		json_add_string(item, "author", commit->author);
		json_add_string(item, "date", commit->date);
		json_add_string(item, "subject", commit->subject);
	}
}

static void add_explains(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, bisection_explained_pct(member));
}

static void add_pairs(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, bisection_pairs(member));
}

static void add_elapsed(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, bisection_elapsed_s(member));
}

static const struct json_codec status_codec = { add_status, NULL }, outcome_codec = { add_outcome, NULL },
	commits_codec = { add_commits, NULL }, suspects_codec = { add_suspects, NULL },
	explains_codec = { add_explains, NULL }, pairs_codec = { add_pairs, NULL }, elapsed_codec = { add_elapsed, NULL };

/* -------- the whole */

static void add_schema(cJSON *object, const char *key, const void *member)
{
	(void)member;
	json_add_number(object, key, BISECTION_SCHEMA);
}

static const struct json_codec schema_codec = { add_schema, NULL };

static const struct json_field fields[] = {
	JSON_WHOLE("schema", schema_codec, true),
	JSON_WHOLE("status", status_codec, false),
	JSON_WHOLE("outcome", outcome_codec, false),
	JSON_WHOLE("suspects", suspects_codec, false),
	JSON_WHOLE("explains_pct", explains_codec, false),
	JSON_WHOLE("commits", commits_codec, false),
	JSON_WHOLE("pairs", pairs_codec, false),
	JSON_WHOLE("elapsed_s", elapsed_codec, false),
	JSON_NEEDED(struct bisection, pawl, json_codec_text),
	JSON_NEEDED(struct bisection, scenario, json_codec_name),
	JSON_NEEDED(struct bisection, text, json_codec_text),
	JSON_NEEDED(struct bisection, class, json_codec_text),
	JSON_NEEDED(struct bisection, good, id_codec),
	JSON_NEEDED(struct bisection, bad, id_codec),
	JSON_OPTIONAL(struct bisection, good_ref, json_codec_text),
	JSON_OPTIONAL(struct bisection, bad_ref, json_codec_text),
	JSON_NEEDED(struct bisection, seed, json_codec_count),
	JSON_OPTIONAL(struct bisection, metric, metric_codec),
	JSON_OPTIONAL(struct bisection, higher_is_better, json_codec_bool),
	JSON_OPTIONAL(struct bisection, tolerance_pct, json_codec_measured),
	JSON_OPTIONAL(struct bisection, whole, step_codec),
	JSON_WHOLE("steps", steps_codec, true),
	JSON_OPTIONAL(struct bisection, found, step_codec),
	JSON_OPTIONAL(struct bisection, explanation, json_codec_texts),
	JSON_OPTIONAL(struct bisection, folder, json_codec_text),
	JSON_OPTIONAL(struct bisection, difference, json_codec_bool),
	JSON_END,
};

char *bisection_format(const struct bisection *b)
{
	cJSON *root = json_new_object();

	json_fields_add(root, fields, b);
	return json_print(root);
}

/* The search goes on with these, so that they must make sense together. */
static int check(const struct json *root, const struct bisection *b, struct error *err)
{
	if (b->whole.state == BISECT_BAD && (!b->metric || !(b->tolerance_pct > 0)))
		return json_fault(root, err, "a regression needs its metric and a tolerance above 0");
	if (b->whole.state != BISECT_BAD && (b->n_steps || b->found.state != BISECT_UNTESTED))
		return json_fault(root, err, "there are steps, but bad was not found to be worse than good");
	return 0;
}

int bisection_parse(const char *text, size_t len, const char *path, struct bisection *out, struct error *err)
{
	cJSON *tree = json_parse(text, len, path, err);
	struct json root = json_root(tree);
	struct bisection b = { 0 };
	int ret;

	if (!tree)
		return -1;
	ret = json_check_schema(&root, BISECTION_SCHEMA, NULL, err) < 0 || json_fields_only(&root, fields, err) < 0 ||
	      json_fields_read(&root, fields, &b, err) < 0 || check(&root, &b, err) < 0 ? -1 : 0;
	cJSON_Delete(tree);
	if (ret == 0)
		*out = b;
	else
		bisection_release(&b);
	if (ret < 0)
		error_at(err, path, 0, 0);
	return ret;
}
