#include "judge/history.h"

#include <math.h>
#include <search.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "stats/stats.h"

/* A drift has at least this many changes in one direction, each smaller than half of their sum. */
enum { DRIFT_STEPS = 3 };

/* A straight line fits values better than levels if its squared residuals are below this part of theirs. */
#define STEADY_PART 0.7

/* Most metrics outside the catalogue, over all results. Bounds the time that hostile files can take. */
enum { OWN_METRICS_MOST = 1000 };

/* The part of a result that places its values. */
struct history_result {
	const char *commit;		/* without "+dirty"; or NULL */
	const char *date;
	bool dirty;
	size_t at;			/* of history.commits, once they are in order */
};

/* Values that one result measured of a group's metrics. */
struct measurement {
	size_t result;
	size_t at;			/* of history.commits, once they are in order */
	uint64_t settings;		/* hash_settings() */
	unsigned runs;
	double *values;			/* parallel to the group's metrics; shorter if metrics were added later */
	size_t n;
};

/* A scenario on a machine class. */
struct history_group {
	const char *scenario, *class, *work_unit;
	const struct metric **metrics;
	bool *gated;			/* parallel to them */
	size_t n_metrics, cap_metrics;
	struct measurement *entries;
	size_t n, cap;
};

/* -------- taking results in */

static void keep(void *node)
{
	(void)node;
}

void history_release(struct history *history)
{
	tdestroy(history->groups_by_name, keep);
	tdestroy(history->copies, keep);
	own_metrics_release(&history->own_metrics);
	arena_release(&history->arena);
	*history = (struct history){ 0 };
}

void history_damaged(struct history *history, const char *path, const char *reason)
{
	*ARENA_ADD(&history->arena, history->damaged, history->n_damaged, history->cap_damaged) = (struct history_file){
		arena_strdup(&history->arena, path), arena_strdup(&history->arena, reason),
	};
}

static int by_group(const void *a, const void *b)
{
	const struct history_group *x = a, *y = b;

	return strcmp(x->scenario, y->scenario) ?: strcmp(x->class, y->class);
}

static struct history_group *group_of(struct history *history, const char *scenario, const char *class)
{
	struct history_group key = { .scenario = scenario, .class = class }, **found, *made;

	found = tfind(&key, &history->groups_by_name, by_group);
	if (found)
		return *found;
	made = arena_alloc(&history->arena, sizeof *made);
	made->scenario = arena_strdup(&history->arena, scenario);
	made->class = arena_strdup(&history->arena, class);
	xtsearch(made, &history->groups_by_name, by_group);
	return *ARENA_ADD(&history->arena, history->groups, history->n_groups, history->cap_groups) = made;
}

/* Returns the column of METRIC in GROUP; SIZE_MAX if there are too many metrics already. */
static size_t column_of(struct history *history, struct history_group *group, const struct metric *metric)
{
	size_t cap = group->cap_metrics;

	for (size_t i = 0; i < group->n_metrics; i++)
		if (!strcmp(group->metrics[i]->name, metric->name))
			return i;
	if (history->own_metrics.n >= OWN_METRICS_MOST)
		return SIZE_MAX;
	ARENA_GROW(&history->arena, group->metrics, group->n_metrics, group->cap_metrics);
	if (cap != group->cap_metrics)
		group->gated = arena_grow(&history->arena, group->gated, group->n_metrics, group->cap_metrics, sizeof(bool));
	group->metrics[group->n_metrics] = own_metrics_add(&history->own_metrics, metric);
	return group->n_metrics++;
}

static uint64_t hash_list(uint64_t hash, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		hash = fnv_bytes(hash, list->items[i], strlen(list->items[i]) + 1);
	return fnv_bytes(hash, "|", 1);
}

/* Hashes the settings that change the measured program or its load. */
static uint64_t hash_settings(const struct settings *s)
{
	const char *const texts[] = { s->setup, s->prepare, s->cpus, s->load };
	uint64_t hash = hash_list(hash_list(hash_list(FNV_START, &s->command), &s->environment), &s->services);

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		hash = fnv_bytes(hash, texts[i] ?: "", strlen(texts[i] ?: "") + 1);
	hash = fnv_bytes(hash, &s->aslr_off, sizeof s->aslr_off);
	return fnv_bytes(hash, &s->window_s, sizeof s->window_s);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* True if the same runs were added before, as from a copied file. Detects only measurements with a name. */
static bool is_copy(struct history *history, const struct scenario_result *scenario)
{
	char *key;

	if (!scenario->measurement)
		return false;
	key = arena_printf(&history->arena, "%s %s", scenario->measurement, scenario->name);
	return *(char **)xtsearch(key, &history->copies, by_text) != key;
}

static void add_scenario(struct history *history, const struct scenario_result *scenario, const char *class)
{
	const struct side_result *side = &scenario->head;
	struct history_group *group = group_of(history, scenario->name, class);
	struct arena *arena = &history->arena;
	struct measurement *entry;

	/* Add all columns first. Columns added by later results have no value here. */
	for (size_t i = 0; i < side->n_metrics; i++)
		if (side_result_normalised(side, side->metrics[i]) == side->metrics[i])
			column_of(history, group, side->metrics[i]);
	entry = ARENA_ADD(arena, group->entries, group->n, group->cap);
	*entry = (struct measurement){
		.result = history->n_all, .settings = hash_settings(&scenario->settings), .runs = (unsigned)side->n_runs,
		.n = group->n_metrics, .values = arena_alloc(arena, (group->n_metrics + 1) * sizeof *entry->values),
	};
	for (size_t i = 0; i < group->n_metrics; i++)
		entry->values[i] = side_result_median(side, group->metrics[i]);
	for (size_t i = 0; i < scenario->n_gates; i++) {
		const struct metric *metric = scenario->gates[i].gate.metric;

		if (scenario->gates[i].gate.kind != GATE_METRIC)
			continue;
		metric = side_result_normalised(side, metric);
		for (size_t k = 0; k < group->n_metrics; k++)
			group->gated[k] |= !strcmp(group->metrics[k]->name, metric->name);
	}
	if (side->work_unit && !group->work_unit)
		group->work_unit = arena_strdup(arena, side->work_unit);
}

void history_add(struct history *history, const struct result *result, const struct strv *names)
{
	CLEANUP(free_ptr) char *class = machine_class(&result->machine);
	struct arena *arena = &history->arena;
	size_t len = result->commit ? strcspn(result->commit, "+") : 0;
	bool any = false;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *scenario = &result->scenarios[i];

		arena_push_new(arena, &history->scenarios, scenario->name);
		if (names->n && !strv_has(names, scenario->name))
			continue;
		if (result->mode == MODE_PAIRED) {
			history->n_paired++;
		} else if (scenario->head.state == SCENARIO_FAILED || !scenario->head.n_runs) {
			history->n_failed++;
		} else if (is_copy(history, scenario)) {
			history->n_copies++;
		} else {
			add_scenario(history, scenario, class);
			any = true;
		}
	}
	if (!any)
		return;
	history->n_results++;
	*ARENA_ADD(arena, history->results, history->n_all, history->cap_results) = (struct history_result){
		.commit = len ? arena_strndup(arena, result->commit, len) : NULL, .date = arena_strdup(arena, result->date),
		.dirty = len && result->commit[len],
	};
}

/* -------- commits in order */

static int by_id(const void *a, const void *b)
{
	return strcmp((*(const struct commit *const *)a)->id, (*(const struct commit *const *)b)->id);
}

/* Returns the commit of SORTED that the shortened ID means; NULL if none or several match. */
static const struct commit *find_commit(const struct commit *const *sorted, size_t n, const char *id)
{
	size_t at = SEARCH_FIRST(i, n, strcmp(sorted[i]->id, id) >= 0);

	if (at == n || !text_starts(sorted[at]->id, id) || (at + 1 < n && text_starts(sorted[at + 1]->id, id)))
		return NULL;
	return sorted[at];
}

/* A commit being sorted, with its first result. */
struct moment {
	struct history_commit commit;
	const char *date;		/* of its first result, with the time of day */
	size_t result;			/* that one */
};

static int by_commit(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;
	int order;

	if (x->commit.place != y->commit.place)
		return x->commit.place < y->commit.place ? -1 : 1;
	if (x->commit.dirty != y->commit.dirty || !x->commit.id || !y->commit.id)
		order = (int)x->commit.dirty - (int)y->commit.dirty ?: (x->commit.id != NULL) - (y->commit.id != NULL);
	else
		order = x->commit.dirty ? 0 : strcmp(x->commit.id, y->commit.id);
	return order ?: strcmp(x->date, y->date) ?: (x->result > y->result) - (x->result < y->result);
}

/* True for results of one commit. A result with uncommitted changes stands alone. */
static bool same_commit(const struct moment *a, const struct moment *b)
{
	return a->commit.id && b->commit.id && !a->commit.dirty && !b->commit.dirty && !strcmp(a->commit.id, b->commit.id);
}

static int by_date(const void *a, const void *b)
{
	const struct moment *x = a, *y = b;

	return strcmp(x->date, y->date) ?: (x->result > y->result) - (x->result < y->result);
}

/* Returns a moment for each result. Those of one commit are adjacent; those in git come first, in git's order. */
static struct moment *moments_of(struct history *history, const struct commits *order)
{
	size_t n = order ? order->n : 0;
	CLEANUP(free_ptr) const struct commit **sorted = xcalloc(n + 1, sizeof *sorted);
	struct moment *moments = xcalloc(history->n_all + 1, sizeof *moments);

	for (size_t i = 0; i < n; i++)
		sorted[i] = &order->items[i];
	qsort(sorted, n, sizeof *sorted, by_id);
	for (size_t i = 0; i < history->n_all; i++) {
		const struct history_result *result = &history->results[i];
		const struct commit *known = result->commit && !result->dirty ? find_commit(sorted, n, result->commit) : NULL;
		struct history_commit *commit = &moments[i].commit;

		*commit = (struct history_commit){ .id = result->commit, .dirty = result->dirty, .place = SIZE_MAX };
		moments[i].date = result->date;
		moments[i].result = i;
		if (known) {
			commit->id = arena_strdup(&history->arena, known->id);
			commit->subject = arena_strdup(&history->arena, known->subject);
			commit->place = (size_t)(known - order->items);
		}
		commit->date = arena_strndup(&history->arena, known && known->date ? known->date : result->date, 10);
	}
	qsort(moments, history->n_all, sizeof *moments, by_commit);
	return moments;
}

/* Keeps git's order. Inserts each other commit before the first git commit that was measured later. */
static void order_commits(struct history *history, const struct commits *order)
{
	CLEANUP(free_ptr) struct moment *moments = moments_of(history, order);
	CLEANUP(free_ptr) struct moment *unique = xcalloc(history->n_all + 1, sizeof *unique);
	CLEANUP(free_ptr) size_t *which = xcalloc(history->n_all + 1, sizeof *which);
	CLEANUP(free_ptr) size_t *at = xcalloc(history->n_all + 1, sizeof *at);
	size_t n = 0, known = 0, next_known = 0, next_other;

	for (size_t i = 0; i < history->n_all; i++) {
		if (!n || !same_commit(&moments[i], &unique[n - 1]))
			unique[n++] = moments[i];
		which[moments[i].result] = n - 1;
		known = moments[i].commit.place != SIZE_MAX ? n : known;
	}
	/*
	 * WHICH holds the index of a result's commit before the others are sorted by time. AT maps that to its first
	 * result.
	 */
	for (size_t i = 0; i < n; i++)
		at[i] = unique[i].result;
	qsort(unique + known, n - known, sizeof *unique, by_date);
	history->commits = arena_alloc(&history->arena, (n + 1) * sizeof *history->commits);
	for (next_other = known; next_known < known || next_other < n;) {
		bool other = next_known == known ||
			     (next_other < n && strcmp(unique[next_other].date, unique[next_known].date) < 0);
		const struct moment *moment = &unique[other ? next_other++ : next_known++];

		history->results[moment->result].at = history->n_commits;
		history->commits[history->n_commits++] = moment->commit;
		history->n_dirty += moment->commit.dirty;
		history->n_unknown += other && !moment->commit.dirty;
	}
	for (size_t i = 0; i < history->n_all; i++)
		history->results[i].at = history->results[at[which[i]]].at;
	if (known)
		history->n_between = unique[known - 1].commit.place - unique[0].commit.place + 1 - known;
}

/* -------- series and their changes */

static int by_course(const void *a, const void *b)
{
	const struct measurement *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at) ?: (x->result > y->result) - (x->result < y->result);
}

static double change_pct(double from, double to)
{
	return from > 0 ? 100 * (to - from) / from : to == from ? 0 : NAN;
}

/* True if N steps in one direction are a drift. */
static bool is_drift(const struct history_change *steps, size_t n)
{
	double largest = 0, sum = 0;

	for (size_t i = 0; i < n; i++) {
		largest = fmax(largest, fabs(steps[i].to - steps[i].from));
		sum += fabs(steps[i].to - steps[i].from);
	}
	return n >= DRIFT_STEPS && largest < sum / 2;
}

static double square(double x)
{
	return x * x;
}

/*
 * True if a straight line fits the values from FROM up to TO better than the levels cut at the N STEPS. The commits
 * at the cuts are then no more to blame than the others.
 */
static bool is_steady(const double *values, size_t from, size_t to, const struct history_change *steps, size_t n)
{
	double length = (double)(to - from), mean = stats_mean(values + from, to - from), slope = 0, middle = (length - 1) / 2;
	double line = 0, levels = 0;

	for (size_t i = from; i < to; i++)
		slope += ((double)(i - from) - middle) * (values[i] - mean) / (length * (square(length) - 1) / 12);
	for (size_t i = from; i < to; i++)
		line += square(values[i] - mean - slope * ((double)(i - from) - middle));
	for (size_t k = 0; k <= n; k++) {
		size_t start = k ? steps[k - 1].first : from, end = k < n ? steps[k].first : to;
		double level = stats_mean(values + start, end - start);

		for (size_t i = start; i < end; i++)
			levels += square(values[i] - level);
	}
	return line < STEADY_PART * levels;
}

/* Returns how many of STEPS, from I on, go in one direction. */
static size_t same_direction(const struct history_change *steps, size_t i, size_t n)
{
	size_t end = i;

	while (end < n && !steps[end].spread && (steps[end].to > steps[end].from) == (steps[i].to > steps[i].from))
		end++;
	return end - i;
}

static void find_changes(struct history *history, struct history_series *series)
{
	CLEANUP(free_ptr) double *values = xcalloc(series->n + 1, sizeof *values);
	CLEANUP(free_ptr) struct changepoint *found = NULL;
	CLEANUP(free_ptr) struct history_change *steps = NULL;
	size_t n, length;

	for (size_t i = 0; i < series->n; i++)
		values[i] = series->points[i].value;
	n = changepoints_find(values, series->n, CHANGEPOINT_LEVEL, &found);
	if (!n)
		return;
	steps = xcalloc(n, sizeof *steps);
	for (size_t i = 0; i < n; i++)
		steps[i] = (struct history_change){
			.first = found[i].at, .last = found[i].at, .steps = 1, .from = found[i].before, .to = found[i].after,
			.p = found[i].p, .spread = found[i].spread,
		};
	series->changes = arena_alloc(&history->arena, n * sizeof *steps);
	for (size_t i = 0; i < n; i += length) {
		struct history_change *change = &series->changes[series->n_changes++];
		size_t same = same_direction(steps, i, n), from = i ? steps[i - 1].first : 0,
		       to = i + same < n ? steps[i + same].first : series->n;

		*change = steps[i];
		if (same && is_steady(values, from, to, steps + i, same)) {
			length = same;
			change->drift = true;
			change->first = from + 1;
			change->last = to - 1;
			change->from = stats_median(values + from, CHANGEPOINT_SEGMENT);
			change->to = stats_median(values + to - CHANGEPOINT_SEGMENT, CHANGEPOINT_SEGMENT);
		} else {
			length = is_drift(steps + i, same) ? same : 1;
			change->drift = length > 1;
			change->last = steps[i + length - 1].last;
			change->to = steps[i + length - 1].to;
		}
		change->steps = (unsigned)length;
		for (size_t k = i; k < i + length; k++)
			change->p = fmax(change->p, steps[k].p);
		change->change_pct = change_pct(change->from, change->to);
	}
}

/* Adds the values of one metric. Entries of one commit must be adjacent. */
static void add_points(struct history *history, const struct history_group *group, size_t column, struct history_series *series)
{
	CLEANUP(free_ptr) double *values = xcalloc(group->n + 1, sizeof *values);
	uint64_t settings = 0;
	size_t n, end;

	series->points = arena_alloc(&history->arena, (group->n + 1) * sizeof *series->points);
	for (size_t i = 0; i < group->n; i = end) {
		struct history_point point = { .commit = group->entries[i].at };
		bool first = !series->n;

		for (end = i, n = 0; end < group->n && group->entries[end].at == point.commit; end++) {
			const struct measurement *entry = &group->entries[end];

			if (column >= entry->n || !isfinite(entry->values[column]))
				continue;
			values[n++] = entry->values[column];
			point.runs += entry->runs;
			point.rewritten |= !first && entry->settings != settings;
			settings = entry->settings;
			first = false;
		}
		if (!n)
			continue;
		point.value = stats_median(values, n);
		series->points[series->n++] = point;
	}
	if (series->n > HISTORY_COMMITS_MOST) {
		history->n_older += series->n - HISTORY_COMMITS_MOST;
		series->points += series->n - HISTORY_COMMITS_MOST;
		series->n = HISTORY_COMMITS_MOST;
	}
}

static int by_names(const void *a, const void *b)
{
	return by_group(*(const struct history_group *const *)a, *(const struct history_group *const *)b);
}

/* Sorts as listings do, gated metrics first. */
static int by_metric(const void *a, const void *b)
{
	const struct history_series *x = a, *y = b;
	bool own_x = x->metric < metric_catalogue || x->metric >= metric_catalogue + metric_catalogue_size,
	     own_y = y->metric < metric_catalogue || y->metric >= metric_catalogue + metric_catalogue_size;

	if (x->gated != y->gated)
		return x->gated ? -1 : 1;
	if (own_x != own_y)
		return own_x ? 1 : -1;
	if (own_x)
		return strcmp(x->metric->name, y->metric->name);
	return (x->metric > y->metric) - (x->metric < y->metric);
}

static void add_group(struct history *history, struct history_group *group)
{
	size_t before = history->n_series;

	for (size_t i = 0; i < group->n; i++)
		group->entries[i].at = history->results[group->entries[i].result].at;
	if (group->n)
		qsort(group->entries, group->n, sizeof *group->entries, by_course);
	for (size_t i = 0; i < group->n_metrics; i++) {
		struct history_series *series = &history->series[history->n_series];

		*series = (struct history_series){
			.scenario = group->scenario, .class = group->class, .metric = group->metrics[i],
			.work_unit = group->work_unit, .gated = group->gated[i],
		};
		add_points(history, group, i, series);
		if (!series->n)
			continue;
		find_changes(history, series);
		history->n_series++;
	}
	qsort(history->series + before, history->n_series - before, sizeof *history->series, by_metric);
}

void history_settle(struct history *history, const struct commits *order)
{
	size_t most = 0;

	order_commits(history, order);
	if (history->n_groups)
		qsort(history->groups, history->n_groups, sizeof *history->groups, by_names);
	for (size_t i = 0; i < history->n_groups; i++)
		most += history->groups[i]->n_metrics;
	history->series = arena_alloc(&history->arena, (most + 1) * sizeof *history->series);
	for (size_t i = 0; i < history->n_groups; i++)
		add_group(history, history->groups[i]);
}

bool history_is_worse(const struct history_series *series, const struct history_change *change)
{
	return !change->spread && (change->to < change->from) == series->metric->higher_is_better;
}

size_t history_gap(const struct history *history, const struct history_series *series, size_t point)
{
	size_t at = history->commits[series->points[point].commit].place,
	       before = point ? history->commits[series->points[point - 1].commit].place : SIZE_MAX;

	return at == SIZE_MAX || before == SIZE_MAX || at <= before ? 0 : at - before - 1;
}
