#include "job/pairs.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cause/cause.h"
#include "cause/evidence.h"
#include "cause/ledger/system_calls.h"
#include "cause/surroundings.h"
#include "job/evidence.h"
#include "job/lifecycle.h"
#include "job/project/benchmarks.h"
#include "job/project/budget.h"
#include "job/project/pictures.h"
#include "job/project/request.h"
#include "job/recordings.h"
#include "job/runs.h"
#include "job/sides/loaded.h"
#include "job/sides/programs.h"
#include "job/sides/same.h"
#include "job/verdicts.h"
#include "judge/explain.h"
#include "judge/gate.h"
#include "judge/judge.h"
#include "judge/pairs.h"
#include "measure/files/elf.h"
#include "measure/files/files.h"
#include "measure/git/changes.h"
#include "measure/git/git.h"
#include "measure/git/tree_map.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/run/loop.h"
#include "measure/run/outdir.h"
#include "measure/run/system.h"
#include "measure/services/ports.h"
#include "measure/tools/strace.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/metrics/metric.h"
#include "model/metrics/numbers.h"
#include "model/profile.h"
#include "model/result.h"
#include "model/side.h"
#include "profile/stacks.h"
#include "scenario/scenario.h"

/*
 * A scenario of a comparison in pairs is a session: the plans of both sides, and the loop over them. All are opened
 * and get a first look, go on look by look, then are closed and judged. Failures go to the job's result; -1 means
 * interrupted.
 */

static const char *const side_names[] = { "base", "head" };

struct pair_session {
	struct pairs_run *run;
	const struct pairs_job *job;
	struct measured_side sides[SIDES];	/* their results are the job's */
	struct program_side programs[SIDES];
	struct ports ports;		/* of both sides, each used once */
	struct loop *loop;		/* NULL if it could not begin */
	struct evidence_search evidence;
	struct env_trace starts[SIDES];	/* of the target's services */
	struct strv kept[SIDES];	/* each side's programs before measuring: see programs_keep() */
	bool traced;			/* known what both sides load, and so whether each runs its own program */
	struct budget budget;
	struct same_work work;
	struct timespec opened;		/* CLOCK_REALTIME */
	uint64_t pairs_ns;		/* spent on pairs */
	double pair_ns;			/* mean time of a pair in the last look; 0: none yet */
	bool whole;			/* all benchmarks of a harness must run, see benchmarks_undecided() */
};

struct pairs_run {
	const struct pairs *pairs;
	struct request *request;
	struct progress *progress;
	const struct machine *machine;
	const struct pairs_job *jobs;
	struct pair_session *sessions;	/* one for each job */
	size_t n;
	unsigned gates;		/* that share the error, with those on benchmarks */
	struct tree_map maps[SIDES];	/* where both sides find their files */
	struct timespec began;	/* when all trees were built */
	bool same;	/* one tree, or two of one commit, so both sides may run one program */
	bool interrupted;
};

/* -------- how much time it has */

/* A confirmation has what the stored runs left. */
static struct budget budget_of(const struct pairs *pairs, const struct pairs_job *job)
{
	const struct request *o = pairs->run->request;
	uint64_t whole_ns = o->budget_ns ?: job->head->measure.budget_ns;
	bool follows = !pairs->to_the_end && !(o->no_explain && o->no_profile);

	whole_ns = job->spent_ns < whole_ns ? whole_ns - job->spent_ns : 1;
	return budget_new(whole_ns, follows ? BUDGET_THIRD : 0);
}

/* Enough for the second look. */
enum { PAIRS_THAT_FIT = 20 };

static uint64_t fit_ns(const struct pair_session *s)
{
	const struct pairing *pairing = &s->job->result->pairing;
	unsigned first = paired_first_look(pairing->gates), pairs = first > PAIRS_THAT_FIT ? first : PAIRS_THAT_FIT;
	uint64_t left_ns = budget_to_measure(&s->budget), own_ns = s->job->head->measure.budget_ns;

	/* A larger --budget gives more pairs, not longer ones. */
	return (left_ns < own_ns ? left_ns : own_ns) / (pairing->pairs_most < pairs ? pairing->pairs_most : pairs);
}

/* -------- the plans */

struct side_ports {
	struct ports *ports;
	const char *side;
};

/* Both sides may be up at once. */
static int port_of_side(void *ctx, const char *name, struct error *err)
{
	const struct side_ports *of = ctx;
	CLEANUP(free_ptr) char *full = text_printf("%s:%s", of->side, name);

	return ports_get(of->ports, full, err);
}

static char *place_text(void *map, const char *text)
{
	return tree_map_text(map, text);
}

/* A shell sets PWD by itself; other programs would get pawl's on both sides. */
static void place_environment(const struct tree_map *map, struct plan *plan, const char *cwd, const struct strv *only,
			      struct strv *environment)
{
	tree_map_environment(map, only, &plan->arena, environment);
	arena_pushf(&plan->arena, environment, "PWD=%s", cwd);
}

/* Both sides have words of equal length. */
static void plan_burner(const struct pairs_job *job, unsigned at, struct plan *plan)
{
	struct strv command = STRV_INIT;

	arena_push(&plan->arena, &command, job->burner);
	arena_push(&plan->arena, &command, "__burn");
	arena_pushf(&plan->arena, &command, "%020llu", (unsigned long long)(at == HEAD ? job->burn_ns : 0));
	arena_push_all(&plan->arena, &command, &plan->target);
	plan->target = command;
}

static int plan_side(struct pair_session *s, unsigned at, struct measured_side *side, const struct tree_map *map,
		     struct error *err)
{
	CLEANUP(strv_release) struct strv passed = STRV_INIT;
	struct side_ports ports = { &s->ports, side_names[at] };
	const struct plan_context names = { .port = port_of_side, .ctx = &ports, .place = place_text, .places = (void *)map };
	struct plan *plan = &side->plan;

	if (side_plan(side, names, err) < 0)
		return error_wrap(err, "%s", ports.side);
	child_variables(&side->scenario->target_pass, &passed);
	place_environment(map, plan, plan->cwd, &passed, &plan->environment);
	place_environment(map, plan, plan->root, NULL, &plan->commands_environment);
	place_environment(map, plan, plan->root, NULL, &plan->load_environment);
	for (size_t i = 0; i < plan->n_services; i++)
		place_environment(map, plan, plan->services[i].cwd, NULL, &plan->services[i].environment);
	programs_prefer_own(plan, map);
	side->result->executable = arena_take(&side->result->arena, programs_identity(plan));
	if (s->job->burner)
		plan_burner(s->job, at, plan);
	return side_hasten(side, err);
}

/* -------- one scenario in pairs */

/* Pairs of such a target take minutes. */
#define TRACE_LONGEST_NS (20 * NS_PER_S)

/* The head's, without uncommitted changes; for free(). NULL: unknown. */
static char *head_commit(const struct pairs_run *run)
{
	const struct pairs_side *side = &run->pairs->head;
	char *commit = side->commit ? xstrdup(side->commit) : git_commit(&run->request->git, side->root);

	if (commit)
		commit[strcspn(commit, "+")] = '\0';
	return commit;
}

/* True if both sides are of one commit, unless the accepted program was replaced from elsewhere. */
static bool may_be_one(const struct pair_session *s)
{
	const struct baseline *of = s->job->accepted;
	const char *accepted = of ? baseline_last(of)->executable : NULL, *now = s->sides[HEAD].result->executable;

	return s->run->same && !(accepted && now && strcmp(accepted, now));
}

/* By the words of commands, if it is unknown what they load. Some exist only after setup, so this runs again. */
static void compare_programs(struct pair_session *s)
{
	bool known;

	if (!s->traced && !may_be_one(s) && s->sides[BASE].plan.target.n && s->sides[HEAD].plan.target.n)
		s->job->result->pairing.one_program = arena_take(&s->job->result->arena, programs_loaded(s->programs, NULL, false,
								 &s->run->request->started, &s->run->began, &known));
}

/* True if no gate needs a value of the head, and both sides would run the same command. */
static bool may_be_identical(const struct pair_session *s)
{
	const struct scenario_result *result = s->job->result;
	const struct plan *plan = &s->sides[HEAD].plan;
	bool relative = result->n_gates > 0 && !result->n_budgets;

	for (size_t i = 0; i < result->n_gates; i++) {
		const struct gate *gate = &result->gates[i].gate;

		relative = relative && gate->relative && isnan(gate->max) && isnan(gate->min);
	}
	return s->run->pairs->skip_identical && relative && s->job->base == s->job->head && !s->job->only_head && !plan->n_services &&
	       !plan_attaches(plan);
}

/* Only then a complete trace may show that nothing differs. */
static bool has_equal_programs(const struct pair_session *s)
{
	const struct strv *base = &s->kept[BASE], *head = &s->kept[HEAD];
	CLEANUP(free_ptr) char *commit = head_commit(s->run);
	const char *const commits[SIDES] = { s->run->pairs->base.commit, commit };

	for (size_t i = 0; i < base->n && base->n == head->n; i++) {
		const char *was = strrchr(base->items[i], '\t') + 1, *now = strrchr(head->items[i], '\t') + 1;

		if (!same_bytes(was, now) && !elf_same_code(was, now, commits))
			return false;
	}
	return base->n == head->n;
}

static void judge_identity(struct pair_session *s, const struct loaded *loaded)
{
	struct scenario_result *result = s->job->result;
	const struct side_result *head = s->sides[HEAD].result;
	CLEANUP(free_ptr) char *commit = head_commit(s->run), *why_not = NULL;
	const struct identical_sides sides = {
		.programs = s->programs, .accesses = loaded->accesses, .commits = { s->run->pairs->base.commit, commit },
		.began = s->run->request->started,
		/* Files that `prepare` writes before a run may differ before the next. */
		.kept = s->job->head->prepare.argv.n ? s->opened : loaded->began,
	};
	struct identical found = { 0 };

	if (loaded->complete)
		same_find(&sides, &found);
	why_not = found.why_not ?: loaded->complete ? NULL : text_printf("a traced run takes longer than %s", format_duration(loaded->limit_ns).s);
	if (why_not)
		arena_pushf(&result->arena, &result->evidence, "not taken as identical: %s", why_not);
	else
		result->pairing.identical = (struct identical_build){
			arena_strdup(&result->arena, head->executable ?: "unknown"), found.libraries, found.files,
		};
}

/* If that cannot be seen, compare_programs() decides. */
static int look_at_loads(struct pair_session *s, struct system *const systems[], unsigned n, struct error *err)
{
	struct pairing *pairing = &s->job->result->pairing;
	CLEANUP(loaded_release) struct loaded loaded = { 0 };
	struct error why = ERROR_INIT;
	bool identical;
	char *one;

	identical = may_be_identical(s) && has_equal_programs(s);
	loaded.wanted = identical || s->run->pairs->compares_work;
	loaded.limit_ns = identical ? TRACE_LONGEST_NS : 0;
	if (loaded_take(systems, n, s->starts, &loaded, &why) == 0 && !may_be_one(s)) {
		for (unsigned i = 0; i < n; i++)
			programs_keep(&s->programs[i], &loaded.calls[i], &s->kept[i]);
		one = programs_loaded(s->programs, loaded.calls, loaded.complete, &s->run->request->started, &s->run->began, &s->traced);
		pairing->one_program = s->traced ? arena_take(&s->job->result->arena, one) : pairing->one_program;
		if (!s->traced)
			free(one);
	}
	if (why.kind == ERR_INTERRUPTED)
		return error_copy(err, &why);
	if (!why.kind && identical && !pairing->one_program)
		judge_identity(s, &loaded);
	else if (identical && why.kind)
		arena_pushf(&s->job->result->arena, &s->job->result->evidence, "not taken as identical: %s", why.msg);
	if (!why.kind && loaded.wanted && loaded.complete)
		same_work_files(&s->work, s->programs, loaded.accesses);
	compare_programs(s);
	return pairing->one_program ? LOADS_ONE : pairing->identical.binary ? LOADS_EQUAL : 0;
}

static void keep_programs(struct pair_session *s)
{
	for (unsigned i = 0; i < SIDES; i++)
		programs_keep(&s->programs[i], NULL, &s->kept[i]);
}

static int take_loads(void *ctx, struct system *const systems[], unsigned n, struct error *err)
{
	struct pair_session *s = ctx;

	keep_programs(s);
	return may_be_one(s) && !may_be_identical(s) ? 0 : look_at_loads(s, systems, n, err);
}

/* One side may have overwritten the other's program. With `prepare:` it may build before each run, and gets a note. */
static void check_kept(struct pair_session *s)
{
	struct side_result *head = s->sides[HEAD].result;

	for (unsigned i = 0; i < SIDES; i++) {
		const char *path = programs_changed(&s->kept[i]);

		if (path && s->job->head->prepare.argv.n)
			NOTE(&s->job->result->head, "the %s's program %s changed while pairs were measured", side_names[i], path);
		else if (path && !head->failure && !s->job->result->base.failure)
			setup_fail(head, "the %s's program %s changed while pairs were measured: let only 'build:', 'setup:' or 'prepare:' write it",
				   side_names[i], path);
		strv_release(&s->kept[i]);
	}
}

static void begin_pairing(const struct pairs_run *run, const struct pairs_job *job)
{
	const struct pairs *pairs = run->pairs;
	struct scenario_result *result = job->result;
	struct side_result *head;

	scenario_result_pair(result, pairs->confirming);
	head = scenario_result_measured(result);
	result->base.label = arena_strdup(&result->base.arena, job->base_label ?: pairs->base.label);
	result->base.commit = arena_strdup(&result->base.arena, pairs->base.commit);
	head->label = arena_strdup(&head->arena, job->head_label ?: pairs->head.label);
	head->commit = arena_strdup(&head->arena, pairs->head.commit);
	result->pairing.seed = pairs->seed;
	result->pairing.counts = run->request->counts;
	result->pairing.gates = run->gates;
	result->pairing.commits = pairs->commits;
	result->pairing.pairs_least = pairs->pairs_least;
	result->pairing.pairs_most = pairs->pairs_most ? pairs->pairs_most : PAIRS_MOST;
	result->pairing.both_ways = pairs->both_ways;
	result->pairing.floor_pct = job->head->measure.floor_pct;
}

static enum pairs_mode pairs_mode(const struct request *request, const struct scenario *scenario)
{
	const char *asked = request->pairs;
	int mode = PAIRS_AUTO;

	while (asked && strcmp(asked, pairs_mode_names[mode]))
		mode++;
	return asked ? (enum pairs_mode)mode : scenario->measure.pairs;
}

/* Without judged gates only CPU time is shown, at once. */
static void choose_ways(const struct pair_session *s, struct loop_options *options)
{
	const struct scenario_result *result = s->job->result;
	enum pairs_mode mode = pairs_mode(s->run->request, s->job->head);

	for (size_t i = 0; i < result->n_gates; i++) {
		const struct gate_result *g = &result->gates[i];

		/* An absolute limit applies to runs of pairs too. */
		if (g->gate.kind != GATE_METRIC || metric_repeats(g->gate.metric) ||
		    (s->run->pairs->confirming && !judge_pairs_wants_confirming(result, g)))
			continue;
		if (mode != PAIRS_IN_TURN && metric_together(g->gate.metric))
			options->both = true;
		else
			options->in_turn = true;
	}
	if (s->job->head->harness.kind != HARNESS_NONE) {
		options->by_benchmarks = true;
		/* The runs of a batch would be as long as the window each. */
		options->batch = 1;
	}
	options->both |= !options->in_turn && mode != PAIRS_IN_TURN;
	/* With only one CPU, a target with many threads has no more of them in turn. */
	options->both_anyway = mode == PAIRS_TOGETHER || child_cpu(s->job->head->measure.cpus, 0) == child_cpu(s->job->head->measure.cpus, 1);
}

static enum pair_way way_of(bool both, bool in_turn)
{
	return !both ? PAIR_IN_TURN : in_turn ? PAIR_BOTH_WAYS : PAIR_TOGETHER;
}

/* A benchmark program prints its times. */
static bool has_comparable_work(const struct pair_session *s)
{
	const struct scenario *head = s->job->head;

	return s->run->pairs->compares_work && !plan_attaches(&s->sides[HEAD].plan) &&
	       (head->harness.kind == HARNESS_NONE || head->target_output == OUTPUT_SAME);
}

/* Opens the session. OUT and RUN must not move until it is closed. */
static void pair_session_open(struct pair_session *out, struct pairs_run *run, const struct pairs_job *job)
{
	const struct pairs *pairs = run->pairs;
	struct scenario_result *result = job->result;
	struct loop_options options = { .seed = pairs->seed, .services = pair_services_of(job->head),
				      .without_perf = pairs->without_perf, .either = pairs->either,
				      .batch = run->request->counts ? 1 : 0 };
	struct session *session = &pairs->run->session;
	struct measured_side *sides = out->sides;
	struct error why = ERROR_INIT;

	begin_pairing(run, job);
	options.wanted = result->pairing.pairs_most;
	*out = (struct pair_session){ .run = run, .job = job, .budget = budget_of(pairs, job) };
	options.fit_ns = fit_ns(out);
	clock_gettime(CLOCK_REALTIME, &out->opened);
	for (unsigned i = 0; i < SIDES; i++) {
		const struct scenario *scenario = i == BASE ? job->base : job->head;

		sides[i] = (struct measured_side){
			.scenario = scenario, .root = i == BASE ? pairs->base.root : pairs->head.root,
			.result = i == BASE ? &result->base : scenario_result_measured(result),
			.out = text_printf("%s/%s%s", pairs->out_dir ?: pairs->run->result.out_dir, scenario->name, i == BASE ? "/base" : ""),
			/* Both have the same length, since the words of a command contain them. */
			.tmp = text_printf("%s/%s.%s", session->scratch, scenario->name, side_names[i]),
		};
		side_begin(&sides[i], session, run->progress);
		out->programs[i] = (struct program_side){ &sides[i].plan, &run->maps[i], sides[i].out, sides[i].tmp };
		out->starts[i] = (struct env_trace){ .calls = STRACE_LOADS, .text = STRBUF_INIT };
		sides[i].system.env.trace = &out->starts[i];
		sides[i].system.echo = run->request->show_output;
		setup_describe_side(scenario, sides[i].result);
	}
	for (unsigned i = 0; i < SIDES; i++)
		if (setup_need_programs(sides[i].scenario, sides[i].root, sides[i].result) < 0)
			return;
	if (pair_refuse(job->head, &why) < 0 || plan_side(out, BASE, &sides[BASE], &run->maps[BASE], &why) < 0 ||
	    plan_side(out, HEAD, &sides[HEAD], &run->maps[HEAD], &why) < 0) {
		setup_fail(sides[HEAD].result, "%s", why.msg);
		return;
	}
	/* The size of words moves the stack and thus times, so it must not depend on a side's folder. */
	programs_even_out((struct plan *[]){ &sides[BASE].plan, &sides[HEAD].plan });
	if (!job->head->setup.argv.n && !job->head->prepare.argv.n && (plan_attaches(&sides[HEAD].plan) || !tool_available("strace")))
		compare_programs(out);
	if (!job->head->setup.argv.n)
		keep_programs(out);
	if (has_comparable_work(out)) {
		same_work_begin(&out->work, out->programs);
		for (unsigned i = 0; i < SIDES; i++)
			sides[i].system.printed = &out->work.printed[i];
	}
	sides[BASE].system.loads = (struct evidence_wish){ .take = take_loads, .ctx = out };
	choose_ways(out, &options);
	evidence_begin(&out->evidence, sides, run->maps);
	/* The warm-up may still change this. */
	result->pairing.way = way_of(options.both, options.in_turn);
	out->loop = sides_loop(sides, SIDES, &options);
}

static bool pair_session_goes_on(const struct pair_session *session)
{
	return session->loop && !loop_failed(session->loop);
}

static void keep_gates_on(struct scenario_result *result, const struct metric *metric)
{
	size_t n = 0;

	for (size_t i = 0; i < result->n_gates; i++)
		if (result->gates[i].gate.kind != GATE_METRIC || result->gates[i].gate.metric == metric)
			result->gates[n++] = result->gates[i];
	result->n_gates = n;
}

/* Both sides at once share one CPU, and so the window. */
static unsigned ask(struct pair_session *s, const struct strv *only, bool fixed)
{
	return sides_ask(s->sides, SIDES, s->job->head->measure.window_ns / (loop_state(s->loop).both ? SIDES : 1), only, fixed);
}

/* Decided benchmarks keep the verdicts of their looks, and the others share the error as before. */
static void ask_undecided(struct pair_session *s)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	const struct scenario_result *result = s->job->result;

	if (s->whole || s->run->pairs->to_the_end || !harness_runs_some(&s->job->head->harness) || !scenario_result_pairs(result))
		return;
	s->whole = !benchmarks_undecided(result, &names);
	ask(s, s->whole ? NULL : &names, false);
}

/* Measures until there are PAIRS pairs, or LIMIT_NS (0: none) has passed. */
static int pair_session_measure(struct pair_session *s, unsigned pairs, uint64_t limit_ns, struct error *err)
{
	static const char *const services[] = {
		[PAIR_SERVICES_BESIDE] = "restarted for each pair, side by side",
		[PAIR_SERVICES_AFRESH] = "restarted for each window",
	};
	struct pairing *pairing = &s->job->result->pairing;
	size_t before = scenario_result_pairs(s->job->result), taken;
	uint64_t start = clock_now_ns(), spent_ns = s->pairs_ns;
	struct loop_state state;
	int ret;

	if (!pair_session_goes_on(s))
		return 0;
	ask_undecided(s);
	start -= loop_state(s->loop).setup_ns;
	ret = loop_measure(s->loop, pairs, limit_ns ? clock_now_ns() + limit_ns : 0, err);
	state = loop_state(s->loop);
	budget_spend(&s->pairs_ns, start + state.setup_ns);
	budget_spend(&s->budget.measured_ns, start + state.setup_ns);
	taken = scenario_result_pairs(s->job->result) - before;
	s->pair_ns = taken ? (double)(s->pairs_ns - spent_ns) / (double)taken : s->pair_ns;
	if (s->run->pairs->either && (state.both || state.in_turn))
		keep_gates_on(s->job->result, state.waits ? METRIC(WALL_TIME) : METRIC(CPU_TIME));
	pairing->batch = state.batch ? state.batch : 1;
	pairing->dropped = state.dropped;
	pairing->rerun = state.rerun;
	if (state.both || state.in_turn)
		pairing->way = way_of(state.both, state.in_turn);
	if (state.apart && !pairing->apart)
		pairing->apart = arena_strdup(&s->job->result->arena, state.apart);
	if (!pairing->services)
		pairing->services = services[state.services];
	compare_programs(s);
	return ret;
}

static void copy_notes(const struct side_result *from, const char *side, struct side_result *to)
{
	for (size_t i = 0; i < from->notes.n; i++)
		if (!strv_has(&to->notes, from->notes.items[i]))
			NOTE(to, "%s%s", side, from->notes.items[i]);
}

/* Two commands in one folder share a tree. */
static void find_changes(struct pair_session *s)
{
	const struct pairs *pairs = s->run->pairs;
	const struct change_side base = { pairs->base.root, pairs->base.commit }, head = { pairs->head.root, pairs->head.commit };
	struct error why = ERROR_INIT;

	if (!strcmp(base.root, head.root) || changes_read(&s->run->request->git, pairs->run->session.scratch, &base, &head, &s->evidence.changes, &why) == 0)
		return;
	NOTE(&s->job->result->head, "what changed in the source is not known: %s", why.msg);
}

static void check_unchanged(struct pair_session *s)
{
	struct pairing *pairing = &s->job->result->pairing;

	const char *program = s->run->same || pairing->one_program ? NULL : programs_equal(s->kept);

	if (!program)
		return;
	if (!s->evidence.taken)
		find_changes(s);
	pairing->unchanged = arena_take(&s->job->result->arena, programs_unchanged(program, &s->evidence.changes));
}

static void compare_work(struct pair_session *s)
{
	struct pairing *pairing = &s->job->result->pairing;

	pairing->same_wanted = s->run->pairs->compares_work && s->job->head->target_output == OUTPUT_SAME;
	if (!pairing->identical.binary && !pairing->one_program)
		pairing->other_work = arena_take(&s->job->result->arena, same_work_find(&s->work, &pairing->work_known));
	same_work_release(&s->work);
}

/* The head gets the failure and the notes of the base. Pruned stacks stay. */
static void pair_session_close(struct pair_session *s)
{
	struct scenario_result *result = s->job->result;
	struct side_result *head = s->sides[HEAD].result;
	CLEANUP(free_ptr) char *logs = NULL;

	/* Before cleanup, which may remove the programs. */
	compare_work(s);
	check_unchanged(s);
	check_kept(s);
	loop_free(s->loop);
	judge_idle(result, s->sides[HEAD].system.target.buf);
	head->runs_wanted = result->pairing.pairs_most;
	for (unsigned i = 0; i < SIDES; i++) {
		free(logs);
		logs = xstrdup(s->sides[i].out);
		strbuf_release(&s->starts[i].text);
		side_end(&s->sides[i], false);
		/* A folder is removed only if it holds no log. */
		rmdir(logs);
	}
	if (!head->failure && result->base.failure)
		setup_fail(head, "%s", result->base.failure);
	if (head->failure && s->run->pairs->confirming)
		NOTE(&result->head, "the pairs that were to confirm it ended: %s", head->failure);
	else if (head->failure && file_is_dir(logs))
		head->log_path = arena_strdup(&head->arena, logs);
	if (s->run->pairs->confirming)
		copy_notes(head, "", &result->head);
	copy_notes(&result->base, "base: ", &result->head);
	ports_release(&s->ports);
}

/* -------- all scenarios */

uint64_t pairs_seed(const struct request *request)
{
	uint32_t seed = 0;

	if (request->seed)
		return request->seed;
	/* 32 bits: short enough to retype, and exact in JSON. */
	while (!seed)
		if (getrandom(&seed, sizeof seed, 0) < 0 && errno != EINTR)
			seed = 1;
	return seed;
}

/* -------- how many pairs */

/* A session that is not open yet counts only with --budget. */
static uint64_t left(const struct pairs_run *r)
{
	uint64_t all = 0, spent = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct budget budget = r->sessions[i].budget;

		if (!budget.whole_ns && r->request->budget_ns)
			budget = budget_of(r->pairs, &r->jobs[i]);
		all += budget.whole_ns - budget.reserved_ns;
		spent += budget.measured_ns;
	}
	return all > spent ? all - spent : 0;
}

static unsigned next_look(const struct pair_session *s)
{
	const struct scenario_result *result = s->job->result;
	unsigned most = result->pairing.pairs_most;

	if (!pair_session_goes_on(s))
		return 0;
	if (s->run->pairs->to_the_end)
		return scenario_result_pairs(result) < most ? most : 0;
	if (s->job->explaining)
		return scenario_result_pairs(result) ? 0 : paired_first_look(result->pairing.gates);
	return judge_pairs_next_look(result);
}

static int measure_one(struct pair_session *s, unsigned pairs, uint64_t limit_ns, struct error *err)
{
	struct scenario_result *result = s->job->result;
	struct pairs_run *r = s->run;
	CLEANUP(free_ptr) char *words = NULL;
	const char *failure;
	bool open;
	size_t n;
	int ret;

	r->progress->at = (size_t)(s - r->sessions);
	progress_scenario(r->progress, result);
	ret = pair_session_measure(s, pairs, limit_ns, err);
	/* Measures at least one pair, whatever the budget. */
	if (ret == 0 && pairs && !scenario_result_pairs(result) && !result->pairing.identical.binary)
		ret = pair_session_measure(s, 1, 0, err);
	r->interrupted = ret < 0;

	failure = scenario_result_measured(result)->failure ?: result->base.failure;
	n = scenario_result_pairs(result);
	open = !failure && !r->interrupted && next_look(s);
	if (failure && s->job->only_head)
		words = xstrdup("the base cannot run it");
	else if (failure)
		words = text_printf("FAILED: %s", failure);
	else if (result->pairing.identical.binary)
		words = xstrdup("identical");
	else
		words = text_printf("%zu pair%s%s", n, n == 1 ? "" : "s", r->interrupted ? ", then interrupted" :
				    open ? ", undecided" : "");
	/* A log has one line of it, once it is decided or its budget ends. */
	progress_done(r->progress, result->name, open && !r->progress->terminal ? NULL : words);
	return ret;
}

/* To the first look at which S can regress, or to an earlier one that decides it. */
static int first_look(struct pair_session *s, uint64_t limit_ns, struct error *err)
{
	const struct scenario_result *result = s->job->result;
	size_t before, pairs = 0;

	do {
		before = pairs;
		if (measure_one(s, next_look(s), limit_ns > s->pairs_ns ? limit_ns - s->pairs_ns : 1, err) < 0)
			return -1;
		pairs = scenario_result_pairs(result);
	} while (pairs > before && pairs < paired_first_look(result->pairing.gates) && next_look(s) &&
		 s->pairs_ns < limit_ns);
	return 0;
}

static int count(struct pair_session *s, struct error *err)
{
	if (!pair_session_goes_on(s) || !scenario_result_pairs(s->job->result))
		return 0;
	return sides_simulate(s->loop, s->sides, SIDES, &s->budget, err);
}

/* All gates share the error, so their number must be known before the first look at any. */
static int learn_benchmarks(struct pairs_run *r, const struct pairs_job *jobs, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; i < r->n && ret == 0; i++) {
		struct pair_session *s = &r->sessions[i];
		uint64_t began_ns = clock_now_ns();

		if (jobs[i].head->harness.kind == HARNESS_NONE)
			continue;
		pair_session_open(s, r, &jobs[i]);
		progress_resume(r->progress, jobs[i].result);
		if (!pair_session_goes_on(s))
			continue;
		ret = loop_begin(s->loop, err);
		budget_spend(&s->budget.measured_ns, began_ns + loop_state(s->loop).setup_ns);
		ask(s, NULL, false);
		r->gates += benchmarks_gates(jobs[i].head, jobs[i].result);
	}
	r->gates = r->gates ?: 1;
	for (size_t i = 0; i < r->n; i++)
		jobs[i].result->pairing.gates = r->gates;
	return ret;
}

static int first_looks(struct pairs_run *r, const struct pairs_job *jobs, struct error *err)
{
	for (size_t i = 0; i < r->n; i++) {
		struct pair_session *s = &r->sessions[i];
		uint64_t limit_ns;
		bool counts;

		if (!s->job)
			pair_session_open(s, r, &jobs[i]);
		counts = r->pairs->confirming && judge_pairs_wants_counts(jobs[i].result);
		/* A verdict is worth more than its cause, so the first look may also have the time reserved for that. */
		limit_ns = r->request->budget_ns && r->n > 1 ? left(r) / (r->n - i) ?: 1 : s->budget.whole_ns;
		/* A confirmation simulates first, so that pairs for times do not use up its time. */
		if (counts && (measure_one(s, 1, 0, err) < 0 || count(s, err) < 0))
			return -1;
		if (first_look(s, limit_ns, err) < 0 || (!r->pairs->confirming && count(s, err) < 0))
			return -1;
	}
	return 0;
}

static double decision_ns(const struct pair_session *s)
{
	double missing = judge_pairs_missing(s->job->result);

	return isfinite(missing) ? missing * s->pair_ns : INFINITY;
}

static int soonest_first(const void *a, const void *b)
{
	const struct pair_session *s = *(const struct pair_session *const *)a, *t = *(const struct pair_session *const *)b;
	double x = decision_ns(s), y = decision_ns(t);

	/* Equal ones, and those that cannot be decided, keep their order. */
	return x == y ? (s > t) - (s < t) : (x > y) - (x < y);
}

/* Each round takes those that can be decided, soonest first, to their next look in an equal part of what is left. */
static int later_looks(struct pairs_run *r, struct error *err)
{
	CLEANUP(free_ptr) struct pair_session **chosen = xcalloc(r->n + 1, sizeof *chosen);
	bool any = true;

	while (any) {
		size_t n = 0, decidable = 0;

		for (size_t i = 0; i < r->n; i++)
			if (next_look(&r->sessions[i]))
				chosen[n++] = &r->sessions[i];
		qsort(chosen, n, sizeof *chosen, soonest_first);
		while (decidable < n && isfinite(decision_ns(chosen[decidable])))
			decidable++;
		if (decidable)
			n = decidable;

		any = false;
		for (size_t i = 0; i < n; i++) {
			struct pair_session *s = chosen[i];
			uint64_t share = left(r) / (n - i);
			size_t before = scenario_result_pairs(s->job->result);

			if (!share || (double)share < s->pair_ns)
				continue;
			if (measure_one(s, next_look(s), share, err) < 0)
				return -1;
			any = any || scenario_result_pairs(s->job->result) > before;
		}
	}
	return 0;
}

static void note_budgets(const struct pairs_run *r)
{
	uint64_t all_ns = 0;

	for (size_t i = 0; i < r->n; i++)
		all_ns += r->sessions[i].pairs_ns;
	for (size_t i = 0; i < r->n; i++) {
		const struct pair_session *session = &r->sessions[i];
		struct scenario_result *s = session->job->result;
		struct short_text budget = format_duration(r->request->budget_ns ?: session->job->head->measure.budget_ns);
		struct short_text spent = format_duration(session->pairs_ns);
		uint64_t left_ns = budget_to_follow(&session->budget);
		struct short_text left_over = left_ns < BUDGET_STEP_LEAST_NS ? format_short("which leaves the profile and the cause out") :
			format_short("and keeps %s for the profile and the cause", format_duration(left_ns).s);
		size_t pairs = scenario_result_pairs(s);

		CLEANUP(free_ptr) char *words = text_printf("%zu pairs, undecided", pairs);

		if (!next_look(session))
			continue;
		r->progress->at = i + 1;
		if (!r->progress->terminal)
			progress_done(r->progress, s->name, words);
		if (r->n == 1)
			NOTE(&s->head, "the budget of %s ended after %zu pair%s in %s, %s; --budget TIME raises it", budget.s, pairs,
			     pairs == 1 ? "" : "s", spent.s, left_over.s);
		else
			NOTE(&s->head, "the budget of %s a scenario is shared: it ended after %zu pairs of this one in "
			     "%s, %s for all %zu; --budget TIME raises it", budget.s, pairs, spent.s,
			     format_duration(all_ns).s, r->n);
	}
}

/* -------- profiles */

/* True for a regression. A refuted claim is one only if it also got worse. */
static bool is_worse(const struct gate *gate, const struct judgement *j)
{
	bool worse = gate->metric->higher_is_better ? j->high_pct < 0 : j->low_pct > 0;

	return j->verdict == VERDICT_REGRESSION && (worse || !gate->claim);
}

/* COUNTS: metrics that repeat exactly are included, of which one value shows it. */
static bool regressed(const struct pair_session *session, bool counts)
{
	struct scenario_result *s = session->job->result;
	bool confirming = session->run->pairs->confirming, any = false;

	for (size_t i = 0; i < s->n_gates && !any; i++) {
		const struct gate_result *g = &s->gates[i];
		bool repeats = g->gate.kind == GATE_METRIC && g->gate.relative && metric_repeats(g->gate.metric);
		struct judgement j = { 0 };

		if ((confirming && !judge_pairs_wants_confirming(s, g)) || !(repeats ? counts : judge_pair_applies(&g->gate)))
			continue;
		any = judge_pair(&g->gate, &j, s, session->run->machine) && is_worse(&g->gate, &j);
	}
	return any;
}

/* True if the stored symbols explain it as well as new ones would. */
static bool shares_are_judged(const struct pairs_job *job)
{
	const struct scenario_result *s = job->result;

	for (size_t i = 0; i < s->n_gates; i++)
		if (s->gates[i].gate.kind == GATE_SYMBOLS && job->accepted && profile_exists(&job->accepted->profile))
			return s->gates[i].stored.verdict == VERDICT_REGRESSION || s->gates[i].stored.verdict == VERDICT_PASS;
	return false;
}

static bool wants_evidence(const struct pair_session *s)
{
	const struct request *o = s->run->request;

	if (!pair_session_goes_on(s) || o->no_explain || s->run->pairs->to_the_end)
		return false;
	return o->explain || regressed(s, true);
}

static bool wants_profile(const struct pair_session *s)
{
	const struct pairs_run *r = s->run;
	bool no_profile = r->request->no_profile;
	const struct scenario *scenario = s->job->head;
	struct scenario_result *result = s->job->result;
	bool gated = (scenario->gates.symbols.on && !scenario->gates.symbols.by_default) || scenario->gates.n_budgets;
	bool lacks_shares = false;

	if (!pair_session_goes_on(s))
		return false;
	if (r->pairs->confirming) {
		/* The scenario's gate on symbols could not be compared with the stored ones. */
		for (size_t i = 0; i < result->n_gates && result->baseline_class; i++)
			lacks_shares |= result->gates[i].gate.kind == GATE_SYMBOLS &&
					result->gates[i].stored.verdict == VERDICT_NOT_MEASURED;
		return !no_profile && !scenario->profile.off && ((regressed(s, false) && !shares_are_judged(s->job)) || (gated && lacks_shares));
	}
	if (!recordings_wanted(scenario, no_profile, r->machine, &result->head))
		return false;
	if (regressed(s, false) || gated)
		return true;
	arena_push(&result->head.profile.arena, &result->head.profile.warnings, "no profile was taken: nothing regressed");
	return false;
}

/* -------- judging */

static void take_base(const struct pairs_run *r, const struct scenario_result *s, const char *now, struct baseline *out)
{
	const struct result around = {
		.date = now, .commit = s->base.commit, .pawl = PAWL_VERSION, .machine = *r->machine,
	};

	verdicts_to_baseline(&around, s, &s->base, out);
}

static void judge_by_evidence(struct scenario_result *s, const struct baseline *base, const struct evidence_search *evidence)
{
	const struct evidence *was = &evidence->found[BASE], *now = &evidence->found[HEAD];
	CLEANUP(surroundings_release) struct surroundings around = { 0 };
	struct cause_input input = { .base = was, .head = now, .changes = &evidence->changes, .benchmark = evidence->benchmark,
				     .iterations = evidence->iterations };

	surroundings_compare(was, now, &around);
	input.library = around.library;
	input.given = around.given;
	input.build = around.build;
	causes_find(s, base, &input);
	explain_leave_out(s, was->work.total > 0 && now->work.total > 0 && !now->work.per && !(was->work.timed && now->work.timed));
	found_lines(s, &input);
	arena_push_all(&s->arena, &s->evidence, &around.lines);
}

/* One that only one side has and the other cannot run is not the head's fault. */
static void judge_one(struct pairs_run *r, const struct pairs_job *job, const struct evidence_search *evidence)
{
	CLEANUP(free_ptr) char *now = utc_now();
	struct scenario_result *s = job->result;
	const char *failure = s->head.state == SCENARIO_FAILED && s->head.failure ? s->head.failure : "";
	struct baseline base;

	if (job->only_head && text_starts(failure, "base:")) {
		judge_excuse(s, "the base has no such scenario and cannot run it", true);
		return;
	}
	if (job->gone && text_starts(failure, "head:") && verdicts_excuses(s)) {
		judge_excuse(s, verdicts_gone, false);
		return;
	}
	if (job->only_head)
		NOTE(&s->head, "the base has no such scenario; its commands were run there all the same");
	take_base(r, s, now, &base);
	if (r->pairs->confirming && !profile_exists(&base.profile) && shares_are_judged(job))
		base.profile = profile_view(&job->accepted->profile);
	(r->pairs->confirming ? judge_pairs_confirm : judge_pairs)(s, r->machine, &base);
	if (r->pairs->confirming && job->accepted)
		explain_one_scenario(s, job->accepted);
	if (evidence->taken) {
		judge_by_evidence(s, &base, evidence);
		explain_by_causes(s);
	}
	baseline_release(&base);
}

static void ask_worst(struct pair_session *s)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	const struct harness *harness = &s->job->head->harness;
	struct side_result *head = &s->job->result->head;
	const struct metric *worst = benchmarks_worst(s->job->result, s->run->machine);
	bool alone = worst && harness_runs_some(harness);

	if (alone)
		strv_push(&names, worst->name);
	s->evidence.benchmark = worst;
	s->evidence.iterations = ask(s, alone ? &names : NULL, alone);
	if (alone && !s->evidence.iterations)
		arena_push_new(&head->arena, &head->notes,
			       arena_printf(&head->arena, "the cause was looked for in %s alone, which runs for a given time: costs are those of "
					    "such runs, in which the slower side makes fewer iterations", worst->name));
}

/* With services takes one look, since each would start them again. */
static int profile_session(struct pair_session *s, struct error *err)
{
	CLEANUP(free_ptr) char *now = utc_now();
	const struct scenario *scenario = s->job->head;
	bool looks = scenario->target_kind == TARGET_COMMAND && !scenario->n_services;
	uint64_t start = clock_now_ns(), limit_ns = budget_to_follow(&s->budget) / (wants_evidence(s) ? 3 : 1);
	struct baseline base;
	int ret;

	take_base(s->run, s->job->result, now, &base);
	ask_worst(s);
	ret = recordings_take(&(struct recordings_wish){ s->loop, s->sides, SIDES, limit_ns, s->job->result, looks ? &base : NULL }, err);
	for (unsigned i = 0; i < SIDES && ret == 0; i++)
		recordings_leave(&s->sides[i]);
	baseline_release(&base);
	budget_spend(&s->budget.followed_ns, start);
	return ret;
}

static int explain_session(struct pair_session *s, struct error *err)
{
	uint64_t left_ns = budget_to_follow(&s->budget), start = clock_now_ns();
	int ret;

	if (left_ns < BUDGET_STEP_LEAST_NS) {
		NOTE(&s->job->result->head, "the cause was not looked for: no time was left for it; --budget TIME gives it some");
		return 0;
	}
	ask_worst(s);
	s->evidence.until_ns = start + left_ns;
	find_changes(s);
	ret = loop_evidence(s->loop, err);
	s->evidence.taken = ret == 0;
	budget_spend(&s->budget.followed_ns, start);
	return ret;
}

static int follow(struct pairs_run *r, bool (*wants)(const struct pair_session *), int (*take)(struct pair_session *, struct error *),
		  struct error *err)
{
	int ret = 0;

	for (size_t i = 0; i < r->n && ret == 0; i++) {
		struct pair_session *s = &r->sessions[i];

		if (!wants(s) || !scenario_result_pairs(s->job->result))
			continue;
		r->progress->at = i + 1;
		progress_resume(r->progress, s->job->result);
		ret = take(s, err);
	}
	return ret;
}

static void finish(struct pairs_run *r, const struct pairs_job *jobs)
{
	for (size_t i = 0; i < r->n; i++) {
		struct measured_side *sides = r->sessions[i].sides;

		r->progress->at = i + 1;
		progress_resume(r->progress, jobs[i].result);
		/* A session that never began has two sides too, without runs. */
		if (r->sessions[i].job)
			pair_session_close(&r->sessions[i]);
		else
			begin_pairing(r, &jobs[i]);
		jobs[i].result->pairing.ended = true;
		benchmarks_note(jobs[i].head, jobs[i].result);
		judge_one(r, &jobs[i], &r->sessions[i].evidence);
		evidence_end(&r->sessions[i].evidence);
		if (budget_to_follow(&r->sessions[i].budget) || !sides[HEAD].recorded.pruned.n_events)
			pictures_compare_sides(r->pairs->run->result.out_dir, &sides[BASE].recorded.pruned, &sides[HEAD].recorded.pruned,
					       jobs[i].result);
		else
			NOTE(&jobs[i].result->head, "there is no picture of the difference (diff.svg): the budget was over; --budget TIME raises it");
		for (unsigned k = 0; k < SIDES; k++)
			stacks_release(&sides[k].recorded.pruned);
	}
}

/* -------- the trees */

static void find_trees(struct pairs_run *out)
{
	const struct pairs *pairs = out->pairs;
	struct git *git = &out->request->git;
	char *roots[] = { xstrdup(pairs->base.root), xstrdup(pairs->head.root), xstrdup(pairs->project ?: pairs->head.root) };
	CLEANUP(free_ptr) char *base_path = realpath(pairs->base.root, NULL), *head_path = realpath(pairs->head.root, NULL);
	const char *base = pairs->base.commit, *head = pairs->head.commit;
	CLEANUP(free_ptr) char *here = base && !head ? git_commit(git, pairs->head.root) : NULL;
	CLEANUP(free_ptr) char *prefix = NULL;
	bool one = base_path && head_path && !strcmp(base_path, head_path);
	size_t n = sizeof roots / sizeof roots[0], len = 0;

	/* A project that is a folder of its repository may be built outside its folder. */
	if (!one && git_prefix(git, roots[0], &prefix, NULL) == 0)
		len = strlen(prefix);
	for (size_t i = 0; i < n && len; i++) {
		CLEANUP(free_ptr) char *other = NULL;
		size_t root = strlen(roots[i]);

		if (git_prefix(git, roots[i], &other, NULL) < 0 || strcmp(other, prefix) || root <= len ||
		    strncmp(roots[i] + root - len + 1, prefix, len - 1))
			len = 0;
	}
	for (size_t i = 0; i < n && len; i++)
		roots[i][strlen(roots[i]) - len] = '\0';

	for (unsigned i = 0; i < SIDES; i++)
		tree_map_init(&out->maps[i], roots[i], (const char *const *)roots, one ? 0 : n);
	/* Or git sees no difference between them. */
	out->same = one || (base && head && !strcmp(base, head)) ||
		    (here && !strchr(here, '+') && text_starts(base, here));
	for (size_t i = 0; i < n; i++)
		free(roots[i]);
}

int pairs_measure(const struct pairs *pairs, const struct pairs_job *jobs, size_t n, struct error *err)
{
	CLEANUP(free_ptr) struct pair_session *sessions = xcalloc(n + 1, sizeof *sessions);
	struct lifecycle *run = pairs->run;
	struct pairs_run r = { .pairs = pairs, .request = run->request, .progress = &run->progress, .machine = &run->session.machine,
			       .jobs = jobs, .sessions = sessions, .n = n, .gates = pairs->gates };
	int ret;

	clock_gettime(CLOCK_REALTIME, &r.began);
	find_trees(&r);
	ret = learn_benchmarks(&r, jobs, err);
	if (ret == 0)
		ret = first_looks(&r, jobs, err);
	if (ret == 0 && !pairs->to_the_end)
		ret = later_looks(&r, err);
	if (ret == 0 && !pairs->to_the_end)
		note_budgets(&r);
	if (ret == 0)
		ret = follow(&r, wants_profile, profile_session, err);
	if (ret == 0)
		ret = follow(&r, wants_evidence, explain_session, err);
	finish(&r, jobs);
	progress_pause(r.progress);
	for (unsigned i = 0; i < SIDES; i++)
		tree_map_release(&r.maps[i]);
	return ret;
}
