/*
 * The pair loop on two made-up targets that share a clock and a log: open_pairs() a scenario, set the events,
 * measure, then check the log of calls. The caller includes cmocka first.
 *
 * In the log, "b" is a run of the base and "h" a run of the head; counted runs are capitals. Other calls are
 * spelled out: "base:setup". Run i of a side (from 1, warm-ups included) takes its wall_ms, uses i ms of user
 * time, and has a peak of i bytes.
 */
#ifndef PAWL_TESTS_PAIR_FIXTURE_H
#define PAWL_TESTS_PAIR_FIXTURE_H

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <signal.h>

#include "base/mem.h"
#include "measure/tools/valgrind.h"
#include "measure/process/interrupt.h"
#include "measure/run/loop.h"
#include "report/document.h"
#include "side_checks.h"

struct pair_fixture;

struct fake_side {
	struct pair_fixture *fixture;
	const char *name;
	double wall_ms;
	double cpus, crowd;	/* used by a run; see struct measured */
	unsigned runs, ups;
	size_t pad, pads[64];	/* current pad, and the pad of each counted run */
	unsigned n_pads;
	double work;
	uint64_t alone, touched;	/* reported for uncounted runs and for counted runs; see struct measured */
	unsigned touched_at, counted;	/* only the counted run of this number is touched; 0: all are */
};

struct pair_fixture {
	struct fake_side base, head;
	struct strbuf log, progress;
	uint64_t now_ns, slept_ns, stolen;
	/* Numbers of runs, both sides counted together from 1. 0: none. */
	unsigned fail_from, fail_to, interrupt_at, steal_from, steal_to, sleep_at, stop_clock_at, drop_at, crowd_at;
	unsigned steal_ticks;	/* in each of those runs */
	double both_more_ms;	/* extra time of each of two simultaneous runs */
	bool times_out;		/* the failure is a timeout */
	bool looks;		/* check what both sides load */
	int pointless;		/* result of that check: see loop_ops.loads */
	const char *fail_call;	/* "head:setup" */
	unsigned runs;

	struct scenario_defaults defaults;
	struct scenario scenario;
	struct plan plan;
	int (*run)(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns, struct measured *out,
		   struct error *err);	/* replaces fake_run() */
	struct side_result results[2];
	struct loop *loop;
};

static inline int fake_log(struct fake_side *side, const char *what, struct error *err)
{
	struct pair_fixture *fixture = side->fixture;
	char call[64];

	snprintf(call, sizeof call, "%s:%s", side->name, what);
	strbuf_addf(&fixture->log, "%s%s ", fixture->log.len && fixture->log.buf[fixture->log.len - 1] != ' ' ? " " : "", call);
	return fixture->fail_call && !strcmp(fixture->fail_call, call) ? error_set(err, ERR_TARGET, "%s went wrong", what) : 0;
}

static inline int fake_command(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
			       struct error *err)
{
	return fake_log(ctx, what, err);
}

static inline void fake_place(void *ctx, size_t pad)
{
	((struct fake_side *)ctx)->pad = pad;
}

/* Logs the window of the head as "<4500>", in milliseconds. */
static inline void fake_shorten(void *ctx, uint64_t window_ns)
{
	const struct fake_side *side = ctx;

	if (side == &side->fixture->head)
		strbuf_addf(&side->fixture->log, "<%llu>", (unsigned long long)(window_ns / 1000000));
}

static inline int fake_up(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	struct fake_side *side = ctx;

	side->ups++;
	return plan->scenario->n_services ? fake_log(side, "up", err) : 0;
}

static inline void fake_down(void *ctx, const struct plan *plan, struct side_result *result)
{
	if (!plan->scenario->n_services)
		return;
	fake_log(ctx, "down", NULL);
	NOTE(result, "it had to be killed");
}

static inline void fake_rows(const struct pair_fixture *fixture, const struct strv *events, struct measured *out)
{
	for (size_t i = 0; i < events->n; i++) {
		bool crowded = fixture->runs == fixture->crowd_at && strcmp(events->items[i], "task-clock") != 0;

		VEC_GROW(out->rows.items, out->rows.n, out->rows.cap);
		out->rows.items[out->rows.n++] = (struct perf_row){
			.event = xstrdup(events->items[i]), .state = ROW_COUNTED, .value = out->wall_ms * (double)(i + 1),
			.run_ns = 1000, .running_pct = crowded ? 50 : 100,
		};
	}
}

static inline int fake_run(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
			   struct measured *out, struct error *err)
{
	struct fake_side *side = ctx;
	struct pair_fixture *fixture = side->fixture;
	unsigned at = ++fixture->runs;

	strbuf_addf(&fixture->log, "%c", events ? toupper(side->name[0]) : side->name[0]);
	side->runs++;
	side->counted += events != NULL;
	if (events && side->n_pads < sizeof side->pads / sizeof side->pads[0])
		side->pads[side->n_pads++] = side->pad;
	fixture->now_ns += (uint64_t)(side->wall_ms * 1e6);
	if (at >= fixture->steal_from && at <= fixture->steal_to)
		fixture->stolen += fixture->steal_ticks;
	/* The reading steps back, as two clocks with jitter do. */
	fixture->slept_ns -= fixture->slept_ns ? 1 : 0;
	if (at == fixture->sleep_at)
		fixture->slept_ns += 5 * NS_PER_S;
	if (at == fixture->interrupt_at) {
		error_set(err, ERR_INTERRUPTED, "interrupted");
		err->sys = SIGINT;
		return -1;
	}
	if (at >= fixture->fail_from && at <= fixture->fail_to) {
		error_set(err, ERR_TARGET, fixture->times_out ? "did not end within 60 s" : "exited with status 1");
		err->sys = fixture->times_out ? ETIMEDOUT : 0;
		return -1;
	}
	*out = (struct measured){
		.wall_ms = at == fixture->stop_clock_at ? 0 : side->wall_ms, .user_ms = side->runs, .cpu_ms = side->cpus * side->wall_ms,
		.crowd = side->crowd, .max_rss_bytes = side->runs,
		.touched = !events ? side->alone : !side->touched_at || side->touched_at == side->counted ? side->touched : 0, .work = side->work, .dropped = at == fixture->drop_at ? xstrdup("it was idle") : NULL,
	};
	if (events)
		fake_rows(fixture, events, out);
	return 0;
}

/* Logs both runs in brackets, in order of release. The number is the CPU's turn; ~ means that loads run on any CPU. */
static inline int fake_run_both(void *const ctx[2], const struct plan *const plans[2], const struct both *both,
				struct measured out[2], unsigned *failed, struct error *err)
{
	struct pair_fixture *fixture = ((struct fake_side *)ctx[0])->fixture;

	strbuf_addf(&fixture->log, "%u%s[", both->turn, both->load_anywhere ? "~" : "");
	for (unsigned i = 0; i < 2; i++) {
		unsigned at = both->head_first ? !i : i;

		*failed = at;
		fixture->now_ns += (uint64_t)(fixture->both_more_ms * 1e6);
		if (fake_run(ctx[at], plans[at], both->events, 0, &out[at], err) < 0)
			return -1;
		out[at].wall_ms += fixture->both_more_ms;
	}
	strbuf_addc(&fixture->log, ']');
	return 0;
}

static inline int fake_loads(void *const ctx[], unsigned n, struct error *err)
{
	struct pair_fixture *fixture = ((struct fake_side *)ctx[0])->fixture;

	strbuf_addf(&fixture->log, "<%u>", n);
	return fixture->pointless < 0 ? error_set(err, ERR_INTERRUPTED, "interrupted") : fixture->pointless;
}

static inline int fake_simulate(void *ctx, const struct plan *plan, struct simulated *out, struct error *err)
{
	*out = (struct simulated){ .instructions = 7 };
	return fake_log(ctx, "simulate", err);
}

static inline int fake_profile(void *ctx, const struct plan *plan, struct side_result *result, struct error *err)
{
	return fake_log(ctx, "profile", err);
}

static inline void fake_last_words(void *ctx, struct strbuf *out)
{
	strbuf_addf(out, "the last words of %s", ((const struct fake_side *)ctx)->name);
}

static inline uint64_t fake_now(void *ctx)
{
	return ((const struct fake_side *)ctx)->fixture->now_ns;
}

static inline uint64_t fake_slept(void *ctx)
{
	return ((const struct fake_side *)ctx)->fixture->slept_ns;
}

static inline uint64_t fake_stolen(void *ctx)
{
	return ((const struct fake_side *)ctx)->fixture->stolen;
}

static inline void fake_progress(void *ctx, const struct loop_progress *progress)
{
	struct pair_fixture *fixture = ((const struct fake_side *)ctx)->fixture;

	if (progress->phase == PHASE_RUN)
		strbuf_addf(&fixture->progress, "%u/%u(%.0fms) ", progress->run, progress->of, (double)progress->left_ns / 1e6);
}

static inline struct loop_side fake_ops(struct pair_fixture *fixture, struct fake_side *side, const char *name,
					    struct side_result *result)
{
	side->fixture = fixture;
	side->name = name;
	return (struct loop_side){
		.name = name, .plan = &fixture->plan, .result = result,
		.ops = {
			.ctx = side, .command = fake_command, .place = fake_place, .shorten = fake_shorten, .up = fake_up, .down = fake_down, .run = fake_run,
			.run_both = fake_run_both, .simulate = fake_simulate, .profile = fake_profile, .last_words = fake_last_words, .now_ns = fake_now,
			.stolen_ticks = fake_stolen, .slept_ns = fake_slept, .progress = fake_progress,
		},
	};
}

static inline int fake_port(void *ctx, const char *name, struct error *err)
{
	return 8000;
}

/* Opens the loop. The caller zeroes FIXTURE, except for the events to happen. */
static inline void open_pairs(struct pair_fixture *fixture, const char *body, const struct loop_options *options)
{
	const struct plan_context context = {
		.root = "/p", .scenario_dir = "/p/scenarios", .out = "/o", .tmp = "/t", .port = fake_port,
	};
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct diags diags = DIAGS_INIT;
	struct loop_side sides[2];

	scenario_defaults_init(&fixture->defaults);
	strbuf_addf(&text, "version: 1\nname: gzip\n%s%s", strstr(body, "target:") ? "" : "target: { command: [gzip] }\n", body);
	if (scenario_parse(text.buf, text.len, "gzip.yaml", &fixture->defaults, &fixture->scenario, &diags) < 0)
		fail_msg("%s", diags.items[0].message);
	assert_int_equal(plan_build(&fixture->scenario, &context, &fixture->plan, NULL), 0);
	fixture->log = fixture->progress = (struct strbuf)STRBUF_INIT;
	fixture->base.wall_ms = fixture->base.wall_ms ?: 100;
	fixture->head.wall_ms = fixture->head.wall_ms ?: 100;
	sides[0] = fake_ops(fixture, &fixture->base, "base", &fixture->results[0]);
	sides[1] = fake_ops(fixture, &fixture->head, "head", &fixture->results[1]);
	for (unsigned at = 0; at < 2 && fixture->looks; at++)
		sides[at].ops.loads = fake_loads;
	for (unsigned at = 0; at < 2 && fixture->run; at++)
		sides[at].ops.run = fixture->run;
	fixture->loop = loop_new(sides, 2, options);
}

/* Ends the loop. The notes are complete only afterwards. */
static inline void end_pairs(struct pair_fixture *fixture)
{
	loop_free(fixture->loop);
	fixture->loop = NULL;
}

static inline void close_pairs(struct pair_fixture *fixture)
{
	end_pairs(fixture);
	for (int i = 0; i < 2; i++)
		side_result_release(&fixture->results[i]);
	plan_release(&fixture->plan);
	scenario_release(&fixture->scenario);
	scenario_defaults_release(&fixture->defaults);
	strbuf_release(&fixture->log);
	strbuf_release(&fixture->progress);
}

/* Compares the log, without trailing blanks. */
static inline void assert_log(const struct pair_fixture *fixture, const char *expected)
{
	size_t len = fixture->log.len;

	while (len && fixture->log.buf[len - 1] == ' ')
		len--;
	if (strlen(expected) != len || strncmp(expected, fixture->log.buf, len))
		fail_msg("expected %s\n         found    %.*s", expected, (int)len, fixture->log.buf);
}

#endif
