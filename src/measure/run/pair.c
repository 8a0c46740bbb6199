#include "measure/run/loop_parts.h"

#include <errno.h>
#include <math.h>

#include "base/mem.h"
#include "measure/process/processes.h"
#include "model/measured.h"
#include "model/metrics/numbers.h"

enum { WARM_UP_RUNS_SHORT = 3 };
/* Variance between windows of one start over that between starts: docs/research/services.md. */
#define WINDOWS_SPREAD 4.0
/* Windows of both sides at once differ less. */
#define WINDOWS_SPREAD_BOTH 1.0
/*
 * If both sides together work at less than this part of one side's rate, targets and loads wait for each other's CPUs.
 */
#define LOADS_WAIT 0.5
/* Two clocks are not read at the same moment. */
#define SLEPT_LEAST_NS (100 * NS_PER_MS)
enum { STOLEN_TICKS = 2 };
#define STOLEN_PART 0.01
/*
 * A target that uses more CPUs would behave differently on one. Of 2,082 runs of one thread all used at most 1.01. On a
 * busy machine two threads seldom do; the time they were ready at once shows them.
 */
#define ONE_CPU 1.1
#define CROWDED 0.25
#define MANY_CPUS "; --pairs together compares them on one, but not what threads cost each other"
/* A command that waits for more than this part of its wall time is compared by wall time. */
#define WAITS 0.1
/* In a shorter window the start and end of a load matter. */
#define SHORTEST_WINDOW_NS ((double)NS_PER_S)
enum { STEADY_WINDOWS = 3 };
/* Accidents seldom repeat, and with lower priority each pair could take minutes. */
enum { TOUCHED_MOST = 2 };
enum { TOUCHED = ECANCELED };
enum { BASE_ALONE = 3 };

/* -------- which scenarios run on two sides */

/* These differ between sides. */
static const char port_variable[] = "${port", folder_variable[] = "${tmp}";

static bool mentions(const char *text, const char *what)
{
	return text && strstr(text, what);
}

static bool service_fits_beside(const struct service *s)
{
	const struct strv *const lists[] = { &s->command.argv, &s->environment, &s->ready.command.argv };
	bool serves_a_port = s->ready.kind == READY_TCP || (s->ready.kind == READY_HTTP && !mentions(s->ready.text, "//unix:/") &&
							    !mentions(s->ready.text, "//unix:${"));
	bool own_port = mentions(s->cwd, port_variable) || mentions(s->ready.text, port_variable);
	bool own_folder = mentions(s->cwd, folder_variable) || mentions(s->ready.text, folder_variable);

	for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
		for (size_t k = 0; k < lists[i]->n; k++) {
			own_port |= mentions(lists[i]->items[k], port_variable);
			own_folder |= mentions(lists[i]->items[k], folder_variable);
		}
	return own_port || (own_folder && !serves_a_port);
}

enum pair_services pair_services_of(const struct scenario *s)
{
	enum target_kind kind = s->target_kind;
	bool beside = kind == TARGET_COMMAND || kind == TARGET_SERVICE ||
		      ((kind == TARGET_PORT || kind == TARGET_PIDFILE || kind == TARGET_PROCESS) &&
		       (mentions(s->target_text, port_variable) || mentions(s->target_text, folder_variable)));

	for (size_t i = 0; i < s->n_services; i++)
		beside = beside && service_fits_beside(&s->services[i]);
	if (!s->n_services)
		return PAIR_SERVICES_NONE;
	return beside ? PAIR_SERVICES_BESIDE : PAIR_SERVICES_AFRESH;
}

int pair_refuse(const struct scenario *scenario, struct error *err)
{
	enum target_kind kind = scenario->target_kind;

	if (kind == TARGET_COMMAND || kind == TARGET_SERVICE || (scenario->n_services && kind != TARGET_PID))
		return 0;
	return error_set(err, ERR_INPUT,
			 "%s: target.%s runs already, so there is one of it and nothing to compare it with; let a service "
			 "in 'env:' start it, once on each side, and set 'target: { service: NAME }'",
			 scenario->name, target_kind_name(kind));
}

/* -------- order, by chance */

/* SplitMix: Steele, Lea & Flood (2014), Fast splittable pseudorandom number generators, OOPSLA. */
static uint64_t toss(uint64_t seed, unsigned i)
{
	uint64_t z = seed + (i + 1ull) * 0x9e3779b97f4a7c15ull;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
	return z ^ (z >> 31);
}

bool pair_head_first(uint64_t seed, unsigned i)
{
	return toss(seed, i) >> 63;
}

/* These bits decide nothing else. */
size_t pair_pad(uint64_t seed, unsigned i, bool head)
{
	return (size_t)(toss(seed, i) >> (head ? 32 : 16)) % PAIR_PAD_BYTES & ~(size_t)15;
}

/* One number of another stream serves two pairs, which start in opposite order. */
bool pair_head_starts(uint64_t seed, unsigned i)
{
	return pair_head_first(~seed, i / 2) != (i % 2 == 1);
}

/* -------- the time of a pair of an attached target */

static double time_of(const struct pair_fit *fit, double window_ns, double rounds)
{
	return (double)fit->fixed_ns + (fit->warming + rounds * fit->counted) * window_ns;
}

bool pair_fits(const struct pair_fit *fit)
{
	return !fit->limit_ns || time_of(fit, (double)fit->window_ns, 1) <= (double)fit->limit_ns;
}

uint64_t pair_fit_window(const struct pair_fit *fit)
{
	double left_ns = (double)fit->limit_ns - (double)fit->fixed_ns;

	if (pair_fits(fit) || (double)fit->window_ns <= SHORTEST_WINDOW_NS)
		return fit->window_ns;
	return (uint64_t)fmax(left_ns / (fit->warming + fit->counted), SHORTEST_WINDOW_NS);
}

unsigned pair_fit_rounds(const struct pair_fit *fit)
{
	double round_ns = fit->counted * (double)fit->window_ns, start_ns = time_of(fit, (double)fit->window_ns, 0);
	double best = round(sqrt(fit->spread * start_ns / round_ns));

	if (fit->limit_ns)
		best = fmin(best, floor(((double)fit->limit_ns - start_ns) / round_ns));
	return (unsigned)fmax(1, fmin(best, LOOP_WINDOWS_MOST));
}

static uint64_t start_time(const struct loop *loop)
{
	return loop->services_ns + loop->stopping_ns + loop->warming_ns;
}

/* Both sides at once are one window. */
static double counted_windows(const struct loop *loop)
{
	return (double)loop->groups.n * ((loop->state.both ? 1 : 0) + (loop->state.in_turn ? SIDES : 0));
}

/* -------- the value of a side */

/* A batch of runs for each group of events, or the mean of several batches. */
struct value {
	struct measured parts[EVENT_GROUPS_MAX];	/* means of runs, for each group */
	size_t n;
};

static void value_release(struct value *value)
{
	for (size_t i = 0; i < value->n; i++)
		measured_release(&value->parts[i]);
	value->n = 0;
}

/*
 * Changes that the warm-up alone, or the other side in any pair, also shows are the target's own. Services of both
 * sides are up in a warm-up, so for them only the other side counts.
 */
static int check_touched(const struct loop *loop, const struct side *side, const struct measured *run, const struct measured *other,
			 struct error *err)
{
	const struct side *sibling = &loop->sides[side == &loop->sides[BASE]];
	uint64_t own = attaches(loop) ? 0 : side->touched | sibling->touched;
	uint64_t others = ((other ? other->touched : sibling->touched) | sibling->shown) & ~PROPERTY_BITS(PROPERTY_TRACER);
	uint64_t touched = run->touched & ~(own | others);

	if (!touched)
		return 0;
	error_set(err, ERR_TARGET, "the target was %s during a %s, which it does not do itself", process_touched_words(touched), run_name(side));
	if (err)
		err->sys = TOUCHED;
	return -1;
}

/* OUT must be empty. */
static int run_both(struct loop *loop, const struct both *both, struct measured out[SIDES], struct error *err)
{
	const struct plan *plans[] = { loop->sides[BASE].plan, loop->sides[HEAD].plan };
	void *const ctx[] = { loop->sides[BASE].ops.ctx, loop->sides[HEAD].ops.ctx };
	unsigned failed = SIDES;

	for (unsigned at = 0; at < SIDES; at++)
		if (side_command(&loop->sides[at], "prepare", &plans[at]->prepare, err) < 0)
			return side_failed(loop, &loop->sides[at], err);
	if (loop->sides[BASE].ops.run_both(ctx, plans, both, out, &failed, err) == 0)
		return 0;
	return failed < SIDES ? side_failed(loop, &loop->sides[failed], err) : -1;
}

/* The warm-up may be empty, because neither side was idle. */
static int warm_up_both(struct loop *loop, bool head_first, struct error *err)
{
	const struct scenario *s = loop->sides[HEAD].plan->scenario;
	struct both both = { .turn = kept(loop), .head_first = head_first, .load_anywhere = loop->load_anywhere };
	uint64_t start_ns = now(loop), spent_ns = 0, left_ns;

	for (unsigned at = 0; at < SIDES; at++) {
		loop->sides[at].warming = (struct warming){ 0 };
		if (side_command(&loop->sides[at], "warmup", &loop->sides[at].plan->warmup, err) < 0)
			return side_failed(loop, &loop->sides[at], err);
	}
	for (unsigned i = 0; warming_goes_on(&loop->sides[BASE], s->warmup_runs, spent_ns) ||
			     warming_goes_on(&loop->sides[HEAD], s->warmup_runs, spent_ns); i++) {
		struct measured run[SIDES] = { 0 };
		int ret;

		side_progress(&loop->sides[HEAD], (struct loop_progress){ .phase = PHASE_WARMUP, .run = i + 1,
									   .of = warmup_counts(s) ? s->warmup_runs : 0 });
		left_ns = spent_ns;
		both.limit_ns = warming_limit(&loop->sides[HEAD], spent_ns);
		ret = run_both(loop, &both, run, err);
		spent_ns = now(loop) - start_ns;
		if (!both.limit_ns)
			loop->round_ns = spent_ns - left_ns;
		for (unsigned at = 0; at < SIDES; at++) {
			warming_add(&loop->sides[at], &run[at]);
			measured_release(&run[at]);
		}
		if (ret < 0)
			return error_wrap(err, "in warm-up window %u", i + 1);
	}
	for (unsigned at = 0; at < SIDES; at++)
		warming_end(&loop->sides[at]);
	return 0;
}

static void choose_windows(struct loop *loop, uint64_t round_ns)
{
	const struct pair_fit fit = {
		.limit_ns = loop->options.fit_ns, .fixed_ns = start_time(loop), .counted = 1, .window_ns = round_ns,
		.spread = loop->state.both ? WINDOWS_SPREAD_BOTH : WINDOWS_SPREAD,
	};

	if (!loop->state.batch && attaches(loop))
		loop->state.batch = pair_fit_rounds(&fit);
}

/*
 * Counts one run or window of SIDE, or (NULL) of both sides at once, into RUN, which must be empty. One that does not
 * count is an error.
 */
static int count_round(struct loop *loop, struct side *side, const struct both *both, struct measured run[SIDES], struct error *err)
{
	int ret = side ? side_run(side, both->events, 0, &run[side - loop->sides], err) : run_both(loop, both, run, err);

	if (ret < 0)
		return side ? side_failed(loop, side, err) : -1;
	for (unsigned at = 0; at < SIDES; at++) {
		struct side *counted = &loop->sides[at];

		if (side && side != counted)
			continue;
		counted->shown |= run[at].touched;
		if (run[at].dropped)
			error_set(err, ERR_TARGET, "a %s could not be counted: %s", run_name(counted), run[at].dropped);
		if (run[at].dropped || check_touched(loop, counted, &run[at], side ? NULL : &run[!at], err) < 0)
			return side_failed(loop, counted, err);
	}
	return 0;
}

/*
 * Measures BATCH runs for each group of events into OUT, which must be empty: of SIDE, or (NULL) of both sides, of
 * which each goes first in turns. BATCH 0: the number that the first window decides.
 */
static int measure_values(struct loop *loop, struct side *side, unsigned batch, struct value *const out[SIDES], struct error *err)
{
	const struct event_groups *groups = &loop->groups;
	size_t most = loop->state.batch > LOOP_WINDOWS_MOST ? loop->state.batch : LOOP_WINDOWS_MOST;
	CLEANUP(free_ptr) struct measured *runs = xcalloc(SIDES * most, sizeof *runs);
	struct both both = { .turn = kept(loop), .head_first = pair_head_first(loop->options.seed, kept(loop)),
			     .load_anywhere = loop->load_anywhere };
	/* Windows in turn follow, and take as long. */
	unsigned rounds = loop->state.in_turn ? SIDES + 1 : 1;
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < groups->n; i++) {
		unsigned done = 0;

		both.events = loop->options.perf ? &groups->events[i] : NULL;
		for (; ret == 0 && done < (batch ?: loop->state.batch ?: 1); done++, both.head_first = !both.head_first) {
			struct measured run[SIDES] = { 0 };
			uint64_t start_ns = now(loop);

			ret = count_round(loop, side, &both, run, err);
			for (unsigned at = 0; at < SIDES; at++)
				runs[at * most + done] = run[at];
			if (ret == 0 && !side)
				choose_windows(loop, (now(loop) - start_ns) * groups->n * rounds);
		}
		for (unsigned at = 0; at < SIDES; at++) {
			if (ret == 0 && out[at])
				measured_mean(&runs[at * most], done, &out[at]->parts[out[at]->n++]);
			for (unsigned k = 0; k < done; k++) {
				if (ret == 0 && out[at])
					side_warn(&loop->sides[at], &runs[at * most + k]);
				measured_release(&runs[at * most + k]);
			}
		}
		memset(runs, 0, SIDES * most * sizeof *runs);
	}
	return ret;
}

static int measure_value(struct loop *loop, struct side *side, unsigned batch, struct value *out, struct error *err)
{
	struct value *values[SIDES] = { NULL };

	values[side - loop->sides] = out;
	return measure_values(loop, side, batch, values, err);
}

static void store_value(const struct loop *loop, const struct side *side, struct value *value)
{
	static const struct strv none = STRV_INIT;

	for (size_t i = 0; i < value->n; i++)
		measured_store(&value->parts[i], loop->options.perf ? &loop->groups.events[i] : &none, 0, side->result);
	measured_fold(side->result, value->n);
}

/* -------- place and order */

static void place_sides(struct loop *loop)
{
	for (unsigned at = 0; at < SIDES; at++) {
		const struct side *side = &loop->sides[at];

		if (side->ops.place)
			side->ops.place(side->ops.ctx, pair_pad(loop->options.seed, kept(loop), at == HEAD));
	}
}

static struct side *in_turn(struct loop *loop, bool head_first, unsigned i)
{
	return &loop->sides[head_first ? !i : i];
}

/* -------- both sides ready */

static bool is_afresh(const struct loop *loop)
{
	return loop->options.services == PAIR_SERVICES_AFRESH;
}

static int warm_up_side(struct loop *loop, struct side *side, struct error *err)
{
	uint64_t began_ns = now(loop);
	int ret = side_warm_up(loop, side, err);

	loop->warming_ns += now(loop) - began_ns;
	return ret < 0 ? side_failed(loop, side, err) : 0;
}

/*
 * Neither side may be older, or idle for longer, more often. So the order is random, and both warm up once both are up.
 * Services that start afresh are tried in turn.
 */
static int start_services(struct loop *loop, struct error *err)
{
	bool head_starts = pair_head_starts(loop->options.seed, kept(loop));
	uint64_t began_ns = now(loop);

	loop->started_at = kept(loop);
	loop->warm = true;
	loop->warming_ns = 0;
	place_sides(loop);
	for (unsigned i = 0; i < SIDES; i++) {
		struct side *side = in_turn(loop, head_starts, i);

		if (side_up(side, err) < 0)
			return side_failed(loop, side, err);
		if (is_afresh(loop) && warm_up_side(loop, side, err) < 0)
			return -1;
		if (is_afresh(loop))
			side_down(side);
	}
	loop->services_ns = now(loop) - began_ns - loop->warming_ns;
	return 0;
}

static void stop_services(struct loop *loop)
{
	uint64_t began_ns = now(loop);

	side_all_down(loop);
	loop->stopping_ns = is_afresh(loop) ? 0 : now(loop) - began_ns;
}

static int warm_up(struct loop *loop, struct error *err)
{
	bool head_first = pair_head_first(loop->options.seed, kept(loop));
	uint64_t began_ns = now(loop);
	int ret = 0;

	if (is_afresh(loop))
		return 0;
	loop->warming_ns = 0;
	if (loop->state.both && attaches(loop)) {
		ret = warm_up_both(loop, head_first, err);
		loop->warming_ns = now(loop) - began_ns;
	}
	for (unsigned i = 0; ret == 0 && !(loop->state.both && attaches(loop)) && i < SIDES; i++)
		ret = warm_up_side(loop, in_turn(loop, head_first, i), err);
	return ret;
}

static int start_both(struct loop *loop, struct error *err)
{
	return start_services(loop, err) < 0 ? -1 : warm_up(loop, err);
}

/* Both sides get the same number, so that their sums have equal costs of start-up. */
static int choose_batch(struct loop *loop, struct error *err)
{
	double mean_ms;

	if (loop->state.batch)
		return 0;
	for (unsigned i = 0; i < SIDES && !is_afresh(loop); i++) {
		struct side *side = &loop->sides[i];

		for (unsigned run = WARM_UP_RUNS; run < WARM_UP_RUNS_SHORT && side->fastest_ms < LOOP_BATCH_MS; run++) {
			CLEANUP(measured_release) struct measured measured = { 0 };

			if (side_run(side, NULL, 0, &measured, err) < 0)
				return side_failed(loop, side, err);
			side_note_warm_up(side, &measured);
		}
	}
	mean_ms = (loop->sides[BASE].fastest_ms + loop->sides[HEAD].fastest_ms) / 2;
	loop->state.batch = 1;
	if (mean_ms > 0 && mean_ms < LOOP_BATCH_MS)
		loop->state.batch = (unsigned)fmin(ceil(LOOP_BATCH_MS / mean_ms), LOOP_BATCH_MOST);
	return 0;
}

static int start_again(struct loop *loop, struct error *err)
{
	stop_services(loop);
	return start_both(loop, err);
}

static bool may_be_at_once(struct loop *loop)
{
	double cpus = fmax(loop->sides[BASE].cpus, loop->sides[HEAD].cpus);
	double crowd = fmax(loop->sides[BASE].crowd, loop->sides[HEAD].crowd);
	/* Counted work costs the same however much of it fits into a window. */
	bool anyway = loop->options.both_anyway || attaches(loop);

	if (!loop->options.both)
		return false;
	if (is_afresh(loop))
		loop->state.apart = xstrdup("the services of both sides cannot be up at the same time");
	else if (cpus > ONE_CPU && !anyway)
		loop->state.apart = text_printf("the target uses %.2g CPUs" MANY_CPUS, cpus);
	else if (crowd > CROWDED && !anyway)
		loop->state.apart = text_printf("several threads of the target work at the same time, %.0f %% of it" MANY_CPUS, 100 * crowd);
	else if (!loop->sides[BASE].ops.run_both)
		loop->state.apart = xstrdup("they cannot be run so here");
	return !loop->state.apart;
}

static void set_ways(struct loop *loop)
{
	loop->state.both = may_be_at_once(loop);
	loop->state.in_turn = loop->options.in_turn || !loop->state.both;
}

/* Returns the work of both per millisecond. */
static int try_both(struct loop *loop, double *rate_out, struct error *err)
{
	struct measured run[SIDES] = { 0 };
	uint64_t began_ns = now(loop);
	int ret = run_both(loop, &(struct both){ .turn = 0 }, run, err);

	loop->round_ns = now(loop) - began_ns;
	*rate_out = side_rate(&run[BASE]) + side_rate(&run[HEAD]);
	measured_release(&run[BASE]);
	measured_release(&run[HEAD]);
	if (ret == 0)
		loop->failing = NULL;
	return ret;
}

/* Takes pairs in turn from now on. -1 only if interrupted. */
static int keep_apart(struct loop *loop, const struct error *why, struct error *err)
{
	loop->failing = NULL;
	loop->state.both = false;
	loop->state.in_turn = true;
	if (why->kind == ERR_INTERRUPTED)
		return error_copy(err, why);
	loop->state.apart = why->kind == ERR_SYSTEM ? xstrdup(why->msg) :
			    text_printf("beside the other side a %s fails: %s", run_name(&loop->sides[HEAD]), why->msg);
	return 0;
}

static void choose_either(struct loop *loop)
{
	for (unsigned i = 0; i < SIDES; i++) {
		struct side *side = &loop->sides[i];

		loop->state.waits |= side->waiting > WAITS;
		side->result->alone_ms = side->fastest_ms;
	}
	if (loop->state.waits)
		loop->options.both = false;
	else
		loop->options.in_turn = false;
}

/* Wall times need pairs in turn. CPU times are better at once. */
static void choose_by_benchmarks(struct loop *loop)
{
	bool both = false, in_turn = false;

	for (unsigned i = 0; i < SIDES; i++) {
		const struct side_result *result = loop->sides[i].result;

		for (size_t k = 0; k < result->n_metrics; k++) {
			const struct metric *metric = result->metrics[k];
			struct gate gate;

			if (!metric->benchmark || !scenario_benchmark_gate(loop->sides[i].plan->scenario, metric, &gate))
				continue;
			both |= metric_together(metric);
			in_turn |= !metric_together(metric);
		}
	}
	loop->options.both = loop->options.both && both;
	loop->options.in_turn = in_turn;
}

static int choose_way(struct loop *loop, struct error *err)
{
	struct error why = ERROR_INIT;
	double rate;

	if (loop->options.either)
		choose_either(loop);
	if (loop->options.by_benchmarks)
		choose_by_benchmarks(loop);
	set_ways(loop);
	return loop->state.both && try_both(loop, &rate, &why) < 0 ? keep_apart(loop, &why, err) : 0;
}

/* Judged by a start, and a window of the warm-up or the longest one. */
static bool is_short_of_time(const struct loop *loop)
{
	const struct pair_fit fit = {
		.limit_ns = loop->options.fit_ns, .fixed_ns = start_time(loop), .counted = counted_windows(loop),
		.window_ns = loop->round_ns ?: loop->window_ns ?: loop->sides[HEAD].plan->scenario->measure.window_ns,
	};

	return !pair_fits(&fit);
}

/* Lets loads run on any CPU if targets and loads wait for each other's. Pairs then vary more, but are not too few. */
static int let_loads_run(struct loop *loop, struct error *err)
{
	double rate, alone = INFINITY;

	for (unsigned at = 0; at < SIDES; at++) {
		CLEANUP(measured_release) struct measured run = { 0 };

		if (side_run(&loop->sides[at], NULL, 0, &run, err) < 0)
			return side_failed(loop, &loop->sides[at], err);
		alone = fmin(alone, side_rate(&run));
	}
	if (try_both(loop, &rate, err) < 0)
		return -1;
	loop->load_anywhere = rate < LOADS_WAIT * alone;
	return 0;
}

/* Returns 0 for the scenario's. */
static uint64_t fitting_window(const struct loop *loop)
{
	const struct scenario *s = loop->sides[HEAD].plan->scenario;
	unsigned sides = loop->state.both ? 1 : SIDES, least = loop->state.both ? 0 : WARM_UP_RUNS;
	unsigned windows = s->warmup_steady_ns ? STEADY_WINDOWS : s->warmup_ns ? 0 : s->warmup_runs > least ? s->warmup_runs : least;
	const struct pair_fit fit = {
		.limit_ns = loop->options.fit_ns, .fixed_ns = loop->services_ns + sides * s->warmup_ns,
		.warming = (double)windows * sides, .counted = counted_windows(loop), .window_ns = s->measure.window_ns,
	};
	uint64_t window_ns = pair_fit_window(&fit);

	return loop->sides[HEAD].ops.shorten && s->load.as != WORK_COUNT && window_ns < s->measure.window_ns ? window_ns : 0;
}

static void shorten(struct loop *loop, uint64_t window_ns)
{
	loop->window_ns = window_ns;
	for (unsigned at = 0; at < SIDES; at++)
		loop->sides[at].ops.shorten(loop->sides[at].ops.ctx, window_ns);
}

/*
 * Shortens windows if the load then ends on request and reports its work. One window of the head tests that, with
 * services that are used for nothing else.
 */
static int fit_windows(struct loop *loop, struct error *err)
{
	uint64_t window_ns = fitting_window(loop);
	struct side *head = &loop->sides[HEAD];
	struct error why = ERROR_INIT;
	struct measured run = { 0 };
	int ret;

	if (!window_ns)
		return 0;
	shorten(loop, window_ns);
	ret = head->is_up ? 0 : side_up(head, &why);
	if (ret == 0)
		ret = side_run(head, NULL, 0, &run, &why);
	if (ret < 0 && why.kind == ERR_INTERRUPTED) {
		measured_release(&run);
		return error_copy(err, &why);
	}
	if (ret < 0 || run.dropped)
		shorten(loop, 0);
	measured_release(&run);
	stop_services(loop);
	return is_afresh(loop) ? 0 : start_services(loop, err);
}

/* The first start is warmed up like every pair's. If it served for more, services are restarted. */
static int start_and_choose(struct loop *loop, struct error *err)
{
	const struct scenario *s = loop->sides[HEAD].plan->scenario;
	struct error why = ERROR_INIT;
	bool again = true;
	double rate;
	int ret;

	set_ways(loop);
	if (start_services(loop, err) < 0)
		return -1;
	if (fit_windows(loop, err) < 0)
		return -1;
	if (!loop->state.both)
		return warm_up(loop, err);
	ret = warm_up(loop, &why);
	if (ret == 0 && !s->warmup_runs && warmup_counts(s))
		ret = try_both(loop, &rate, &why);
	else if (ret == 0 && is_short_of_time(loop))
		ret = let_loads_run(loop, &why);
	else
		again = ret < 0;
	if (ret < 0 && keep_apart(loop, &why, err) < 0)
		return -1;
	return again ? start_again(loop, err) : 0;
}

static int bring_up_both(struct loop *loop, struct error *err)
{
	for (unsigned i = 0; i < SIDES; i++)
		if (side_up(&loop->sides[i], err) < 0)
			return side_failed(loop, &loop->sides[i], err);
	return 0;
}

static bool are_warm(const struct loop *loop)
{
	return loop->options.services == PAIR_SERVICES_NONE && !attaches(loop) && loop->warm &&
	       now(loop) - loop->ended_ns < LOOP_COLD_NS;
}

int pair_look(struct loop *loop, struct error *err)
{
	void *const ctx[] = { loop->sides[BASE].ops.ctx, loop->sides[HEAD].ops.ctx };
	int pointless;

	if (loop->looked || !loop->sides[BASE].ops.loads)
		return 0;
	loop->looked = true;
	pointless = loop->sides[BASE].ops.loads(ctx, SIDES, err);
	loop->equal = pointless == LOADS_EQUAL;
	if (pointless == LOADS_ONE && loop->until)
		loop->until = 1;
	return pointless < 0 ? -1 : 0;
}

int pair_ready(struct loop *loop, struct error *err)
{
	if (are_warm(loop))
		return bring_up_both(loop, err);
	/* Services that start for each window start here once, to find failures and the time of a run. */
	if (is_afresh(loop) && loop->chosen)
		return 0;
	if (loop->chosen)
		return start_both(loop, err);
	loop->chosen = true;
	if (attaches(loop))
		return start_and_choose(loop, err);
	if (start_both(loop, err) < 0 || pair_look(loop, err) < 0)
		return -1;
	return loop->equal ? 0 : choose_batch(loop, err) < 0 ? -1 : choose_way(loop, err);
}

/* -------- one pair */

/* A command has one value per side, an attached target as many as a start serves. */
struct taken {
	struct value values[SIDES][LOOP_WINDOWS_MOST];
	unsigned n[SIDES];
	struct value both[SIDES];	/* at once */
	bool stolen;
};

/* The count can fall: see clock_slept_ns(). A CPU that goes offline takes its ticks along. */
static int64_t ask(uint64_t (*count)(void *ctx), const struct side *side)
{
	return count ? (int64_t)count(side->ops.ctx) : 0;
}

static int check_clocks(const struct value *value, struct error *err)
{
	for (size_t i = 0; i < value->n; i++) {
		double wall_ms = value->parts[i].wall_ms;
		double clock_ms = perf_rows_value(&value->parts[i].rows, "task-clock", NULL);

		if (!isfinite(wall_ms) || wall_ms <= 0)
			return error_set(err, ERR_SYSTEM, "the clock went backward, or stood still");
		if (clock_ms <= 0 || isinf(clock_ms))
			return error_set(err, ERR_SYSTEM, "no CPU time was counted");
	}
	return 0;
}

static int take_value(struct loop *loop, struct side *side, struct taken *out, struct error *err)
{
	unsigned at = (unsigned)(side - loop->sides), batch = attaches(loop) ? 1 : loop->state.batch;
	struct value *value = &out->values[at][out->n[at]++];
	int64_t ticks = ask(side->ops.stolen_ticks, side);

	if (measure_value(loop, side, batch, value, err) < 0)
		return -1;
	out->stolen = out->stolen || ask(side->ops.stolen_ticks, side) - ticks >= STOLEN_TICKS;
	return check_clocks(value, err) < 0 ? side_failed(loop, side, err) : 0;
}

static unsigned windows_of_pair(const struct loop *loop)
{
	return attaches(loop) && loop->state.batch ? loop->state.batch : 1;
}

static int take_at_once(struct loop *loop, struct taken *out, struct error *err)
{
	const struct side *witness = &loop->sides[HEAD];
	int64_t ticks = ask(witness->ops.stolen_ticks, witness);

	if (measure_values(loop, NULL, 0, (struct value *const[]){ &out->both[BASE], &out->both[HEAD] }, err) < 0)
		return -1;
	/* Sides that alternate lose alike in a long run. */
	ticks = ask(witness->ops.stolen_ticks, witness) - ticks;
	out->stolen = ticks >= STOLEN_TICKS && process_ticks_ms((uint64_t)ticks) > STOLEN_PART * out->both[HEAD].parts[0].wall_ms;
	for (unsigned at = 0; at < SIDES; at++)
		if (check_clocks(&out->both[at], err) < 0)
			return side_failed(loop, &loop->sides[at], err);
	return 0;
}

static int take_in_turn(struct loop *loop, struct taken *out, struct error *err)
{
	bool head_first = pair_head_first(loop->options.seed, kept(loop));
	int ret = 0;

	/* There and back again cancels drift and idling. */
	for (unsigned round = 0; ret == 0 && !is_afresh(loop) && round < windows_of_pair(loop); round++) {
		uint64_t start_ns = now(loop);

		for (unsigned i = 0; ret == 0 && i < SIDES; i++)
			ret = take_value(loop, in_turn(loop, head_first != (round % 2), i), out, err);
		if (ret == 0)
			choose_windows(loop, now(loop) - start_ns);
	}
	for (unsigned i = 0; ret == 0 && is_afresh(loop) && i < SIDES; i++) {
		struct side *side = in_turn(loop, head_first, i);

		loop->warming_ns = 0;
		ret = side_up(side, err) < 0 ? side_failed(loop, side, err) : warm_up_side(loop, side, err);
		loop->warming_ns *= SIDES;
		for (unsigned round = 0; ret == 0 && round < windows_of_pair(loop); round++) {
			uint64_t start_ns = now(loop);

			ret = take_value(loop, side, out, err);
			if (ret == 0)
				choose_windows(loop, SIDES * (now(loop) - start_ns));
		}
		side_down(side);
	}
	return ret;
}

static int take_both(struct loop *loop, struct taken *out, struct error *err)
{
	const struct side *witness = &loop->sides[HEAD];
	int64_t slept_ns = ask(witness->ops.slept_ns, witness);

	if ((loop->state.both && take_at_once(loop, out, err) < 0) || (loop->state.in_turn && take_in_turn(loop, out, err) < 0))
		return -1;
	slept_ns = ask(witness->ops.slept_ns, witness) - slept_ns;
	if (slept_ns < (int64_t)SLEPT_LEAST_NS)
		return 0;
	loop->failing = NULL;
	return error_set(err, ERR_SYSTEM, "the machine slept for %s", format_duration(slept_ns).s);
}

/* One in ten of the wanted pairs, at least one, may be dropped, and as many measured again. */
static unsigned allowance(const struct loop *loop)
{
	return loop->wanted < 20 ? 1 : loop->wanted / 10;
}

/* Combines both ways of pairing for group P of events. OUT must be empty. */
static void side_of_pair(struct taken *taken, unsigned at, size_t p, struct measured *out)
{
	struct measured windows[LOOP_WINDOWS_MOST], in_turn = { 0 };

	for (size_t i = 0; i < taken->n[at]; i++)
		windows[i] = taken->values[at][i].parts[p];
	if (taken->n[at])
		measured_mean(windows, taken->n[at], &in_turn);
	*out = in_turn;
	if (!taken->both[at].n)
		return;
	*out = taken->both[at].parts[p];
	taken->both[at].parts[p] = (struct measured){ 0 };
	measured_at_once(out, taken->n[at] ? &in_turn : NULL);
	measured_release(&in_turn);
}

/* Adds a run to each result, unless groups of events were too large or the pair must be repeated. */
static int measure_pair(struct loop *loop, struct error *err)
{
	bool head_first = pair_head_first(loop->options.seed, kept(loop)), split = false;
	struct value values[SIDES] = { 0 };
	struct taken taken = { 0 };
	size_t groups;
	int ret;

	place_sides(loop);
	ret = take_both(loop, &taken, err);
	groups = taken.both[BASE].n ?: taken.values[BASE][0].n;

	for (unsigned at = 0; ret == 0 && at < SIDES; at++) {
		for (size_t p = 0; p < groups; p++) {
			struct measured *part = &values[at].parts[values[at].n++];

			side_of_pair(&taken, at, p, part);
			split = split || side_groups_split(loop, &part->rows, &loop->groups.events[p], &loop->arena,
						     &loop->notes);
		}
	}
	if (ret == 0 && !split && taken.stolen && loop->state.rerun < allowance(loop)) {
		loop->state.rerun++;
	} else if (ret == 0 && !split) {
		for (unsigned at = 0; at < SIDES; at++) {
			struct side_result *result = loop->sides[at].result;

			store_value(loop, &loop->sides[at], &values[at]);
			result->runs[result->n_runs - 1].first = head_first == (at == HEAD);
		}
	}
	for (unsigned at = 0; at < SIDES; at++) {
		value_release(&values[at]);
		value_release(&taken.both[at]);
		for (unsigned i = 0; i < taken.n[at]; i++)
			value_release(&taken.values[at][i]);
	}
	return ret;
}

/* Returns 0 if measuring goes on. */
static int drop_pair(struct loop *loop, struct error *err)
{
	int sys = err->sys;

	if (err->kind == ERR_INTERRUPTED)
		return -1;
	loop->dropped = arena_strdup(&loop->arena, err->msg);
	loop->touched += sys == TOUCHED;
	if (++loop->state.dropped > allowance(loop) || loop->touched > TOUCHED_MOST) {
		error_set(err, err->kind, "%s; %u of %u pairs failed", loop->dropped, loop->state.dropped,
			  kept(loop) + loop->state.dropped);
		err->sys = sys;
		return -1;
	}
	if (loop->options.services != PAIR_SERVICES_BESIDE)
		return 0;
	/* The failure may have harmed a service. */
	return start_again(loop, err);
}

int pair_take(struct loop *loop, struct error *err)
{
	bool beside = loop->options.services == PAIR_SERVICES_BESIDE;

	/* Two servers of one program differ for life. That must not count as a difference of the program. */
	if (beside && kept(loop) > loop->started_at && start_again(loop, err) < 0 &&
	    (!loop->state.both || drop_pair(loop, err) < 0))
		return -1;
	return measure_pair(loop, err) < 0 ? drop_pair(loop, err) : 0;
}

/* -------- the base alone */

int pair_base_alone(struct loop *loop, struct error *err)
{
	struct side *base = &loop->sides[BASE];
	int ret = base->is_up ? 0 : side_up(base, err);
	/* The head slowed the base's runs beside it. */
	size_t wanted = BASE_ALONE + (loop->state.in_turn ? 0 : base->result->n_runs);

	while (ret == 0 && base->result->n_runs < wanted) {
		struct value value = { 0 };

		ret = measure_value(loop, base, 1, &value, err);
		if (ret == 0)
			store_value(loop, base, &value);
		value_release(&value);
	}
	return ret;
}
