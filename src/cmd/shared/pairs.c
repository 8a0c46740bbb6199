#include "cmd/shared/shared.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/mem.h"
#include "judge/judge.h"
#include "measure/git/git.h"
#include "measure/perf/perf.h"
#include "measure/process/process.h"
#include "measure/services/services.h"
#include "scenario/scenario.h"

/*
 * One scenario of a comparison in pairs: the plans of both sides, the loop over them, what is made of it.
 *
 *	pair_session_open() -> pair_session_measure() as often as wanted -> pair_session_profile() -> pair_session_close()
 *
 * What fails is told in the job's result; -1 only when interrupted.
 */

enum { BASE, HEAD, SIDES };

/* Where both sides find their files; all sessions of a comparison share it. */
struct pair_trees {
	struct tree_map maps[SIDES];
	bool same;	/* one tree, or two of one commit: what both sides run may be one program */
};

struct pair_session {
	const struct pairs *pairs;
	const struct pairs_job *job;
	const struct pair_trees *trees;
	struct measured_side sides[SIDES];	/* their results are the job's */
	struct ports ports;		/* of both sides: none is given twice */
	struct loop *loop;		/* NULL: it could not be begun */
	uint64_t spent_ns;
};

/* -------- one scenario in pairs */

/* -------- the plans */

struct side_ports {
	struct ports *ports;
	const char *side;
};

/* One name means a port of its own on each side: both may be up at once. */
static int port_of_side(void *ctx, const char *name, struct error *err)
{
	const struct side_ports *of = ctx;
	CLEANUP(strbuf_release) struct strbuf full = STRBUF_INIT;

	strbuf_addf(&full, "%s:%s", of->side, name);
	return ports_get(of->ports, full.buf, err);
}

static char *place_text(void *map, const char *text)
{
	return tree_map_text(map, text);
}

/* A shell would set PWD itself; without one it would be that of whoever started pawl, on both sides. */
static void place_environment(const struct tree_map *map, struct plan *plan, const char *cwd, const struct strv *only,
			      struct strv *environment)
{
	tree_map_environment(map, only, &plan->arena, environment);
	arena_pushf(&plan->arena, environment, "PWD=%s", cwd);
}

static int plan_side(struct pair_session *s, unsigned at, struct error *err)
{
	CLEANUP(strv_release) struct strv passed = STRV_INIT;
	const struct tree_map *map = &s->trees->maps[at];
	struct measured_side *side = &s->sides[at];
	struct side_ports ports = { &s->ports, at == BASE ? "base" : "head" };
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
	code_own_programs(plan, map);
	side->result->executable = code_identity(plan);
	return 0;
}

static size_t bytes_of(const struct strv *texts)
{
	size_t bytes = 0;

	for (size_t i = 0; i < texts->n; i++)
		bytes += strlen(texts->items[i]);
	return bytes;
}

/* What a process begins with on its stack that depends on its side: its words, its environment, the program's path. */
static size_t stack_bytes(const struct strv *argv, const struct strv *environment, const struct plan *plan)
{
	const char *word = argv->n ? argv->items[0] : "";
	CLEANUP(free_ptr) char *program = strchr(word, '/') ? xstrdup(word) : code_program(plan, word);

	return bytes_of(argv) + bytes_of(environment) + (program ? strlen(program) : 0);
}

static void pad(struct arena *arena, struct strv *environment, size_t own, size_t other)
{
	CLEANUP(strbuf_release) struct strbuf variable = STRBUF_INIT;

	strbuf_adds(&variable, "PAWL_PAD=");
	strbuf_pad(&variable, 'x', other > own ? other - own : 0);
	arena_push(arena, environment, variable.buf);
}

/* Their size moves the stack, and with it times: neither side's folder may tell. */
static void even_out(struct plan *base, struct plan *head)
{
	size_t base_bytes = stack_bytes(&base->target, &base->environment, base);
	size_t head_bytes = stack_bytes(&head->target, &head->environment, head);

	pad(&base->arena, &base->environment, base_bytes, head_bytes);
	pad(&head->arena, &head->environment, head_bytes, base_bytes);
	for (size_t i = 0; i < base->n_services && i < head->n_services; i++) {
		struct plan_service *b = &base->services[i], *h = &head->services[i];

		base_bytes = stack_bytes(&b->command, &b->environment, base);
		head_bytes = stack_bytes(&h->command, &h->environment, head);
		pad(&base->arena, &b->environment, base_bytes, head_bytes);
		pad(&head->arena, &h->environment, head_bytes, base_bytes);
	}
}

/* -------- the loop */

static char *out_folder(const struct pairs *pairs, const char *scenario, unsigned at)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s%s", pairs->out_dir, scenario, at == BASE ? "/base" : "");
	return strbuf_take(&path);
}

static char *tmp_folder(const struct pairs *pairs, const char *scenario, unsigned at)
{
	struct strbuf path = STRBUF_INIT;

	/* Of one length, as the words of a command are that name it. */
	strbuf_addf(&path, "%s/%s.%s", pairs->session->scratch, scenario, at == BASE ? "base" : "head");
	return strbuf_take(&path);
}

static void begin_pairing(const struct pairs *pairs, const struct pairs_job *job)
{
	struct scenario_result *result = job->result;
	struct side_result *head;

	scenario_result_pair(result, pairs->confirming);
	head = scenario_result_measured(result);
	result->base.label = xstrdup(pairs->base.label);
	result->base.commit = xstrdup(pairs->base.commit);
	head->label = xstrdup(pairs->head.label);
	head->commit = xstrdup(pairs->head.commit);
	result->pairing.seed = pairs->seed;
	result->pairing.gates = pairs->gates;
	result->pairing.pairs_most = pairs->pairs_most ? pairs->pairs_most : PAIRS_MOST;
	result->pairing.floor_pct = job->head->measure.floor_pct;
}

/*
 * Programs are there once setup has built them, so this is asked again after the first pairs; where there is no setup, before
 * them, so that none are measured in vain.
 */
static void compare_programs(struct pair_session *s)
{
	struct pairing *pairing = &s->job->result->pairing;
	const char *accepted = s->job->accepted, *now = s->sides[HEAD].result->executable;
	struct code_side sides[SIDES];

	/* Of one commit, and yet another program was accepted: it was replaced from elsewhere. */
	if (s->trees->same && !(accepted && now && strcmp(accepted, now)))
		return;
	for (unsigned i = 0; i < SIDES; i++)
		sides[i] = (struct code_side){ &s->sides[i].plan, &s->trees->maps[i], s->sides[i].out, s->sides[i].tmp };
	free(pairing->one_program);
	pairing->one_program = code_shared(&sides[BASE], &sides[HEAD]);
}

/* OUT and TREES must stay where they are until it is closed. */
static void pair_session_open(struct pair_session *out, const struct pairs *pairs, const struct pair_trees *trees,
		       const struct pairs_job *job)
{
	struct scenario_result *result = job->result;
	struct loop_options options = { .seed = pairs->seed, .services = loop_services(job->head) };
	struct error why = ERROR_INIT;
	struct measured_side *sides = out->sides;

	begin_pairing(pairs, job);
	options.wanted = result->pairing.pairs_most;
	*out = (struct pair_session){ .pairs = pairs, .job = job, .trees = trees };
	for (unsigned i = 0; i < SIDES; i++) {
		const struct scenario *scenario = i == BASE ? job->base : job->head;

		sides[i] = (struct measured_side){
			.scenario = scenario, .root = i == BASE ? pairs->base.root : pairs->head.root,
			.result = i == BASE ? &result->base : scenario_result_measured(result),
			.out = out_folder(pairs, scenario->name, i), .tmp = tmp_folder(pairs, scenario->name, i),
		};
		side_begin(&sides[i], pairs->session, pairs->progress);
		setup_describe_side(scenario, sides[i].result);
	}
	for (unsigned i = 0; i < SIDES; i++)
		if (setup_need_programs(sides[i].scenario, sides[i].root, sides[i].result) < 0)
			return;
	if (loop_refuse_pairs(job->head, &why) < 0 || plan_side(out, BASE, &why) < 0 || plan_side(out, HEAD, &why) < 0) {
		setup_fail(sides[HEAD].result, "%s", why.msg);
		return;
	}
	even_out(&sides[BASE].plan, &sides[HEAD].plan);
	if (!job->head->setup.argv.n && !job->head->prepare.argv.n)
		compare_programs(out);
	out->loop = sides_loop(sides, SIDES, &options);
}

/* For one that is not begun any more, so that it too has its two sides, without runs. */
static void pair_session_skip(const struct pairs *pairs, const struct pairs_job *job)
{
	begin_pairing(pairs, job);
	job->result->pairing.ended = true;
}

/* -------- measuring */

static const char *const services_words[] = {
	[PAIR_SERVICES_BESIDE] = "started anew for each pair, side by side", [PAIR_SERVICES_AFRESH] = "started anew for each window",
};

static void keep_state(struct pair_session *s)
{
	struct pairing *pairing = &s->job->result->pairing;
	struct loop_state state = loop_state(s->loop);

	pairing->batch = state.batch ? state.batch : 1;
	pairing->dropped = state.dropped;
	pairing->rerun = state.rerun;
	if (!pairing->services && services_words[state.services])
		pairing->services = xstrdup(services_words[state.services]);
}

/* True when more pairs can be measured. */
static bool pair_session_goes_on(const struct pair_session *session)
{
	return session->loop && !loop_failed(session->loop);
}

/* Until there are PAIRS of them, or LIMIT_NS (0: none) has passed. */
static int pair_session_measure(struct pair_session *s, unsigned pairs, uint64_t limit_ns, struct error *err)
{
	uint64_t start = clock_now_ns();
	int ret;

	if (!pair_session_goes_on(s))
		return 0;
	ret = loop_measure(s->loop, pairs, limit_ns ? start + limit_ns : 0, err);
	s->spent_ns += clock_now_ns() - start;
	keep_state(s);
	compare_programs(s);
	return ret;
}

static int pair_session_simulate(struct pair_session *s, struct error *err)
{
	if (!pair_session_goes_on(s) || !scenario_result_pairs(s->job->result) || s->pairs->confirming)
		return 0;
	return loop_simulate(s->loop, err);
}

/* Simulated values, where the scenario wants them and no loop has failed. */
static int pair_session_profile(struct pair_session *s, struct error *err)
{
	if (!pair_session_goes_on(s) || !scenario_result_pairs(s->job->result))
		return 0;
	if (loop_profile(s->loop, err) < 0)
		return -1;
	for (unsigned i = 0; i < SIDES; i++)
		side_profiled(&s->sides[i]);
	return 0;
}

/* -------- the end */

static void copy_notes(const struct side_result *from, const char *side, struct side_result *to)
{
	for (size_t i = 0; i < from->notes.n; i++)
		if (!strv_has(&to->notes, from->notes.items[i]))
			strv_pushf(&to->notes, "%s%s", side, from->notes.items[i]);
}

/* Ends what is up. The head gets the failure and the notes of the base. The pruned stacks stay. */
static void pair_session_close(struct pair_session *s)
{
	struct scenario_result *result = s->job->result;
	struct side_result *head = s->sides[HEAD].result;
	bool has_logs = false;

	loop_free(s->loop);
	result->pairing.ended = true;
	head->runs_wanted = result->pairing.pairs_most;
	for (unsigned i = 0; i < SIDES; i++) {
		/* A folder that can be removed holds no log to point at. */
		CLEANUP(free_ptr) char *folder = xstrdup(s->sides[i].out);

		side_end(&s->sides[i], false);
		rmdir(folder);
		has_logs = file_is_dir(folder);
	}
	if (!head->failure && result->base.failure)
		setup_fail(head, "%s", result->base.failure);
	if (head->failure && s->pairs->confirming)
		strv_pushf(&result->head.notes, "the pairs that were to confirm it ended: %s", head->failure);
	else if (head->failure && has_logs)
		head->log_path = out_folder(s->pairs, result->name, HEAD);
	if (s->pairs->confirming)
		copy_notes(head, "", &result->head);
	copy_notes(&result->base, "base: ", &result->head);
	ports_release(&s->ports);
}

/* -------- builds of both sides */

char *builds_label(const char *ref, const char *commit)
{
	struct strbuf label = STRBUF_INIT;

	if (ref && strncmp(ref, commit, strlen(ref)))
		strbuf_addf(&label, "%s (%.*s)", ref, COMMIT_SHOWN, commit);
	else
		strbuf_addf(&label, "%.*s", COMMIT_SHOWN, commit);
	return strbuf_take(&label);
}

/* `build:` of the pawl.yaml that SOURCE has: 1, 0 where it has none, 2 where it is at fault, -1. */
static int build_in(struct file_source *source, struct arena *arena, struct command *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	CLEANUP(config_release) struct config config = { 0 };
	int got;

	if (file_source_read(source, "pawl.yaml", SCENARIO_LARGEST, &text, err) < 0)
		return -1;
	config_init(&config);
	got = config_parse(text.buf, text.len, "pawl.yaml", &config, &diags) < 0 ? 2 : config.build.argv.n > 0;
	if (got == 1)
		command_copy(arena, out, &config.build);
	return got;
}

static int build_of(void *ctx, const char *commit, struct arena *arena, struct command *out, struct error *err)
{
	struct builds *builds = ctx;
	CLEANUP(file_source_release) struct file_source source = { 0 };
	int got;

	if (file_source_commit(&source, &builds->inv->git, builds->project->root, commit, err) < 0)
		return -1;
	got = build_in(&source, arena, out, err);
	if (got < 0)
		return -1;
	/* One that cannot be read, perhaps of a newer pawl, builds as the project at hand does. */
	if (got != 1)
		command_copy(arena, out, &builds->project->config.build);
	return 0;
}

static void builds_say(void *ctx, const char *what, const char *commit)
{
	const struct builds *builds = ctx;

	cmd_message(builds->inv, "%s %.12s\n", what, commit);
}

void builds_init(struct builds *out, struct project *project, struct invocation *inv, const char *scratch, const char *logs)
{
	*out = (struct builds){
		.project = project, .inv = inv,
		.trees = {
			.git = &inv->git, .root = project->root, .scratch = scratch, .logs = logs,
			.progress = builds_say, .build_of = build_of, .ctx = out,
		},
	};
}

int builds_resolve(struct builds *builds, const char *option, const char *ref, char **out, struct error *err)
{
	CLEANUP(free_ptr) char *git = file_find_program("git", builds->project->root);

	if (!git)
		return error_set(err, ERR_INPUT, "%s %.100s: git is not installed (sudo apt-get install git)", option, ref);
	if (git_resolve(&builds->inv->git, builds->project->root, ref, out, err) == 0)
		return 0;
	return error_wrap(err, "%s", option);
}

int builds_working_tree(struct builds *builds, const char *root, struct error *err)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct command build = { 0 };
	CLEANUP(file_source_release) struct file_source source = { 0 };
	CLEANUP(free_ptr) char *log = file_join(builds->trees.logs, "build-head.log");
	int got;

	/* How a tree is built is its own affair, whoever judges what came of it. */
	file_source_folder(&source, root);
	got = build_in(&source, &arena, &build, err);
	if (got == 2)
		return error_set(err, ERR_INPUT, "pawl.yaml in %s is at fault, and build: cannot be read; `pawl check` says where", root);
	if (got <= 0)
		return got;
	cmd_message(builds->inv, "building the working tree\n");
	return trees_build(&builds->trees, root, &build, log, err);
}

/* -------- all scenarios */

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
	unsigned most = result->pairing.pairs_most;

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
	const char *failure = scenario_result_measured(result)->failure ?: result->base.failure;
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
			strv_pushf(&s->head.notes, "the budget of %.4g s ended after %zu pairs in %.3g s; --budget TIME raises it", budget_s, pairs,
				   spent_s);
		else
			strv_pushf(&s->head.notes, "the budget of %.4g s a scenario is shared: it ended after %zu pairs of this one in %.3g s, "
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
		if (s->gates[i].gate.kind == GATE_SYMBOLS && s->gates[i].stored.verdict == VERDICT_NOT_MEASURED)
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
	if (!profiling_wanted(s->job->head, &options, r->machine, &result->head))
		return false;
	if (regressed(r, result) || gates_profile(s->job->head))
		return true;
	strv_push(&result->head.profile.warnings, "no profile was taken: nothing regressed");
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
static void as_baseline(const struct pairs_run *r, const struct scenario_result *s, struct baseline *out)
{
	CLEANUP(free_ptr) char *now = utc_now(), *pawl = xstrdup(PAWL_VERSION);
	struct result around = { .date = now, .commit = s->base.commit, .pawl = pawl, .machine = *r->machine };

	results_to_baseline(&around, s, &s->base, out);
}

static bool failed(const struct scenario_result *s, const char *side)
{
	return s->head.state == SCENARIO_FAILED && s->head.failure && !strncmp(s->head.failure, side, strlen(side));
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
	if (job->gone && failed(s, "head:") && verdicts_excuses(s)) {
		judge_excuse(s, verdicts_gone, false);
		return;
	}
	if (job->only_head)
		strv_push(&s->head.notes, "the base has no such scenario; its commands were run there all the same");
	as_baseline(r, s, &base);
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
		accepted_stacks_compare_sides(r->pairs->report_dir ?: r->pairs->out_dir, &r->sessions[i].sides[BASE].pruned,
					      &r->sessions[i].sides[HEAD].pruned, jobs[i].result);
		for (unsigned k = 0; k < SIDES; k++)
			stacks_release(&r->sessions[i].sides[k].pruned);
	}
}

/* -------- the trees */

/* How deep ROOT lies in its repository ("sub/"), "" outside of any; for free(). */
static char *prefix_of(const struct pairs *pairs, const char *root)
{
	char *prefix = NULL;

	return git_prefix(&pairs->inv->git, root, &prefix, NULL) == 0 ? prefix : xstrdup("");
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
	CLEANUP(free_ptr) char *here = base && !head ? git_commit(&pairs->inv->git, pairs->head.root) : NULL;

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
	for (unsigned i = 0; i < SIDES; i++)
		tree_map_init(&out->maps[i], roots[i], (const char *const *)roots, one ? 0 : n);
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
	for (unsigned i = 0; i < SIDES; i++)
		tree_map_release(&r.trees.maps[i]);
	return ret;
}
