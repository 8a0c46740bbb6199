#include "cmd/pair_session.h"

#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "cmd/code.h"
#include "cmd/scene.h"
#include "gate/paired.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "measure/simulate.h"

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

static int make_folders(const struct pair_half *half, struct error *err)
{
	if (file_make_dirs(half->out, err) < 0 || file_make_dirs(half->tmp, err) < 0)
		return -1;
	return scene_give_to_users(half->scenario, half->tmp, err);
}

static char *place_text(void *map, const char *text)
{
	return tree_map_text(map, text);
}

/* A shell would set PWD itself; without one it would be that of whoever started pawl, on both sides. */
static void place_environment(struct pair_half *half, const char *cwd, const struct strv *only, struct strv *environment)
{
	tree_map_environment(half->map, only, &half->plan.arena, environment);
	arena_pushf(&half->plan.arena, environment, "PWD=%s", cwd);
}

static void place_environments(struct pair_half *half)
{
	CLEANUP(strv_release) struct strv passed = STRV_INIT;
	struct plan *plan = &half->plan;

	child_variables(&half->scenario->target_pass, &passed);
	place_environment(half, plan->cwd, &passed, &plan->environment);
	place_environment(half, plan->root, NULL, &plan->commands_environment);
	place_environment(half, plan->root, NULL, &plan->load_environment);
	for (size_t i = 0; i < plan->n_services; i++)
		place_environment(half, plan->services[i].cwd, NULL, &plan->services[i].environment);
	code_own_programs(plan, half->map);
}

static int plan_half(struct pair_session *s, struct pair_half *half, const char *name, struct error *err)
{
	CLEANUP(free_ptr) char *folder = scene_folder(half->scenario, half->side->root);
	struct side_ports ports = { &s->ports, name };
	struct plan_context context = {
		.root = half->side->root, .scenario_dir = folder, .out = half->out, .tmp = half->tmp,
		.port = port_of_side, .ctx = &ports, .place = place_text, .places = (void *)half->map,
	};

	if (make_folders(half, err) < 0 || plan_build(half->scenario, &context, &half->plan, err) < 0)
		return -1;
	place_environments(half);
	half->measured->executable = code_identity(&half->plan);
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

static int make_plans(struct pair_session *s, struct error *err)
{
	if (plan_half(s, &s->base, "base", err) < 0)
		return error_wrap(err, "base");
	if (plan_half(s, &s->head, "head", err) < 0) {
		plan_release(&s->base.plan);
		return error_wrap(err, "head");
	}
	s->planned = true;
	even_out(&s->base.plan, &s->head.plan);
	return 0;
}

/* -------- the loop */

static char *out_folder(const struct pairs *pairs, const char *scenario, bool base)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s%s", pairs->out_dir, scenario, base ? "/base" : "");
	return strbuf_take(&path);
}

static char *tmp_folder(const struct pairs *pairs, const char *scenario, bool base)
{
	struct strbuf path = STRBUF_INIT;

	/* Of one length, as the words of a command are that name it. */
	strbuf_addf(&path, "%s/%s.%s", pairs->rig->scratch, scenario, base ? "base" : "head");
	return strbuf_take(&path);
}

static void begin_half(struct pair_half *half, const struct pairs *pairs, const struct pairs_side *side,
		       const struct tree_map *map, const struct scenario *scenario, struct scenario_result *measured)
{
	bool base = side == &pairs->base;

	half->side = side;
	half->map = map;
	half->scenario = scenario;
	half->measured = measured;
	half->out = out_folder(pairs, scenario->name, base);
	half->tmp = tmp_folder(pairs, scenario->name, base);
	half->live = (struct live){
		.rig = pairs->rig, .log_dir = half->out, .words = STRBUF_INIT, .target = STRBUF_INIT,
		.progress = progress_step, .progress_ctx = pairs->progress,
	};
	scene_describe_side(scenario, measured);
}

static struct pairing *begin_pairing(const struct pairs *pairs, const struct pairs_job *job)
{
	struct pairing *pairing = scenario_result_pair(job->result);

	pairing->base.label = xstrdup(pairs->base.label);
	pairing->base.commit = xstrdup(pairs->base.commit);
	pairing->head.label = xstrdup(pairs->head.label);
	pairing->head.commit = xstrdup(pairs->head.commit);
	pairing->seed = pairs->seed;
	pairing->gates = pairs->gates;
	pairing->pairs_most = pairs->pairs_most ? pairs->pairs_most : PAIRS_MOST;
	pairing->floor_pct = job->head->measure.floor_pct;
	pairing->confirming = pairs->confirming;
	return pairing;
}

static struct loop_side side_of(struct pair_half *half, const char *name)
{
	return (struct loop_side){
		.name = name, .plan = &half->plan, .ops = live_ops(&half->live), .result = half->measured,
	};
}

static void begin_loop(struct pair_session *s)
{
	const struct pairs *pairs = s->pairs;
	const struct machine *machine = &pairs->rig->machine;
	const struct scenario *scenario = s->job->head;
	const struct loop_side sides[] = { side_of(&s->base, "base"), side_of(&s->head, "head") };
	struct loop_options options = {
		.seed = pairs->seed,
		.counters = scenario->measure.counters == COUNTERS_SIM ? 0 : machine->counters,
		.perf = machine->tier != TIER_SIM,
		.simulate = scene_wants_simulation(scenario, machine) && simulate_available(),
		.services = loop_services(scenario),
		.wanted = s->job->result->pairing->pairs_most,
	};

	s->base.live.profile = profiling_wish(&s->base.profiling, s->base.scenario, s->base.out);
	s->head.live.profile = profiling_wish(&s->head.profiling, s->head.scenario, s->head.out);
	s->loop = loop_new(sides, 2, &options);
}

/*
 * Programs are there once setup has built them, so this is asked again after the first pairs; where there is no setup, before
 * them, so that none are measured in vain.
 */
static void compare_programs(struct pair_session *s)
{
	const struct code_side base = { &s->base.plan, s->base.map, s->base.out, s->base.tmp };
	const struct code_side head = { &s->head.plan, s->head.map, s->head.out, s->head.tmp };
	struct pairing *pairing = s->job->result->pairing;
	const char *accepted = s->job->accepted, *now = s->head.measured->executable;

	/* Of one commit, and yet another program was accepted: it was replaced from elsewhere. */
	if (s->trees->same && !(accepted && now && strcmp(accepted, now)))
		return;
	free(pairing->one_program);
	pairing->one_program = code_shared(&base, &head);
}

void pair_session_open(struct pair_session *out, const struct pairs *pairs, const struct pair_trees *trees,
		       const struct pairs_job *job)
{
	struct pairing *pairing = begin_pairing(pairs, job);
	struct error why = ERROR_INIT;

	*out = (struct pair_session){ .pairs = pairs, .job = job, .trees = trees };
	begin_half(&out->base, pairs, &pairs->base, &trees->base, job->base, pairing->base.measured);
	begin_half(&out->head, pairs, &pairs->head, &trees->head, job->head, pairing->head.measured);
	if (scene_need_programs(job->base, pairs->base.root, pairing->base.measured) == 0 &&
	    scene_need_programs(job->head, pairs->head.root, pairing->head.measured) == 0 &&
	    (loop_refuse_pairs(job->head, &why) < 0 || make_plans(out, &why) < 0))
		scene_fail(pairing->head.measured, "%s", why.msg);
	if (!out->planned)
		return;
	if (!job->head->setup.argv.n && !job->head->prepare.argv.n)
		compare_programs(out);
	begin_loop(out);
}

void pair_session_skip(const struct pairs *pairs, const struct pairs_job *job)
{
	begin_pairing(pairs, job)->ended = true;
}

/* -------- measuring */

static const char *const services_words[] = {
	[PAIR_SERVICES_BESIDE] = "started anew for each pair, side by side", [PAIR_SERVICES_AFRESH] = "started anew for each window",
};

static void keep_state(struct pair_session *s)
{
	struct pairing *pairing = s->job->result->pairing;
	struct loop_state state = loop_state(s->loop);

	pairing->batch = state.batch ? state.batch : 1;
	pairing->dropped = state.dropped;
	pairing->rerun = state.rerun;
	if (!pairing->services && services_words[state.services])
		pairing->services = xstrdup(services_words[state.services]);
}

bool pair_session_goes_on(const struct pair_session *session)
{
	return session->loop && !loop_failed(session->loop);
}

int pair_session_measure(struct pair_session *s, unsigned pairs, uint64_t limit_ns, struct error *err)
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

int pair_session_simulate(struct pair_session *s, struct error *err)
{
	if (!pair_session_goes_on(s) || !scenario_result_pairs(s->job->result) || s->pairs->confirming)
		return 0;
	return loop_simulate(s->loop, err);
}

int pair_session_profile(struct pair_session *s, struct error *err)
{
	if (!pair_session_goes_on(s) || !scenario_result_pairs(s->job->result))
		return 0;
	if (loop_profile(s->loop, err) < 0)
		return -1;
	profiling_finish(&s->base.profiling, &s->base.live.taken, s->base.measured);
	profiling_finish(&s->head.profiling, &s->head.live.taken, s->head.measured);
	return 0;
}

/* -------- the end */

static void end_half(struct pair_session *s, struct pair_half *half)
{
	live_finish(&half->live);
	if (s->planned)
		plan_release(&half->plan);
	file_remove_tree(half->tmp, NULL);
	/* A folder that can be removed holds no log to point at. */
	rmdir(half->out);
	free(half->tmp);
	free(half->out);
}

/* The head's runs are the scenario's own in a comparison of pairs alone. */
static void copy_runs(const struct scenario_result *from, struct scenario_result *to)
{
	for (size_t c = 0; c < from->n_metrics; c++)
		scenario_result_column(to, scenario_result_metric(to, from->metrics[c]->name));
	for (size_t i = 0; i < from->n_runs; i++) {
		struct run *run = scenario_result_add_run(to);

		run->pass = from->runs[i].pass;
		run->first = from->runs[i].first;
		for (size_t c = 0; c < from->n_metrics; c++)
			run->values[scenario_result_column(to, scenario_result_metric(to, from->metrics[c]->name))] =
				from->runs[i].values[c];
	}
}

static void copy_notes(const struct scenario_result *from, const char *side, struct scenario_result *to)
{
	for (size_t i = 0; i < from->notes.n; i++)
		if (!strv_has(&to->notes, from->notes.items[i]))
			strv_pushf(&to->notes, "%s%s", side, from->notes.items[i]);
}

/* Either side's failure is told in both; where none began, in the one that could not. */
static void copy_failure(struct pair_session *s, struct scenario_result *to)
{
	const struct scenario_result *from = s->head.measured->failure ? s->head.measured : s->base.measured;
	CLEANUP(free_ptr) char *folder = out_folder(s->pairs, to->name, false);

	if (s->pairs->confirming) {
		if (from->failure)
			strv_pushf(&to->notes, "the pairs that were to confirm it ended: %s", from->failure);
		return;
	}
	to->state = from->failure ? SCENARIO_FAILED : s->head.measured->state;
	if (!from->failure)
		return;
	free(to->failure);
	to->failure = xstrdup(from->failure);
	to->timed_out_ms = s->head.measured->timed_out_ms;
	free(to->log_tail);
	to->log_tail = xstrdup(from->log_tail);
	free(to->log_path);
	to->log_path = file_is_dir(folder) ? take_ptr(&folder) : NULL;
}

void pair_session_close(struct pair_session *s)
{
	struct scenario_result *to = s->job->result;

	if (s->loop)
		loop_free(s->loop);
	to->pairing->ended = true;
	if (!s->pairs->confirming) {
		copy_runs(s->head.measured, to);
		to->attached = xstrdup(s->head.measured->attached);
		to->executable = xstrdup(s->head.measured->executable);
		to->runs_wanted = to->pairing->pairs_most;
		if (profile_exists(&s->head.measured->profile)) {
			profile_release(&to->profile);
			profile_copy(&to->profile, &s->head.measured->profile);
		}
	}
	end_half(s, &s->base);
	end_half(s, &s->head);
	copy_failure(s, to);
	copy_notes(s->head.measured, "", to);
	copy_notes(s->base.measured, "base: ", to);
	ports_release(&s->ports);
}
