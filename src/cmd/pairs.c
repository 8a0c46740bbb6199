#include "cmd/pairs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/parse.h"
#include "cmd/accepted_stacks.h"
#include "cmd/judging.h"
#include "cmd/pair_session.h"
#include "cmd/results.h"
#include "gate/judge_missing.h"
#include "gate/judge_pair.h"
#include "gate/judge_pairs.h"
#include "measure/git.h"
#include "measure/outdir.h"

struct pairs_run {
	const struct pairs *pairs;
	const struct machine *machine;
	struct pair_session *sessions;
	size_t n;
	struct pair_trees trees;
	bool interrupted;
};

uint64_t pairs_seed(const struct options *options)
{
	uint32_t seed = 0;

	if (options->seed)
		return options->seed;
	/* Short enough to be typed again, and whole in JSON. */
	while (!seed)
		if (getrandom(&seed, sizeof seed, 0) < 0 && errno != EINTR)
			seed = 1;
	return seed;
}

int pairs_take_floor(const struct options *options, struct scenario *scenarios, size_t n, struct error *err)
{
	double floor_pct;

	if (!options->floor)
		return 0;
	if (parse_percent(options->floor, &floor_pct, err) < 0)
		return error_wrap(err, "--floor");
	if (!(floor_pct >= 0 && floor_pct <= FLOOR_MOST_PCT))
		return error_set(err, ERR_INPUT, "--floor: expected a percentage from 0%% to %d%%, found '%.60s'", FLOOR_MOST_PCT,
				 options->floor);
	for (size_t i = 0; i < n; i++)
		scenarios[i].measure.floor_pct = floor_pct;
	return 0;
}

/* -------- how many pairs */

static uint64_t budget_of(const struct pairs_run *r, const struct pair_session *s)
{
	return r->pairs->budget_ns ? r->pairs->budget_ns : s->job->head->measure.budget_ns;
}

/* What is left of all budgets together. */
static uint64_t left(const struct pairs_run *r)
{
	uint64_t all = 0, spent = 0;

	for (size_t i = 0; i < r->n; i++) {
		all += budget_of(r, &r->sessions[i]);
		spent += r->sessions[i].spent_ns;
	}
	return all > spent ? all - spent : 0;
}

static unsigned next_look(const struct pairs_run *r, const struct pair_session *s)
{
	const struct scenario_result *result = s->job->result;
	unsigned most = result->pairing->pairs_most;

	if (!pair_session_goes_on(s))
		return 0;
	if (r->pairs->to_the_end)
		return scenario_result_pairs(result) < most ? most : 0;
	return judge_pairs_next_look(result);
}

/* The first look is everybody's, unless somebody asked for less time than it takes. */
static uint64_t first_limit(const struct pairs_run *r, size_t i)
{
	uint64_t share = r->pairs->budget_ns ? left(r) / (r->n - i) : 0;

	return r->pairs->budget_ns && !share ? 1 : share;
}

static void say(struct pairs_run *r, const struct pair_session *s)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	const struct scenario_result *result = s->job->result;
	const struct pairing *pairing = result->pairing;
	const char *failure = pairing->head.measured->failure ?: pairing->base.measured->failure;
	size_t n = scenario_result_pairs(result);

	if (failure && s->job->only_head)
		strbuf_adds(&words, "the base cannot run it");
	else if (failure)
		strbuf_addf(&words, "FAILED: %s", failure);
	else
		strbuf_addf(&words, "%zu pair%s%s", n, n == 1 ? "" : "s", r->interrupted ? ", then interrupted" :
			    next_look(r, s) ? ", undecided" : "");
	progress_done(r->pairs->progress, result->name, words.buf);
}

static int measure_one(struct pairs_run *r, size_t i, unsigned pairs, uint64_t limit_ns, struct error *err)
{
	struct pair_session *s = &r->sessions[i];
	int ret;

	r->pairs->progress->at = i;
	progress_scenario(r->pairs->progress, s->job->result->name);
	ret = pair_session_measure(s, pairs, limit_ns, err);
	/* A budget ends after one pair at least, as it does after one run. */
	if (ret == 0 && pairs && !scenario_result_pairs(s->job->result))
		ret = pair_session_measure(s, 1, 0, err);
	r->interrupted = ret < 0;
	say(r, s);
	return ret;
}

static int first_looks(struct pairs_run *r, const struct pairs_job *jobs, struct error *err)
{
	for (size_t i = 0; i < r->n; i++) {
		pair_session_open(&r->sessions[i], r->pairs, &r->trees, &jobs[i]);
		if (measure_one(r, i, next_look(r, &r->sessions[i]), first_limit(r, i), err) < 0 ||
		    pair_session_simulate(&r->sessions[i], err) < 0)
			return -1;
	}
	return 0;
}

/* What a pair of S takes. */
static double pair_ns(const struct pair_session *s)
{
	size_t n = scenario_result_pairs(s->job->result);

	return n ? (double)s->spent_ns / (double)n : 0;
}

/* About how long it takes until something of S is decided; INFINITY: nothing can be. */
static double decision_ns(const struct pair_session *s)
{
	double missing = judge_pairs_missing(s->job->result);

	return isfinite(missing) ? missing * pair_ns(s) : INFINITY;
}

static int soonest_first(const void *a, const void *b)
{
	const struct pair_session *s = *(const struct pair_session *const *)a, *t = *(const struct pair_session *const *)b;
	double x = decision_ns(s), y = decision_ns(t);

	/* Of two that cannot be decided the first comes first. */
	return x == y ? (s > t) - (s < t) : (x > y) - (x < y);
}

/*
 * Those to measure in this round, into OUT, which has room for all: what can be decided, soonest first. What cannot gets what
 * these leave: else it would take the time by which they are.
 */
static size_t choose_round(struct pairs_run *r, struct pair_session **out)
{
	size_t n = 0, decidable = 0;

	for (size_t i = 0; i < r->n; i++)
		if (next_look(r, &r->sessions[i]))
			out[n++] = &r->sessions[i];
	qsort(out, n, sizeof *out, soonest_first);
	while (decidable < n && isfinite(decision_ns(out[decidable])))
		decidable++;
	return decidable ? decidable : n;
}

/* Each to its next look, in an equal part of what is left; *ANY_OUT tells whether that was enough for a pair. */
static int measure_round(struct pairs_run *r, struct pair_session **chosen, size_t n, bool *any_out, struct error *err)
{
	*any_out = false;
	for (size_t i = 0; i < n; i++) {
		struct pair_session *s = chosen[i];
		uint64_t share = left(r) / (n - i);
		size_t before = scenario_result_pairs(s->job->result);

		if (!share || (double)share < pair_ns(s))
			continue;
		if (measure_one(r, (size_t)(s - r->sessions), next_look(r, s), share, err) < 0)
			return -1;
		*any_out = *any_out || scenario_result_pairs(s->job->result) > before;
	}
	return 0;
}

/* Look by look, so that what is decided early leaves its time to the others. */
static int later_looks(struct pairs_run *r, struct error *err)
{
	CLEANUP(free_ptr) struct pair_session **chosen = xcalloc(r->n + 1, sizeof *chosen);
	bool any = true;

	while (any) {
		size_t n = choose_round(r, chosen);

		if (measure_round(r, chosen, n, &any, err) < 0)
			return -1;
	}
	return 0;
}

static double all_spent_s(const struct pairs_run *r)
{
	double spent_s = 0;

	for (size_t i = 0; i < r->n; i++)
		spent_s += (double)r->sessions[i].spent_ns / 1e9;
	return spent_s;
}

static void note_budgets(const struct pairs_run *r)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct pair_session *session = &r->sessions[i];
		struct scenario_result *s = session->job->result;
		double budget_s = (double)budget_of(r, session) / 1e9, spent_s = (double)session->spent_ns / 1e9;
		size_t pairs = scenario_result_pairs(s);

		if (!next_look(r, session))
			continue;
		if (r->n == 1)
			strv_pushf(&s->notes, "the budget of %.4g s ended after %zu pairs in %.3g s; --budget TIME raises it", budget_s, pairs,
				   spent_s);
		else
			strv_pushf(&s->notes, "the budget of %.4g s a scenario is shared: it ended after %zu pairs of this one in %.3g s, "
				   "%.3g s for all %zu; --budget TIME raises it", budget_s, pairs, spent_s, all_spent_s(r), r->n);
	}
}

/* -------- profiles */

/* The verdicts that stay are given once the profile is there. */
static bool regressed(const struct pairs_run *r, const struct scenario_result *s)
{
	bool any = false;

	for (size_t i = 0; i < s->n_gates && !any; i++) {
		const struct gate_result *g = &s->gates[i];
		struct judgement j = { 0 };

		if (!judge_pair_applies(&g->gate) || (r->pairs->confirming && !judge_pairs_wants_confirming(s, g)))
			continue;
		any = judge_pair(&g->gate, &j, s, r->machine) && j.verdict == VERDICT_REGRESSION;
		free(j.reason);
	}
	return any;
}

static bool gates_profile(const struct scenario *s)
{
	return (s->gates.symbols.on && !s->gates.symbols.by_default) || s->gates.n_budgets;
}

/* The scenario's own gate on symbols could not be compared with what is stored. */
static bool lacks_shares(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++)
		if (!strcmp(s->gates[i].gate.metric->name, METRIC_SYMBOLS) && s->gates[i].stored.verdict == VERDICT_NOT_MEASURED)
			return s->baseline_class != NULL;
	return false;
}

static bool wants_profile(const struct pairs_run *r, const struct pair_session *s)
{
	struct options options = { .no_profile = r->pairs->no_profile || r->pairs->inv->options.no_profile };
	struct scenario_result *result = s->job->result;

	if (!pair_session_goes_on(s))
		return false;
	if (r->pairs->confirming)
		return !options.no_profile && !s->job->head->profile.off &&
		       (regressed(r, result) || (gates_profile(s->job->head) && lacks_shares(result)));
	if (!profiling_wanted(s->job->head, &options, r->machine, result))
		return false;
	if (regressed(r, result) || gates_profile(s->job->head))
		return true;
	strv_push(&result->profile.doubts, "no profile was taken: nothing regressed");
	return false;
}

static int profiles(struct pairs_run *r, struct error *err)
{
	for (size_t i = 0; i < r->n; i++)
		if (wants_profile(r, &r->sessions[i]) && pair_session_profile(&r->sessions[i], err) < 0)
			return -1;
	return 0;
}

/* -------- judging */

/* The base's side as if it had been accepted. */
static void as_baseline(const struct pairs_run *r, const struct pair_side *base, struct baseline *out)
{
	CLEANUP(free_ptr) char *now = utc_now(), *pawl = xstrdup(PAWL_VERSION);
	struct result around = { .date = now, .commit = base->commit, .pawl = pawl, .machine = *r->machine };

	results_to_baseline(&around, base->measured, out);
}

static bool failed(const struct scenario_result *s, const char *side)
{
	return s->state == SCENARIO_FAILED && s->failure && !strncmp(s->failure, side, strlen(side));
}

static void judge_one(struct pairs_run *r, const struct pairs_job *job)
{
	struct scenario_result *s = job->result;
	struct baseline base;

	/* There is nothing to compare with; that is no fault of the head's. */
	if (job->only_head && failed(s, "base:")) {
		judge_excuse(s, "the base has no such scenario and cannot run it", true);
		return;
	}
	if (job->gone && failed(s, "head:") && judging_excuses(s)) {
		judge_excuse(s, judging_gone, false);
		return;
	}
	if (job->only_head)
		strv_push(&s->notes, "the base has no such scenario; its commands were run there all the same");
	as_baseline(r, &s->pairing->base, &base);
	if (r->pairs->confirming)
		judge_pairs_confirm(s, r->machine, &base);
	else
		judge_pairs(s, r->machine, &base);
	baseline_release(&base);
}

static void finish(struct pairs_run *r, const struct pairs_job *jobs)
{
	for (size_t i = 0; i < r->n; i++) {
		if (r->sessions[i].job)
			pair_session_close(&r->sessions[i]);
		else
			pair_session_skip(r->pairs, &jobs[i]);
		judge_one(r, &jobs[i]);
		accepted_stacks_compare_sides(r->pairs->report_dir ?: r->pairs->out_dir, &r->sessions[i].base.profiling.pruned,
					      &r->sessions[i].head.profiling.pruned, jobs[i].result);
		profiling_release(&r->sessions[i].base.profiling);
		profiling_release(&r->sessions[i].head.profiling);
	}
}

/* -------- the trees */

/* How deep ROOT lies in its repository ("sub/"), "" outside of any; for free(). */
static char *prefix_of(const struct pairs *pairs, const char *root)
{
	char *prefix = NULL;

	return git_prefix(&pairs->inv->keeper, root, &prefix, NULL) == 0 ? prefix : xstrdup("");
}

static bool same_folder(const char *a, const char *b)
{
	CLEANUP(free_ptr) char *x = realpath(a, NULL);
	CLEANUP(free_ptr) char *y = realpath(b, NULL);

	return x && y && !strcmp(x, y);
}

/* Nothing that git knows of differs between them. */
static bool same_commit(const struct pairs *pairs)
{
	const char *base = pairs->base.commit, *head = pairs->head.commit;
	CLEANUP(free_ptr) char *here = base && !head ? git_commit(&pairs->inv->keeper, pairs->head.root) : NULL;

	if (base && head)
		return !strcmp(base, head);
	return here && !strchr(here, '+') && !strncmp(base, here, strlen(here));
}

/* The tops of the repositories, where the project is a folder of each: it may be built outside of its folder. */
static void go_to_tops(const struct pairs *pairs, char *roots[], size_t n)
{
	CLEANUP(free_ptr) char *prefix = prefix_of(pairs, roots[0]);
	size_t len = strlen(prefix);

	for (size_t i = 0; i < n && len; i++) {
		CLEANUP(free_ptr) char *other = prefix_of(pairs, roots[i]);
		size_t root = strlen(roots[i]);

		/* "/repository/sub" and "sub/" */
		if (strcmp(other, prefix) || root <= len || strncmp(roots[i] + root - len + 1, prefix, len - 1))
			len = 0;
	}
	for (size_t i = 0; i < n && len; i++)
		roots[i][strlen(roots[i]) - len] = '\0';
}

static void find_trees(const struct pairs *pairs, struct pair_trees *out)
{
	char *roots[] = { xstrdup(pairs->base.root), xstrdup(pairs->head.root), xstrdup(pairs->project ?: pairs->head.root) };
	size_t n = sizeof roots / sizeof roots[0];
	bool one = same_folder(pairs->base.root, pairs->head.root);

	if (!one)
		go_to_tops(pairs, roots, n);
	tree_map_init(&out->base, roots[0], (const char *const *)roots, one ? 0 : n);
	tree_map_init(&out->head, roots[1], (const char *const *)roots, one ? 0 : n);
	out->same = one || same_commit(pairs);
	for (size_t i = 0; i < n; i++)
		free(roots[i]);
}

int pairs_measure(const struct pairs *pairs, const struct pairs_job *jobs, size_t n, const struct machine *machine,
		  struct error *err)
{
	CLEANUP(free_ptr) struct pair_session *sessions = xcalloc(n + 1, sizeof *sessions);
	struct pairs_run r = { .pairs = pairs, .machine = machine, .sessions = sessions, .n = n };
	int ret;

	find_trees(pairs, &r.trees);
	ret = first_looks(&r, jobs, err);
	if (ret == 0 && !pairs->to_the_end)
		ret = later_looks(&r, err);
	if (ret == 0 && !pairs->to_the_end)
		note_budgets(&r);
	if (ret == 0)
		ret = profiles(&r, err);
	finish(&r, jobs);
	tree_map_release(&r.trees.base);
	tree_map_release(&r.trees.head);
	return ret;
}
