#include "store/store.h"

#include "base/mem.h"

/* More comparisons than anybody has patience for. */
enum { STEPS_MAX = 10000 };

/* SHA-1 or SHA-256, in full. */
#define COMMIT_ID .needed = true, .pattern = "^([0-9a-f]{40}|[0-9a-f]{64})$", .expected = "a commit's full id"

/* -------- a comparison */

static const struct field step_items[] = {
	{ FIELD(struct bisect_step, base), COMMIT_ID },
	{ FIELD(struct bisect_step, head), COMMIT_ID },
	{ FIELD(struct bisect_step, state), .needed = true, .words = bisect_state_names, .min = BISECT_GOOD },
	{ FIELD(struct bisect_step, change_pct), .needed = true },
	{ FIELD(struct bisect_step, low_pct), .needed = true },
	{ FIELD(struct bisect_step, high_pct), .needed = true },
	{ FIELD(struct bisect_step, pairs), .needed = true },
	{ FIELD(struct bisect_step, elapsed_s), .needed = true, .not_negative = true },
	{ FIELD(struct bisect_step, reason) },
};

static const struct fields step_fields = { FIELDS(step_items), .size = sizeof(struct bisect_step) };

static bool has_whole(const void *record)
{
	return ((const struct bisection *)record)->whole.state != BISECT_UNTESTED;
}

static bool has_found(const void *record)
{
	return ((const struct bisection *)record)->found.state != BISECT_UNTESTED;
}

/* -------- single values */

static int read_metric(const struct json *at, void *member, struct error *err)
{
	CLEANUP(free_ptr) char *name = NULL;

	if (json_string(at, &name, err) < 0 || metric_check_name(at, name, err) < 0)
		return -1;
	*(char **)member = take_ptr(&name);
	return 0;
}

static const struct json_codec metric_codec = { .read = read_metric };

/* -------- what follows from the rest */

static void add_status(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, bisection_status(member));
}

static void add_outcome(cJSON *object, const char *key, const void *member)
{
	json_add_string(object, key, bisect_outcome_names[bisection_outcome(member)]);
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
	json_add_number(object, key, bisection_effort(member).pairs);
}

static void add_elapsed(cJSON *object, const char *key, const void *member)
{
	json_add_number(object, key, bisection_effort(member).elapsed_s);
}

static const struct json_codec status_codec = { .add = add_status }, outcome_codec = { .add = add_outcome },
	commits_codec = { .add = add_commits }, suspects_codec = { .add = add_suspects },
	explains_codec = { .add = add_explains }, pairs_codec = { .add = add_pairs }, elapsed_codec = { .add = add_elapsed };

/* -------- the whole */

static const struct field items[] = {
	{ .key = "schema", .type = FIELD_VERSION, .max = BISECTION_SCHEMA, .needed = true },
	{ .key = "status", .derived = true, .json = &status_codec },
	{ .key = "outcome", .derived = true, .json = &outcome_codec },
	{ .key = "suspects", .derived = true, .json = &suspects_codec },
	{ .key = "explains_pct", .derived = true, .json = &explains_codec },
	{ .key = "commits", .derived = true, .json = &commits_codec },
	{ .key = "pairs", .derived = true, .json = &pairs_codec },
	{ .key = "elapsed_s", .derived = true, .json = &elapsed_codec },
	{ FIELD(struct bisection, pawl), .needed = true },
	{ FIELD(struct bisection, scenario), .needed = true, SCENARIO_NAME },
	{ FIELD(struct bisection, text), .needed = true },
	{ FIELD(struct bisection, class), .needed = true },
	{ FIELD(struct bisection, good), COMMIT_ID },
	{ FIELD(struct bisection, bad), COMMIT_ID },
	{ FIELD(struct bisection, good_ref) },
	{ FIELD(struct bisection, bad_ref) },
	{ FIELD(struct bisection, seed), .needed = true },
	{ FIELD(struct bisection, metric), .json = &metric_codec },
	{ FIELD(struct bisection, higher_is_better) },
	{ FIELD(struct bisection, tolerance_pct), .not_negative = true },
	{ FIELD(struct bisection, whole), .object = &step_fields, .when = has_whole, .nullable = true },
	{ FIELD_ITEMS("steps", struct bisection, steps, &step_fields), .needed = true, .max = STEPS_MAX,
	  .expected = "comparisons" },
	{ FIELD(struct bisection, found), .object = &step_fields, .when = has_found, .nullable = true },
	{ FIELD(struct bisection, explanation) },
	{ FIELD(struct bisection, folder) },
	{ FIELD(struct bisection, difference) },
};

/* The search goes on with these, so that they must make sense together. */
static int check(const struct json *root, void *record, struct error *err)
{
	const struct bisection *b = record;

	if (b->whole.state == BISECT_BAD && (!b->metric || !(b->tolerance_pct > 0)))
		return json_fault(root, err, "a regression needs its metric and a tolerance above 0");
	if (b->whole.state != BISECT_BAD && (b->n_steps || b->found.state != BISECT_UNTESTED))
		return json_fault(root, err, "there are steps, but bad was not found to be worse than good");
	return 0;
}

static const struct fields fields = { FIELDS(items), .check = check };

char *bisection_format(const struct bisection *b)
{
	return json_format(&fields, b);
}

int bisection_parse(const char *text, size_t len, const char *path, struct bisection *out, struct error *err)
{
	CLEANUP(bisection_release) struct bisection b = { 0 };

	if (json_read_file(text, len, path, &fields, true, &b, err) < 0)
		return -1;
	*out = b;
	b = (struct bisection){ 0 };
	return 0;
}
