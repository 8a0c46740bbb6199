#include "measure/loop_steps.h"

#include <math.h>

#include "base/cleanup.h"
#include "base/mem.h"

const char *loop_run_name(const struct plan *plan)
{
	return plan_attaches(plan) ? "window" : "run";
}

static void tell(const struct loop_ops *ops, const struct plan *plan, enum loop_phase phase, unsigned run, unsigned of)
{
	const struct loop_progress progress = {
		.scenario = plan->scenario->name, .phase = phase, .windows = plan_attaches(plan), .run = run, .of = of,
	};

	ops->progress(ops->ctx, &progress);
}

int loop_command(const struct loop_ops *ops, const struct plan *plan, const char *what, const struct strv *argv,
		 struct error *err)
{
	return argv->n ? ops->command(ops->ctx, plan, what, argv, err) : 0;
}

int loop_set_up(const struct loop_ops *ops, const struct plan *plan, struct error *err)
{
	if (plan->setup.n)
		tell(ops, plan, PHASE_SETUP, 0, 0);
	return loop_command(ops, plan, "setup", &plan->setup, err);
}

int loop_run(const struct loop_ops *ops, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
	     struct measured *out, struct error *err)
{
	if (loop_command(ops, plan, "prepare", &plan->prepare, err) < 0)
		return -1;
	return ops->run(ops->ctx, plan, events, limit_ns, out, err);
}

int loop_warm_up(const struct loop_ops *ops, const struct plan *plan, unsigned least, double *fastest_ms_out,
		 struct error *err)
{
	const struct scenario *s = plan->scenario;
	unsigned runs = s->warmup_ns || s->warmup_runs < least ? least : s->warmup_runs;
	uint64_t start = ops->now_ns(ops->ctx), spent = 0;
	double fastest_ms = NAN;

	if (loop_command(ops, plan, "warmup", &plan->warmup, err) < 0)
		return -1;
	for (unsigned i = 0; i < runs || spent < s->warmup_ns; i++) {
		struct measured measured = { 0 };

		tell(ops, plan, PHASE_WARMUP, i + 1, s->warmup_ns ? 0 : runs);
		if (loop_run(ops, plan, NULL, spent < s->warmup_ns ? s->warmup_ns - spent : 0, &measured, err) < 0)
			return error_wrap(err, "in warm-up %s %u", loop_run_name(plan), i + 1);
		fastest_ms = fmin(fastest_ms, measured.wall_ms);
		measured_release(&measured);
		spent = ops->now_ns(ops->ctx) - start;
	}
	if (fastest_ms_out)
		*fastest_ms_out = fastest_ms;
	return 0;
}

int loop_simulate(const struct loop_ops *ops, const struct plan *plan, struct scenario_result *result,
		  struct error *err)
{
	struct simulated s;
	struct run *run;

	tell(ops, plan, PHASE_SIMULATE, 1, 1);
	if (loop_command(ops, plan, "prepare", &plan->prepare, err) < 0 || ops->simulate(ops->ctx, plan, &s, err) < 0)
		return -1;
	run = &result->runs[0];
	measured_set(result, run, "sim-instructions", s.instructions);
	measured_set(result, run, "sim-branches", s.branches);
	measured_set(result, run, "sim-branch-misses", s.branch_misses);
	measured_set(result, run, "sim-l1d-loads", s.l1d_loads);
	measured_set(result, run, "sim-l1d-misses", s.l1d_misses);
	measured_derive(result, run);
	strv_push(&result->notes, "simulated values come from one more run, under valgrind's cachegrind");
	return 0;
}

int loop_profile(const struct loop_ops *ops, const struct plan *plan, struct scenario_result *result,
		 struct error *err)
{
	struct error why = ERROR_INIT;

	if (ops->profile(ops->ctx, plan, result, &why) == 0)
		return 0;
	if (why.kind == ERR_INTERRUPTED) {
		*err = why;
		return -1;
	}
	strv_pushf(&result->notes, "no profile could be taken: %s", why.msg);
	/* For the gates that rest on it. */
	strv_pushf(&result->profile.doubts, "no profile could be taken: %s", why.msg);
	return 0;
}

void loop_clean_up(const struct loop_ops *ops, const struct plan *plan, struct scenario_result *result)
{
	struct error why = ERROR_INIT;

	if (!plan->cleanup.n)
		return;
	tell(ops, plan, PHASE_CLEANUP, 0, 0);
	if (loop_command(ops, plan, "cleanup", &plan->cleanup, &why) < 0)
		strv_pushf(&result->notes, "cleanup failed: %s", why.msg);
}

void loop_note_failure(const struct loop_ops *ops, struct scenario_result *result, const char *why)
{
	struct strbuf words = STRBUF_INIT;

	result->state = SCENARIO_FAILED;
	result->failure = xstrdup(why);
	ops->last_words(ops->ctx, &words);
	if (words.len)
		result->log_tail = strbuf_take(&words);
	strbuf_release(&words);
}
