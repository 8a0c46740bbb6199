/* pawl selftest: slows the head of a comparison down on purpose, to show that a scenario's gate can fail here. */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/lifecycle.h"
#include "job/pairs.h"
#include "job/project/budget.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "job/project/select.h"
#include "job/runs.h"
#include "judge/pairs.h"
#include "model/gate.h"
#include "model/metrics/metric.h"
#include "model/metrics/numbers.h"
#include "model/result.h"
#include "scenario/scenario.h"
#include "store/store.h"

/* -------- the burner: spends CPU time, then becomes the target */

/* Rounds between looks at the clock, about 10 us. */
enum { BURN_ROUNDS = 10000 };

static uint64_t cpu_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static void burn(uint64_t ns)
{
	volatile unsigned sink = 0;

	for (uint64_t until = cpu_now_ns() + ns; cpu_now_ns() < until;)
		for (unsigned i = 0; i < BURN_ROUNDS; i++)
			sink += i;
}

static int burn_and_become(struct invocation *inv, struct error *err)
{
	uint64_t ns;

	if (inv->args.n < 2)
		return error_set(err, ERR_INPUT, "__burn takes nanoseconds and a command");
	if (parse_u64(inv->args.items[0], &ns, err) < 0)
		return -1;
	burn(ns);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	strv_push(&inv->args, NULL);
	execvp(inv->args.items[1], (char **)inv->args.items + 1);
	return error_sys(err, errno, "cannot start %s", inv->args.items[1]);
}

/* In no table, like __complete. */
const struct command_def cmd_burn = { .name = "__burn", .args = "NS COMMAND...", .run = burn_and_become };

/* -------- what is tried */

/* In percent of the CPU time: none, then the largest first. */
static const unsigned planted[] = { 0, 10, 5, 3, 2, 1 };
enum { PLANTED = sizeof planted / sizeof *planted, UNCHANGED = 0, LARGEST = 1, TRIES = 10 };
#define BUDGET_NS (300 * NS_PER_S)
#define CAUGHT_PART 0.9

struct row {
	unsigned tries, caught, open;
	double seconds;		/* of all tries */
};

struct tested {
	const char *name, *failure;
	struct strbuf gates;	/* "task-clock 2 %, page-faults 1 %" */
	struct row rows[PLANTED];
	double cpu_ms;		/* of a run, by the first try */
	double elapsed_s;
	bool late;		/* its time was over before all tries */
};

struct selftest {
	struct invocation *inv;
	struct project project;
	struct lifecycle run;
	char *self;		/* path of this program */
	struct arena arena;
	unsigned gates, most;	/* most: tries of a size */
	uint64_t seed, count;
	uint64_t budget_ns;	/* of all tries of a scenario */
	struct tested *tested;	/* parallel to the project's scenarios */
};

static bool is_caught(const struct row *row)
{
	return row->tries && row->caught >= CAUGHT_PART * row->tries;
}

/* True if more tries change nothing. One accusation of an unchanged program settles it, too. */
static bool is_settled(const struct selftest *t, const struct row *rows, size_t at)
{
	unsigned missed = rows[at].tries - rows[at].caught;

	if (rows[at].tries >= t->most)
		return true;
	return at == UNCHANGED ? rows[at].caught > 0 : t->most - missed < CAUGHT_PART * t->most;
}

/* Returns the smallest size that, like all larger ones, is caught; UNCHANGED: none. */
static size_t least_caught(const struct tested *s)
{
	size_t least = UNCHANGED;

	while (least + 1 < PLANTED && is_caught(&s->rows[least + 1]))
		least++;
	return least;
}

static int status_of(const struct tested *s)
{
	if (s->failure)
		return STATUS_NOT_MEASURED;
	return s->rows[UNCHANGED].caught || !is_caught(&s->rows[LARGEST]) ? STATUS_REGRESSION : STATUS_OK;
}

/* -------- trying */

static void list_gates(const struct scenario_result *s, struct strbuf *out)
{
	for (size_t i = 0; i < s->n_gates; i++)
		strbuf_addf(out, "%s%s %s", i ? ", " : "", s->gates[i].gate.metric->name,
			    format_limit(gate_judgement(&s->gates[i])->tolerance_pct, false).s);
}

static int try_once(struct selftest *t, const struct scenario *s, size_t at, struct tested *out, struct error *err)
{
	CLEANUP(result_release) struct result one = { 0 };
	struct scenario_result *result = result_add_scenario(&one, s->name);
	struct pairs_job job = {
		.base = s, .head = s, .result = result, .burner = t->self, .burn_ns = (uint64_t)(planted[at] * out->cpu_ms * 1e4),
	};
	const struct pairs pairs = {
		.run = &t->run, .base = { .root = t->project.root, .label = "unchanged" },
		.head = { .root = t->project.root, .label = "slowed down" }, .seed = t->seed + t->count++, .gates = t->gates,
	};
	struct row *row = &out->rows[at];
	uint64_t start = clock_now_ns();
	bool open = false;

	setup_describe(s, result);
	progress_begin(&t->run.progress, &t->inv->request, 1);
	t->run.progress.brief = true;
	if (pairs_measure(&pairs, &job, 1, err) < 0)
		return -1;
	if (result->head.state == SCENARIO_FAILED) {
		out->failure = arena_strdup(&t->arena, result->head.failure ?: "it failed");
		return 0;
	}
	for (size_t i = 0; i < result->n_gates; i++)
		open |= gate_judgement(&result->gates[i])->verdict == VERDICT_INCONCLUSIVE;
	if (!out->gates.len) {
		list_gates(result, &out->gates);
		out->cpu_ms = side_result_median(&result->base, METRIC(CPU_TIME));
	}
	row->tries++;
	row->caught += scenario_result_regressed(result);
	row->open += open && !scenario_result_regressed(result);
	row->seconds += (double)(clock_now_ns() - start) / 1e9;
	return 0;
}

static void say(const struct selftest *t, const struct tested *s, size_t at, uint64_t left_ns)
{
	const struct row *row = &s->rows[at];
	double mean_s = 0, tries = 0, more = 0;

	for (size_t i = 0; i < PLANTED; i++) {
		mean_s += s->rows[i].seconds;
		tries += s->rows[i].tries;
		more += is_settled(t, s->rows, i) ? 0 : t->most - s->rows[i].tries;
	}
	mean_s /= fmax(tries, 1);
	console_say(&t->inv->request, "%s +%u %%: %u of %u caught; at most %s left\n", s->name, planted[at], row->caught, row->tries,
		    format_elapsed(fmin(more * mean_s, (double)left_ns / 1e9)).s);
}

/* Tries each size once, then the largest first until each is settled or the time is over. */
static int test(struct selftest *t, const struct scenario *s, struct tested *out, struct error *err)
{
	uint64_t start = clock_now_ns(), took = 0;

	for (size_t at = 0, first = 0; at < PLANTED && !out->failure && !out->late;) {
		size_t next = first < PLANTED ? first++ : at;

		if (first == PLANTED && next == at && is_settled(t, out->rows, at)) {
			at++;
			continue;
		}
		if (try_once(t, s, next, out, err) < 0)
			return -1;
		took = clock_now_ns() - start;
		out->late = took >= t->budget_ns && out->rows[LARGEST].tries > 0;
		if (!out->failure)
			say(t, out, next, took < t->budget_ns ? t->budget_ns - took : 0);
	}
	out->elapsed_s = (double)took / 1e9;
	return 0;
}

static int test_all(struct selftest *t, struct error *err)
{
	struct lifecycle *run = &t->run;
	int ret = 0;

	lifecycle_begin(run, &t->inv->request, MODE_PAIRED, t->project.root);
	run->without_files = !t->inv->request.out;
	if (lifecycle_open(run, &t->project, &t->project, err) < 0)
		return -1;
	lifecycle_watch(run);
	for (size_t i = 0; i < t->project.n_scenarios && ret == 0; i++)
		ret = test(t, t->project.scenarios[i], &t->tested[i], err);
	lifecycle_watched(run);
	lifecycle_close(run);
	return ret;
}

/* -------- output */

static void add_text(const struct selftest *t, const struct tested *s, struct strbuf *out)
{
	size_t least = least_caught(s);

	escape_terminal(out, s->name);
	if (s->failure) {
		strbuf_adds(out, ": FAILED: ");
		escape_terminal(out, s->failure);
		strbuf_adds(out, "\n");
		return;
	}
	strbuf_addf(out, ": %s CPU time a run; limits %s\n  planted   caught     a try\n", format_value(s->cpu_ms, UNIT_MS).s, s->gates.buf);
	for (size_t i = 0; i < PLANTED; i++) {
		const struct row *row = &s->rows[i];
		struct short_text size = i ? format_short("+%u %%", planted[i]) : format_short("nothing");

		strbuf_addf(out, "  %-8s  %2u of %-2u  %8s%s\n", size.s, row->caught, row->tries,
			    row->tries ? format_elapsed(row->seconds / row->tries).s : "-", row->open ? "  (some were inconclusive)" : "");
	}
	if (s->rows[UNCHANGED].caught)
		strbuf_adds(out, "  FAILED: the unchanged program was called slower\n");
	else if (!is_caught(&s->rows[LARGEST]))
		strbuf_addf(out, "  FAILED: +%u %% passes: lower the limits, measure a longer run, or use a quieter machine\n", planted[LARGEST]);
	else
		strbuf_addf(out, "  the gate can fail: +%u %% is the least that is caught in nine of ten tries; the unchanged program passed\n",
			    planted[least]);
	if (s->late || t->most < TRIES)
		strbuf_addf(out, "  fewer than %d tries of a size say little; %s\n", TRIES,
			    s->late ? "--budget TIME gives more" : "without --tries there are as many");
}

static void add_json(cJSON *scenarios, const struct tested *s)
{
	cJSON *one = json_add_object(scenarios, NULL), *rows;
	size_t least = least_caught(s);

	json_add_string(one, "name", s->name);
	json_add_string(one, "failure", s->failure);
	json_add_number(one, "status", status_of(s));
	json_add_number(one, "cpu_ms", s->cpu_ms);
	json_add_number(one, "least_caught_pct", least ? planted[least] : NAN);
	json_add_number(one, "elapsed_s", s->elapsed_s);
	json_add_bool(one, "complete", !s->late);
	rows = json_add_array(one, "planted");
	for (size_t i = 0; i < PLANTED; i++) {
		cJSON *row = json_add_object(rows, NULL);

		json_add_number(row, "change_pct", planted[i]);
		json_add_number(row, "tries", s->rows[i].tries);
		json_add_number(row, "caught", s->rows[i].caught);
		json_add_number(row, "inconclusive", s->rows[i].open);
		json_add_number(row, "seconds", s->rows[i].tries ? s->rows[i].seconds / s->rows[i].tries : NAN);
	}
}

static int print(const struct selftest *t, int *status_out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, json = STRBUF_INIT;
	cJSON *root = json_new_object(), *scenarios = json_add_array(root, "scenarios");
	const struct strv *busy = &t->run.result.busy;

	*status_out = STATUS_OK;
	json_add_strings(root, "busy", busy);
	for (size_t i = 0; i < t->project.n_scenarios; i++) {
		*status_out = status_worse(*status_out, status_of(&t->tested[i]));
		add_text(t, &t->tested[i], &text);
		add_json(scenarios, &t->tested[i]);
	}
	for (size_t i = 0; i < busy->n; i++)
		strbuf_addf(&text, "warning: %s\n", busy->items[i]);
	json_add_number(root, "status", *status_out);
	json_append(&json, root);
	return console_print(t->inv->request.json ? &json : &text, err);
}

/* -------- the command */

static int prepare_scenario(struct scenario *s, struct error *err)
{
	struct gates *gates = &s->gates;
	size_t n = 0;

	if (s->target_kind != TARGET_COMMAND)
		return error_set(err, ERR_INPUT, "%s: selftest slows down commands, and this target is a running process; `pawl calibrate %s` "
				 "finds the smallest change that its gate sees", s->name, s->name);
	if (s->harness.kind != HARNESS_NONE)
		return error_set(err, ERR_INPUT, "%s: selftest slows down a command before it starts, which its benchmarks do not see; name "
				 "another scenario", s->name);
	for (size_t i = 0; i < gates->n; i++)
		if (judge_pair_applies(&gates->items[i]) && !gates->items[i].claim)
			gates->items[n++] = gates->items[i];
	if (!n)
		return error_set(err, ERR_INPUT, "%s: no gate is judged in pairs; simulated counts and absolute limits fail whenever they are "
				 "exceeded, which needs no proof", s->name);
	gates->n = n;
	gates->n_budgets = 0;
	gates->symbols.on = false;
	s->profile.off = true;
	s->measure.budget_ns -= s->measure.budget_ns / BUDGET_THIRD;
	return 0;
}

static int prepare(struct selftest *t, struct error *err)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct strv notes = STRV_INIT;

	if (project_open(&t->project, &t->inv->request, &t->inv->args, err) < 0 ||
	    project_select(&t->project, &t->inv->args, err) < 0)
		return -1;
	t->self = realpath("/proc/self/exe", NULL);
	if (!t->self)
		return error_sys(err, errno, "cannot find pawl's own program");
	/* A try has the scenario's own budget. */
	t->budget_ns = t->inv->request.budget_ns ?: BUDGET_NS;
	t->inv->request.budget_ns = 0;
	t->inv->request.no_profile = t->inv->request.no_explain = true;
	t->seed = pairs_seed(&t->inv->request);
	t->most = (unsigned)(t->inv->options.tries ?: TRIES);
	t->gates = project_paired_gates(&t->project, &arena, &notes);
	t->tested = xcalloc(t->project.n_scenarios, sizeof *t->tested);
	for (size_t i = 0; i < t->project.n_scenarios; i++) {
		t->tested[i] = (struct tested){ .name = t->project.scenarios[i]->name, .gates = STRBUF_INIT };
		if (prepare_scenario(t->project.scenarios[i], err) < 0)
			return -1;
	}
	return 0;
}

static void release(struct selftest *t)
{
	for (size_t i = 0; t->tested && i < t->project.n_scenarios; i++)
		strbuf_release(&t->tested[i].gates);
	free(t->tested);
	free(t->self);
	arena_release(&t->arena);
	lifecycle_release(&t->run);
	project_finish(&t->project);
}

static int selftest(struct invocation *inv, struct error *err)
{
	CLEANUP(release) struct selftest t = { .inv = inv };
	int status;

	if (prepare(&t, err) < 0 || test_all(&t, err) < 0 || print(&t, &status, err) < 0)
		return -1;
	return status;
}

const struct command_def cmd_selftest = {
	.name = "selftest",
	.args = "[SCENARIO...]",
	.summary = "show that the gate can fail on this machine",
	.examples =
		"pawl selftest gzip\n"
		"pawl selftest gzip --tries 1    # quick: each size once\n"
		"pawl selftest --budget 2m --json",
	.details =
		"The working tree is compared with itself as `pawl run --base` would, by the scenario's own gates\n"
		"and limits. Before each run of the head, the measured process burns 10, 5, 3, 2 or 1 % of the\n"
		"CPU time of a run, or nothing, in a busy loop, then becomes the command. So CPU time and\n"
		"instructions rise; waiting, memory and page faults do not.\n\n"
		"Each size is tried ten times, or --tries; a size that missed too often is left. A scenario takes\n"
		"at most five minutes, or --budget, once each size was tried. The table says how often each was\n"
		"caught, and how long a try took. Gates on simulated counts, symbols and absolute limits are left\n"
		"out. The status is 1 if +10 % is not caught in nine of ten tries, or if the unchanged program is\n"
		"called slower; 3 if the scenario fails.",
	.options = OPT_BUDGET | OPT_TAG | OPT_JSON | OPT_LOCK_WAIT | OPT_PAIRED | OPT_TRIES,
	.starts_processes = true,
	.run = selftest,
};
