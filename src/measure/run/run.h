/* The run of a scenario, on one side or on two. Each section below is the file of its name. */
#ifndef PAWL_MEASURE_RUN_RUN_H
#define PAWL_MEASURE_RUN_RUN_H

#include "measure/perf/perf.h"
#include "measure/services/services.h"
#include "model/measured.h"
#include "model/result.h"
#include "scenario/scenario.h"

/* -------- loop */

/*
 * The loop that measures one scenario: on one side, or on two in pairs, a run of each next to the other. It touches the
 * world only through struct loop_ops, so that a recorded run can stand in for a real one, and knows nothing of judging:
 * its caller decides how many runs or pairs there are to be.
 *
 *	loop_new() -> loop_measure(), as often as more are wanted -> loop_simulate(), loop_profile(), loop_waits() -> loop_free()
 *
 * Setup is run once on each side before anything else, cleanup at the end whatever happened. A failure is part of the
 * results and no error; a profile that cannot be taken is a note, and what was counted stays.
 *
 * On one side the environment stands from the first loop_measure() to loop_free(). Groups of events are counted in turn,
 * in runs of their own. A window that must not be averaged in is dropped, with a note, and three of them in a row are a
 * failure.
 *
 * In pairs the order within each pair is tossed from a seed, and run i of one result belongs to run i of the other. Each
 * loop_measure() begins with a warm-up of each side, the scenario's own and at least one run: the first run after another
 * program is slow. Commands have none where it follows the one before within LOOP_COLD_NS, as the looks of one comparison
 * do: then nothing else was measured. Services side by side are started in an order that is tossed too, and warmed up once both sides' stand:
 * otherwise one side would always be older, and would have idled longer, than the other. Commands that take less than
 * about 100 ms are batched: a side's value is then the mean of adjacent runs, `prepare` before each, rates and quotients
 * made of the sums.
 *
 * Where a program's stack begins moves its time, so for each pair that is tossed too, for each side apart.
 *
 * A pair is taken in one of two ways, or in both when some metrics need the one and some the other. Both sides at once:
 * pinned to one CPU, they change places every few milliseconds, so that whatever the machine does meets both; what they
 * are counted by is theirs alone, and time that passes is nobody's (metric_together()). In turn: one after the other. At
 * once is not for a command that uses several CPUs, or for what fails beside the other side; the warm-up shows that. Of an
 * attached target, whose services must be up side by side, both windows are open at once.
 *
 * Of an attached target one start of the services serves several windows of each side, at once or in turn there
 * and back again, whose mean is the value; their number follows from what the first pair took, so that a given certainty
 * costs the least time, and a pair fits the time it may take. For that windows are shorter, too, where the load ends when it is
 * asked to and reports what it has done. Where the events need several groups,
 * a side's runs of all groups are one value.
 *
 * A pair is dropped, and counted, when a run of it failed, when the machine slept in it, or when a clock went backward;
 * more than one in ten of those wanted (and more than one) is a failure of the scenario. A pair is measured again, at most
 * one in ten, when the hypervisor stole two ticks or more in either run: that is known before anybody looks at the times.
 * What is measured instead of such a pair has its order.
 */

enum loop_phase { PHASE_SETUP, PHASE_ENV, PHASE_WARMUP, PHASE_RUN, PHASE_SIMULATE, PHASE_PROFILE, PHASE_EVIDENCE, PHASE_CLEANUP };

struct loop_progress {
	const char *scenario;
	enum loop_phase phase;
	const char *what;	/* PHASE_ENV: the service that is being started; else NULL */
	bool windows;		/* runs are windows */
	bool pairs;		/* RUN and OF count pairs of them */
	unsigned run, of;	/* from 1; of 0: unknown */
	uint64_t left_ns;	/* estimate for this scenario; 0 unknown */
};

/* How both sides are run at once. */
struct both {
	unsigned turn;		/* another CPU for each */
	bool head_first;	/* who is released first */
	uint64_t limit_ns;	/* of windows, as loop_ops.run */
	bool load_anywhere;	/* of windows: what drives the targets is on no CPU in particular */
};

/* What the loop can do to the system, for one side. */
struct loop_ops {
	void *ctx;
	/* Run a command of the scenario that is not measured; WHAT is its key. */
	int (*command)(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
		       struct error *err);
	/* From now on what is started of the side has PAD bytes more at the end of its stack. NULL: that cannot be had. */
	void (*place)(void *ctx, size_t pad);
	/*
	 * From now on counted windows and those of a warm-up are WINDOW_NS at the most, and their load is asked to end with them; 0: as
	 * the scenario has it. NULL: likewise.
	 */
	void (*shorten)(void *ctx, uint64_t window_ns);
	/* Start the environment and find the target; what is attached to goes to RESULT. down() always follows. */
	int (*up)(void *ctx, const struct plan *plan, struct side_result *result, struct error *err);
	/* Stop the environment; what was not as it should goes to RESULT's notes. */
	void (*down)(void *ctx, const struct plan *plan, struct side_result *result);
	/*
	 * One execution of the target, or one window on it. EVENTS NULL: not counted; then a window of
	 * LIMIT_NS at the most will do, when that is not 0.
	 */
	int (*run)(void *ctx, const struct plan *plan, const struct strv *events, uint64_t limit_ns,
		   struct measured *out, struct error *err);
	/*
	 * One execution of each side's target, or one window on it, the base's first in the arrays, both at once and on one
	 * CPU; what drives a target, and services that are not the target, on the others. OUT is released by the caller,
	 * whatever happens; FAILED is whose fault an error is, or 2. An ERR_SYSTEM: this machine cannot do that. NULL:
	 * they cannot be run so. CTX's ops are those of side 0.
	 */
	int (*run_both)(void *const ctx[2], const struct plan *const plans[2], const struct both *both,
			const struct strv *events, struct measured out[2], unsigned *failed, struct error *err);
	int (*simulate)(void *ctx, const struct plan *plan, struct simulated *out, struct error *err);
	/* Profiled runs, once the counted ones are in RESULT, which gets their notes. It reports its own progress. */
	int (*profile)(void *ctx, const struct plan *plan, struct side_result *result, struct error *err);
	/* One recording of what the target waits for; what cannot be had is a note of RESULT. NULL: nobody wants it. */
	int (*waits)(void *ctx, const struct plan *plan, struct side_result *result, struct error *err);
	/*
	 * What tools tell of N sides whose environments stand, CTX of each: both at once where that can be, since nothing of it is
	 * timed. What cannot be had is no error. NULL: nobody wants to know.
	 */
	int (*evidence)(void *const ctx[], unsigned n, struct error *err);
	/*
	 * Before the first pair, of N sides that are warm and stand: what they load. 1: pairs would show nothing, so one is enough;
	 * 0: go on. NULL: nobody wants to know.
	 */
	int (*loads)(void *const ctx[], unsigned n, struct error *err);
	/* The last lines that the last command, run or simulation printed; appended. */
	void (*last_words)(void *ctx, struct strbuf *out);
	uint64_t (*now_ns)(void *ctx);
	/* Ticks that the hypervisor stole, and nanoseconds that the machine slept, since whenever. NULL: neither is known. */
	uint64_t (*stolen_ticks)(void *ctx);
	uint64_t (*slept_ns)(void *ctx);
	void (*progress)(void *ctx, const struct loop_progress *progress);
};

struct loop_side {
	const char *name;		/* of two sides "base", "head": comes before what fails; else NULL */
	const struct plan *plan;
	struct loop_ops ops;
	struct side_result *result;	/* its runs, metrics, notes, attached and profile are filled, state and failure set */
};

/* How services live while pairs are measured; never for long: see docs/scenarios.md, "Services in pairs". */
enum pair_services {
	PAIR_SERVICES_NONE,	/* the scenario has none */
	PAIR_SERVICES_BESIDE,	/* both sides' are up side by side, started anew for each pair */
	PAIR_SERVICES_AFRESH,	/* a side's are started before its window and stopped after it */
};

/* A batch takes about so long, and has no more runs than that. */
#define LOOP_BATCH_MS 100.0
enum { LOOP_BATCH_MOST = 50 };
/* What was run last so long ago is warmed up again: whatever else is measured in between takes longer. */
#define LOOP_COLD_NS (50 * NS_PER_MS)
/* One start of an attached target's services serves so many windows of each side at most. */
enum { LOOP_WINDOWS_MOST = 4 };

struct loop_options {
	unsigned counters;		/* hardware events that fit at once, 0: none */
	bool perf;			/* false: no perf at all (tier sim) */
	bool without_perf;		/* it is not wanted, for whoever sets `perf` by what the machine has */
	bool simulate;
	/* one side */
	uint64_t budget_ns;		/* from when its environment stands; one run is always measured */
	/* pairs */
	uint64_t fit_ns;		/* what a pair of an attached target may take, for which windows are fewer and shorter; 0: as long as it takes */
	uint64_t seed;
	enum pair_services services;
	bool both, in_turn;		/* both sides at once, where they can be; one after the other, also where neither is set */
	bool both_anyway;		/* at once also where the target uses several CPUs */
	unsigned batch;			/* runs, or windows, that are one value; 0: chosen by how long they take */
	unsigned wanted;		/* pairs, for how many may be dropped; more may be asked for */
};

/* What has become of pairs so far. */
struct loop_state {
	unsigned pairs, dropped, rerun, batch;
	enum pair_services services;
	bool both, in_turn;		/* how pairs are taken, once the warm-up has shown it */
	char *apart;			/* why not both at once, where that was wanted; the loop's, or NULL */
};

struct loop;

/* N (1 or 2) SIDES, the base before the head. */
struct loop *loop_new(const struct loop_side *sides, unsigned n, const struct loop_options *options);
/*
 * Measure until there are WANTED runs in which every group of events was counted, or WANTED pairs, in all. Pairs end once
 * DEADLINE_NS (0: none; by the ops' clock) has passed and none is half done. A side that fails sets the state and
 * failure of all ("base: ..."): -1 only when interrupted (state SCENARIO_PARTIAL); what is complete is kept then.
 */
int loop_measure(struct loop *loop, unsigned wanted, uint64_t deadline_ns, struct error *err);
/* Simulated values, where they are wanted; in pairs failures are notes. -1 only when interrupted. */
int loop_simulate(struct loop *loop, struct error *err);
/* A profile of each side; failures are notes. -1 only when interrupted. */
int loop_profile(struct loop *loop, struct error *err);
/* One more recording of what each side waits for, the head's first or last as it is tossed for pair I; likewise. */
int loop_waits(struct loop *loop, unsigned i, struct error *err);
/* Evidence of both sides, for the search for a cause; failures are notes. -1 only when interrupted. */
int loop_evidence(struct loop *loop, struct error *err);
struct loop_state loop_state(const struct loop *loop);
/* True once a side failed: nothing more can be measured. */
bool loop_failed(const struct loop *loop);
/* Stops what is up, runs cleanup on each side. Only then the results' notes are complete. */
void loop_free(struct loop *loop);

/* -------- loop_order */

/* What is tossed for each pair, so that it favours neither side. */

/* Whether pair I (from 0) of SEED runs its head first. */
bool loop_head_first(uint64_t seed, unsigned i);
/* How far the stack of a side is moved in pair I: a multiple of 16 below LOOP_PAD_BYTES, tossed for each side apart. */
enum { LOOP_PAD_BYTES = 4096 };
size_t loop_pad(uint64_t seed, unsigned i, bool head);
/* Whether the head's services are started first for it: tossed apart from the above, and in every two pairs once. */
bool loop_head_starts(uint64_t seed, unsigned i);

/* -------- outdir */

/*
 * Where a run leaves its files: a folder named after the time and commit, `latest` beside it
 * pointing to it, old ones pruned; or the very folder that was asked for, without either.
 */

enum { OUTDIRS_KEPT = 20 };

/* Makes PARENT/<time>-<commit> and moves PARENT/latest to it. COMMIT may be NULL. For free(). */
int outdir_make(const char *parent, const char *commit, char **out, struct error *err);
/* Removes all but the newest OUTDIRS_KEPT folders that outdir_make() named. */
void outdir_prune(const char *parent);

/* UTC now as 2026-11-20T10:05:54Z; for free(). */
char *utc_now(void);

/* -------- profile_runs */

/*
 * The profiled runs of a scenario, which come after its counted ones and never share a run with counters. Each is one
 * recording of perf's, of one execution of the target or of many short ones, or of one or more windows; its text goes to a
 * sink as soon as it is complete. Several, so that their spread shows how far one is to be trusted.
 *
 * Enough is what the scenario wants of samples, in three runs; or one run, when its pace shows that the duration
 * gives too few to judge anything by. No run, and no further execution, is begun once the scenario's duration is
 * spent. One that takes longer is still recorded to its end.
 */

/* Where the text of `perf script` goes; cmd/ binds it to profile/. */
struct profile_sink {
	void *ctx;
	/* A run's text begins. */
	int (*begin)(void *ctx, struct error *err);
	script_feed_fn *feed;
	/* It is complete; how many samples it had. One without any may be forgotten. */
	int (*end)(void *ctx, uint64_t *samples_out, struct error *err);
};

struct profile_wish {
	const struct profile_settings *settings;
	unsigned samples;		/* so many will do for now, of those of the settings; 0: all */
	struct profile_sink sink;
	const char *dir;		/* perf.data, perf-2.data, ... are left there */
};

/*
 * CPU time: of each execution, in milliseconds; of each window, per unit of work, or, where no work is reported, per
 * millisecond of it.
 */
struct cpu_times {
	double *ms;
	size_t n, cap;
};

void cpu_times_add(struct cpu_times *times, double ms);

/* What was taken, by all calls together; { 0 } before the first. */
struct profile_taken {
	/* What was used, which need not be what was wished: what was not to be had is a note. */
	const char *event;		/* as perf was asked for it; NULL: nothing was taken */
	unsigned frequency;
	enum call_graph call_graph;
	unsigned runs;
	uint64_t samples;
	double execution_ms;		/* CPU time of one execution; NaN: they were windows */
	double overhead_pct;		/* by how much an execution took more CPU time than the counted ones; NaN unknown */

	/* where another call goes on */
	struct cpu_times times;
	uint64_t spent_ns;		/* on recording; reading takes its own time, and so does a load's start and end */
	uint64_t recorded_ns;		/* on recording with all that goes with it */
	bool noted;			/* that it stays with few */
};

void profile_taken_release(struct profile_taken *taken);

/* How much one run is to record. */
struct record_quota {
	double cpu_ms;			/* begin no further execution, or window, once so much CPU time was used */
	unsigned executions;		/* or once there were so many of them; 0: any number */
	uint64_t until_ns;		/* or once it is so late; the first is always begun */
	uint64_t window_ns;		/* or, of windows, once so much time has passed since the first began */
};

struct profile_ops {
	void *ctx;
	/*
	 * One recording of the target as SPEC says. SPENT_NS is what it takes of the duration: all of it, but of windows
	 * from the first one's begin to the last one's end.
	 */
	int (*record)(void *ctx, const struct record_spec *spec, const struct record_quota *quota, struct cpu_times *out,
		      uint64_t *spent_ns, struct error *err);
	void (*progress)(void *ctx, unsigned run, unsigned of);
};

/*
 * Goes on from what TAKEN has until there are as many samples as WISH has, or until more are not to be had. COUNTED has the
 * counted runs; notes on how the profile was taken go to it. -1: there is no profile, TAKEN says so, and what the sink was
 * given is not to be used.
 */
int profile_runs_take(struct session *session, const struct profile_wish *wish, const struct profile_ops *ops,
		      struct side_result *counted, struct profile_taken *taken, struct error *err);

/* -------- record */

struct record_wish;

/*
 * As many samples as tell a share of 1 % from one of 2 %, at a rate that fits the CPU time of one execution, or window, that was
 * COUNTED. False: nothing can be sampled on a machine of TIER.
 */
bool record_cpu(enum tier tier, const struct side_result *counted, struct record_wish *out);
/* The same of page faults, each so many of them a sample. */
bool record_faults(enum tier tier, const struct side_result *counted, struct record_wish *out);
/* Every time a thread leaves the CPU, and how long it is away: text for offcpu_feed(). ERR_SYSTEM with what would permit it. */
int record_switches(enum tier tier, const struct side_result *counted, struct record_wish *out, struct error *err);

/* -------- runtimes */

/*
 * Engines that make code while they run (Python from 3.12 on, Node, Java) tell perf what it is called in a file for each process, when
 * they are asked to by a variable: targets that are recorded are, those that are counted are not. These files, and what else
 * engines leave for it, are removed afterwards.
 *
 *	runtimes_begin(&r);
 *	runtimes_ask(&spec, &environment);	for each execution that is recorded
 *	...					what was recorded is read by perf script
 *	runtimes_end(&r, cwd, root);
 */
struct runtimes {
	struct strv before;	/* such files that were there */
	pid_t last;		/* the last process of this PID namespace that had started; 0: unknown */
};

void runtimes_begin(struct runtimes *r);
/* The whole environment for SPEC, to an empty OUT. */
void runtimes_ask(const struct child_spec *spec, struct strv *out);
/* The targets were started in CWD or below ROOT. */
void runtimes_end(struct runtimes *r, const char *cwd, const char *root);

/* -------- system */

/* The run loop's operations on real processes. */

struct system;

/* What takes the evidence of N sides, which struct loop_ops asks for; cmd/ binds it to what reads it. */
struct evidence_wish {
	int (*take)(void *ctx, struct system *const systems[], unsigned n, struct error *err);
	void *ctx;
};

/* What takes profiles of other kinds than the CPU's time, likewise; what cannot be had is a note of RESULT. -1: interrupted. */
struct kinds_wish {
	int (*take)(void *ctx, struct system *system, struct side_result *result, struct error *err);
	void *ctx;
};

struct system {
	struct session *session;
	struct env env;
	struct attached attached;	/* label NULL: the target is a service, or a command */
	bool keep_env;		/* leave the environment up */
	struct kept_env kept;
	bool echo;		/* print what the target prints on standard error, run by run */
	uint64_t window_ns;	/* see loop_ops.shorten */
	const char *log_dir;	/* setup.log, target.log, ... are kept here; NULL: nowhere */
	struct simulation simulation;	/* where loop_options.simulate is set */
	struct profile_wish profile;	/* where loop_options.profile is set */
	struct profile_taken taken;	/* what came of it; event NULL: nothing */
	struct kinds_wish kinds;	/* take NULL: none */
	struct kinds_wish waits;	/* for struct loop_ops; take NULL: nobody wants to know */
	struct evidence_wish evidence;	/* take NULL: none is wanted */
	struct evidence_wish loads;	/* for loop_ops.loads, likewise */
	struct strbuf words;	/* the end of what was printed last */
	struct strbuf target;	/* and of what the target printed last */
	void (*progress)(void *ctx, const struct loop_progress *progress);
	void *progress_ctx;
};

struct loop_ops system_ops(struct system *system);

/*
 * One recording of the target, with whole call paths, for the search for a cause: shares only, so nothing of it is timed.
 * record_cpu() and its kin fill in all but the sink.
 */
struct record_wish {
	const char *event;		/* "cpu-clock", "page-faults:u" */
	unsigned frequency;		/* Hz; 0: by period */
	uint64_t period;		/* events a sample */
	unsigned samples;		/* by frequency: enough, as CPU time foresees */
	unsigned executions;		/* no more of them, or windows; 0: any number */
	uint64_t duration_ns;		/* begin no further execution after it */
	uint64_t limit_ns;		/* of recording and reading; reading has two thirds of it however long an execution took; 0: none, but 15 s for reading */
	enum call_graph call_graph;
	bool switches;			/* as of struct record_spec, and the next */
	unsigned stack_bytes;
	bool *cut;			/* as of struct recorded */
	struct profile_sink sink;
};

/* The environment stands. The sink's samples of threads called KEEPER_NAME are pawl's own. */
int system_record(struct system *system, const struct record_wish *wish, struct error *err);
/*
 * One window on a target that runs already under strace, of WISH's limit at the most, for which its load runs. What the load did
 * meanwhile goes to WORK_OUT; 0: it does not say. The environment stands. ERR_SYSTEM with what to do.
 */
int system_trace(struct system *system, const struct strace_wish *wish, struct strace_text *out, double *work_out, struct error *err);
/*
 * What the next execution of each of N systems is, its input prepared: for traced_run(), strace_run(). Environments stand; it holds
 * as long as they do. ERR_SYSTEM for a target that runs already.
 */
int system_specs(struct system *const systems[], unsigned n, struct target_spec *specs, struct error *err);
/*
 * Writes what the target printed to target.log, or what the load of an attached one did to load.log: it waits
 * until no measurement can be disturbed. Frees what is held.
 */
void system_finish(struct system *system);

/* -------- two_sides */

/* What a scenario says of being run on two sides. */

/*
 * How SCENARIO's services can live in pairs: beside each other where each of them listens on a port of its own (it speaks
 * of ${port}) or on no port at all and in a folder of its own (it speaks of ${tmp}), and where the target is found by its
 * service, its port, or a file in such a folder.
 */
enum pair_services two_sides_services(const struct scenario *scenario);
/*
 * 0, or -1 with an ERR_INPUT when SCENARIO cannot be run in two trees, since its target runs already and nothing in the
 * scenario starts it.
 */
int two_sides_refuse(const struct scenario *scenario, struct error *err);

/* -------- warnings */

/* What to warn of in the windows of a side, gathered for one note instead of one each. */
struct warnings {
	unsigned windows, dropped, hasty, unwaited;
	char *why;		/* the last one was dropped, or NULL */
};

void warnings_add(struct warnings *warnings, const struct measured *window);
/*
 * At most one note of each kind, to RESULT; none of windows of which no other remains: that is the failure. WHAT they are
 * called: "window".
 */
void warnings_note(const struct warnings *warnings, const char *what, struct side_result *result);

/* -------- window */

/*
 * One window on a running target: perf attached to all its processes and threads, counting (or sampling)
 * switched on and off at the window's edges, the load running throughout.
 *
 * A load that works at a rate is started first, so that the window lies inside it and begins when the
 * target has begun to work; a load of fixed
 * work is started once counting is on, and the window lasts until it ends. Children that the target
 * forks are counted (perf's events inherit).
 */

/*
 * One recording, sampled in one window or more. The first of them attaches perf, whoever made it ends and disposes of it. It
 * follows what its processes fork; what joins a cgroup or container from elsewhere is seen by the next recording.
 */
struct window_recording {
	struct record_spec spec;
	uint64_t length_ns;	/* since it began; windows that the load does not end are over by then */
	struct perf record;	/* PERF_INIT */
	bool attached;
	uint64_t began_ns, ended_ns;	/* with the first window, and with the last one; 0 before */
};

struct window_trace {
	struct strace_wish wish;
	struct strace strace;
};

struct window_spec {
	struct session *session;
	const struct plan *plan;
	struct env *env;
	const struct attached *attached;	/* NULL: the target is a service of ENV */
	uint64_t limit_ns;			/* of a warm-up: it lasts no longer; 0: as the scenario says */
	uint64_t window_ns;			/* as loop_ops.shorten has it; not of what is recorded or traced */
	struct window_recording *recording;	/* sampled instead of counted; or NULL */
	/*
	 * Traced instead of counted, or NULL: from before the load starts until it has ended, and the work is what it did in all. It has
	 * `limit_ns`, then it gets SIGINT, and may print its figures. Whoever made the trace ends it.
	 */
	struct window_trace *trace;
	/* While it lasts, the target is on the former, its load and the other services on the latter; NULL: where they are. */
	const char *cpus, *other_cpus;
	bool load_anywhere;			/* but for the load */
};

/*
 * EVENTS may be NULL: nothing is counted, as in a warm-up, or while it is sampled; with a limit what the load printed
 * is not read. A target, a service or a load that fails is an ERR_TARGET; OUT->dropped is set for a window that must not
 * be averaged in. OUTPUT gets the end of what the load printed, whatever happens.
 */
int window_run(const struct window_spec *spec, const struct strv *events, struct measured *out, struct strbuf *output,
	       struct error *err);

/*
 * N of them at once, as window_run(): counting is switched on for all, and loads of fixed work are released, in this order.
 * Each window ends when its load does, or all together when their time is over. None of them records.
 */
int windows_run(const struct window_spec *specs, struct outcome *outcomes, size_t n, const struct strv *events,
		struct error *err);
/*
 * True when a target did nothing in a window: it used less than 1 % of a CPU (0.1 % of one that is SHARED with the other side). On
 * a busy machine one that works may get less. So if its load reported WORK (0: unknown), 1 us a unit is enough.
 */
bool window_is_idle(double cpu_ms, double wall_ms, double work, bool shared);

#endif
