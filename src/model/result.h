/*
 * The result of one invocation: the machine, and the runs, gates and explanation of each scenario. Measuring fills
 * the runs, judging fills the gates. Renderers and result.json only read it. A result, each scenario and each side
 * has an arena, which owns its texts and lists.
 */
#ifndef PAWL_MODEL_RESULT_H
#define PAWL_MODEL_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "model/baseline.h"
#include "model/cause.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/profile.h"

/*
 * The files that judged a result. A foreign change is judged by pawl.yaml, scenarios and baselines of its base. Also
 * lists how the change edits these files.
 */

enum judge_change { JUDGE_EDITED, JUDGE_ADDED, JUDGE_REMOVED, JUDGE_RENAMED };

/* Most edits kept. */
enum { JUDGE_EDITS_MOST = 2000 };

struct judge_edit {
	const char *path;		/* relative to the project's root; if renamed, the old path */
	enum judge_change change;
	const char *note;	/* its effect, or NULL; if renamed, the new path */
};

/* The arena owns the texts and lists. */
struct judged_by {
	struct arena arena;
	const char *ref;	/* "origin/main", "../old"; NULL: files of the measured tree */
	const char *commit;	/* full; NULL: REF is a folder */
	bool own;		/* the measured tree's files judged anyway, and REF is compared with them */
	struct judge_edit *edits;	/* each path once */
	size_t n_edits, cap_edits;
	struct strv open;	/* parts that are not protected from the change, and why */
};

void judged_by_release(struct judged_by *by);
/* Adds an edit. The first edit of a path is kept. NOTE may be NULL. */
void judged_by_add(struct judged_by *by, const char *path, enum judge_change change, const char *note);
/* Adds edits that INTO lacks, to merge shards. */
void judged_by_merge(struct judged_by *into, const struct judged_by *from);

extern const char *const judge_change_names[];	/* "edited", ...; NULL-terminated */

enum { RESULT_SCHEMA = 2, RESULT_SCHEMA_OLDEST = 1, BASELINE_SCHEMA = 1 };

/* One row of `perf stat` as read. */
enum row_state { ROW_COUNTED, ROW_NOT_COUNTED, ROW_NOT_SUPPORTED };

struct perf_row {
	char *event;		/* as perf printed it: "instructions:u" */
	enum row_state state;
	double value;		/* in perf's unit: msec for clocks, else counts */
	uint64_t run_ns;	/* time that the event was counted */
	double running_pct;	/* 100: all the time; less: extrapolated by perf */
};

struct perf_rows {
	struct perf_row *items;
	size_t n, cap;
};

/* Releases rows from malloc(). The rows of a run belong to its side. */
void perf_rows_release(struct perf_rows *rows);
/* Appends copies to OUT, which lives in ARENA. */
void perf_rows_copy(struct arena *arena, struct perf_rows *out, const struct perf_rows *from);

/* One measured run: values parallel to the side's `metrics`, and perf's rows as read. */
struct run {
	double *values;
	struct perf_rows rows;
	unsigned group;		/* event group that was counted, from 0 */
	bool first;		/* first of its pair */
	double both_ms;		/* wall time with the other side of its pair on the same CPU; 0: it ran alone; not stored */
};

/* The result of one comparison of a gate's metric. */
struct judgement {
	bool done;		/* it was made, or `reason` tells why it was not */
	enum verdict verdict;
	const struct metric *metric;	/* metric of the values: gate.metric, or its normalised or simulated metric */
	double baseline, current;		/* medians in the metric's unit; NaN: not measured. In pairs their ratio is change_pct */
	double change_pct, low_pct, high_pct;	/* of current against baseline, raw sign; NaN: unknown */
	double tolerance_pct;
	size_t n_baseline, n_current;
	bool counted_otherwise;	/* the baseline's values come from another simulator, so that only a base measured here compares */
	bool gross;		/* against stored runs: so far from all of them that few runs prove it, without pairs */
	const char *reason;		/* one sentence, or NULL for a plain pass */
	unsigned pairs;		/* number of pairs behind it; 0: it needed no pairs */
	double more_pairs;	/* inconclusive in pairs: estimate of further pairs needed; INFINITY: cannot be decided on this machine */
	double detectable_pct;	/* in pairs: the smallest change found four times of five; NaN: unknown */
};

/*
 * Most values kept of a session. Beyond, a selection represents all of them and includes the smallest and the
 * largest.
 */
enum { ACCEPTED_VALUES_MOST = 20 };

/* A session of the stored baseline for a gate's metric, for pictures of the comparison. */
struct accepted_session {
	const char *date;		/* UTC, as a session has it */
	const char *commit;		/* or NULL */
	size_t runs;			/* runs with a value */
	double median;
	double values[ACCEPTED_VALUES_MOST];	/* in order of measurement; sorted if a selection */
	size_t n;
};

/* One gate of a scenario with its judgements. */
struct gate_result {
	struct gate gate;	/* the gate as it was judged */
	const char *share;		/* GATE_SHARE: what it limits: "symbol sqlx::*"; else NULL */
	struct judgement stored;	/* against the stored baseline; `baseline` is its median */
	struct judgement paired;	/* in pairs, or by the medians of both sides; `baseline` is the base's median */
	bool by_baseline;		/* both were made, and `stored` counts: see judge_beside_pairs() */
	struct accepted_session *sessions;	/* sessions that `stored` was compared with, oldest first */
	size_t n_sessions, cap_sessions;
};

/* Returns the "metric" of result.json: "task-clock", "symbols", "dso libc.so*". */
const char *gate_name(const struct gate_result *gate);
/* Returns the judgement that counts: the one in pairs if there is one, unless the baseline's is the worse of a count. */
const struct judgement *gate_judgement(const struct gate_result *gate);
/* True if the gate was judged in pairs and against the baseline. */
bool gate_judged_again(const struct gate_result *gate);
/* Resets to not done and not measured, with every number NaN and GATE's tolerance. */
void judgement_reset(struct judgement *judgement, const struct gate *gate);

enum symbol_change {
	SYMBOL_SAME,		/* or nothing to compare with */
	SYMBOL_ROSE, SYMBOL_FELL,
	SYMBOL_NEW,		/* not in the base's profile */
	SYMBOL_VANISHED,	/* not in the head's profile */
	SYMBOL_MOVED,		/* rose by as much as another fell: inlined, renamed, moved */
};

extern const char *const symbol_change_names[];	/* "moved", ...; NULL-terminated */

/* One symbol of either profile with its verdict. Costs are per run, or per unit of work if that is known. */
struct symbol_result {
	const char *symbol, *dso;
	double share_pct, base_share_pct;	/* self; NaN: that side has no profile */
	double low_pct, high_pct;		/* interval of share_pct, from its samples */
	double total_pct;			/* inclusive share */
	uint64_t samples, base_samples;
	double change_pp, error_pp;		/* percentage points; error is one standard error; NaN: unknown */
	double cost_ms, base_cost_ms;		/* share x task-clock; NaN: unknown */
	enum symbol_change change;
	const char *moved;				/* SYMBOL_MOVED: to or from which symbol */
	enum verdict verdict;
	const char *reason;				/* or NULL */
};

/* A symbol that was not measured, with every number NaN. */
extern const struct symbol_result symbol_result_empty;

enum scenario_state {
	SCENARIO_MEASURED,
	SCENARIO_FAILED,	/* the target failed, hung or could not be started: status 3 */
	SCENARIO_PARTIAL,	/* interrupted before its runs were complete */
	SCENARIO_SKIPPED,	/* never started: interrupted before */
};

/* Measurements of one tree: its runs, and facts about them. Start with side_result_init(). */
struct side_result {
	struct arena arena;
	const char *label;		/* in pairs: name in reports: "main (1a2b3c4d5e6f)", "../old", "./old --fast" */
	const char *commit;		/* in pairs: full id if it is the tree of a commit; or NULL */
	enum scenario_state state;
	const char *failure;		/* what failed, or NULL; in pairs a failure of either side is on both */
	double timed_out_ms;	/* timeout that a run reached; 0: no run did */
	const char *log_tail;		/* last lines of the failed target's output, or NULL */
	const char *log_path;		/* file with all of it, or NULL */

	struct own_metrics own_metrics;
	const struct metric **metrics;	/* columns of runs */
	size_t n_metrics, cap_metrics;
	struct run *runs;		/* counted runs in order; in pairs one for each pair */
	size_t n_runs, cap_runs;

	const char *work_unit;	/* unit of the load's work in the singular: "request"; NULL: no load reports its work */
	const char *attached;		/* the attached target: "service redis (pid 12)"; or NULL */
	const char *executable;	/* identity of the command's file, or NULL */
	const char *simulator;	/* dependencies of simulated values besides the program: valgrind, its settings, the C library's build; NULL: nothing simulated */
	double alone_ms;	/* wall time of the shortest warm-up run, if that chose how pairs are taken; else 0; not stored */
	unsigned runs_wanted;
	struct strv notes;	/* notes for the reader: budget ended early, steal, multiplexing, ... */
	struct profile profile;
};

/* Start of a side's note on why its threads' waiting is unknown. */
#define NOTE_NO_WAITING "no profile of waiting could be taken"

/* Start of a side's note on why it has no simulated values. */
#define NOTE_NOT_SIMULATED "nothing was simulated"
/* The same for system calls and processes. */
#define NOTE_NOT_TRACED "system calls were not counted"

/* How the two runs of a pair are scheduled. */
enum pair_way {
	PAIR_IN_TURN,	/* one after the other, in random order */
	PAIR_TOGETHER,	/* both at once on one CPU; wall time is not measured */
	PAIR_BOTH_WAYS,	/* together, and in turn for gates that need it */
};

extern const char *const pair_way_names[];	/* "in-turn", ...; NULL-terminated */

/* How a scenario was measured in pairs. Run i of the base is paired with run i of the head. */
struct pairing {
	enum pair_way way;
	const char *apart;	/* why not together although requested; or NULL */
	uint64_t seed;		/* of the order within the pairs */
	unsigned gates;		/* m: the number of gates that share the error */
	unsigned pairs_least, pairs_most;	/* pairs at the first look, if that was asked for; and at the last */
	unsigned batch;		/* adjacent runs, or windows of one start, behind each value; 1: no batch */
	unsigned commits;	/* commits from the base's, exclusive, to the head's; 0: unknown */
	unsigned dropped, rerun;	/* pairs with a failed run; pairs repeated because of steal */
	double floor_pct;
	const char *services;		/* lifetime of services, a phrase such as "... for each pair, side by side"; NULL: none */
	const char *one_program;	/* why both sides ran one program although their trees differ, so pairs show no change; or NULL */
	const char *unchanged;		/* why the programs may lack the change: see programs_unchanged(); or NULL */
	struct identical_build {
		const char *binary;	/* identity of the program; NULL: something may differ, or it was not looked at */
		unsigned libraries, files;	/* equal ones that it loads and reads */
	} identical;			/* nothing can differ, so no pair was measured */
	bool same_wanted;	/* a difference of the work is a failed gate; not stored */
	bool work_known;	/* it was compared; not stored */
	const char *other_work;	/* how the head's output or files differ: "head prints other output from line 17"; or NULL */
	bool ended;		/* no more pairs follow */
	bool counts;		/* only counts are judged, by one run of each side */
	bool both_ways;		/* see struct paired_terms; not stored */
	bool confirming;	/* only gates that need confirming are judged */
};

/* Seconds spent on each phase of a scenario, including child processes and waiting; 0: phase not used. */
struct phases {
	double setup_s, services_s, warm_up_s;
	double runs_s;		/* or windows, or pairs with the starts and warm-ups in between */
	double simulation_s;
	double profile_s;	/* includes reading the recording and drawing its pictures */
	double evidence_s;	/* the search for the cause */
	double cleanup_s;
	double confirmation_s;	/* comparing in pairs after it had been measured alone */
};

/* True if nothing was measured, or by an older pawl without these times. */
bool phases_empty(const struct phases *phases);

struct scenario_result {
	struct arena arena;
	const char *name, *path;	/* path of the scenario file, as given */
	const char *class;	/* in merged results of several machine classes, the class that measured it; else NULL */
	const char *label;	/* "parse on CLASS" if another class has the same name, see result_label(); not stored */
	const char *description;
	int status;		/* 0, 1, 3 or 4, as for the whole result */
	struct settings settings;
	const char *measurement;	/* as in struct baseline_session: identifies the runs in every copy; or NULL */
	struct strv variables;	/* names of pawl's environment variables that the command received */
	struct phases phases;
	struct symbol_gate symbol_gate;
	struct share_budget *budgets;
	size_t n_budgets, cap_budgets;

	struct side_result head;	/* measured alone, or paired with the base */
	bool paired;			/* measured in pairs, as in `pairing` */
	struct pairing pairing;
	struct side_result base;	/* in pairs */
	struct side_result again;	/* when confirming: the head once more, paired with the base */

	/* judged: */
	struct symbol_result *symbols;	/* hottest first, then vanished ones */
	size_t n_symbols, cap_symbols;
	struct gate_result *gates;
	size_t n_gates, cap_gates;
	const char *baseline_path;	/* the baseline compared with, or NULL */
	const char *baseline_label;	/* "2026-11-20, commit a1b2c3d, 3 sessions" */
	const char *baseline_class;	/* its machine class, or NULL */
	bool accepted_kept;	/* the build that the baseline accepted is at hand: pairs with it decide every time; not stored */
	const char *folder;	/* folder of its files, if known to the code that measured or read it; not stored; or NULL */
	const char *base_folder;	/* folder of the result compared with (pawl compare); not stored; or NULL */
	bool difference;	/* diff.svg in the run's folder shows the change since that baseline */
	struct cause *causes;	/* causes of the regression, the largest first */
	size_t n_causes, cap_causes;
	struct strv evidence;	/* lines: evidence for the causes, and what could not be found, with reasons */
	struct strv explanation;	/* lines that explain the change */
	struct strv rougher;	/* lines of `explanation` that a cause replaces; not stored */
	size_t n_cost_lines;	/* number of leading lines of `explanation` that hold only if a cost changed; not stored */
	const char *idle;		/* a target that does next to nothing: what it does, and a remedy; or NULL */
	const char *waits;		/* stored runs: a sentence on a rise of wall time that neither CPU time nor a gate shows; or NULL */
};

enum result_mode {
	MODE_STORED,	/* compared with stored baselines */
	MODE_PAIRED,	/* two trees or commands in pairs */
};

/* "stored", "paired"; NULL-terminated. */
extern const char *const result_mode_names[];

struct result {
	struct arena arena;
	enum result_mode mode;
	struct strv command;	/* words of the pawl command line */
	struct strv options;	/* words that decide what is measured and how it is judged, with their values; not stored */
	const char *date;		/* UTC, as in struct baseline_session */
	const char *commit;		/* of the project, with "+dirty" for uncommitted changes; or NULL */
	const char *repository;		/* its address on a forge, https and without credentials; or NULL */
	const char *ci_run;		/* address of the CI run that measured; or NULL */
	const char *pawl;		/* version */
	const char *out_dir;		/* folder of the result, or NULL */
	bool strict;
	bool partial;		/* interrupted */
	int status;
	double elapsed_s;
	struct machine machine;
	struct strv notes;
	struct judged_by judged_by;
	const char *shard;	/* "2/3" of the selected scenarios; or NULL */
	struct strv suite;	/* all selected names, if this is a shard of them */
	bool merged;		/* merged from several results; not stored */
	bool latest;		/* its folder is the project's newest, which `pawl baseline update` takes over; not stored */
	struct strv mixed;	/* sentences: why the merged results do not belong together */
	struct strv busy;	/* how busy the machine was, if times count for little; empty: it was quiet */
	struct scenario_result *scenarios;
	size_t n_scenarios, cap_scenarios;
};

void result_release(struct result *result);
/* Returns the command line that made it, for free(); NULL if unknown. */
char *result_command_line(const struct result *result);
/* True if `pawl compare` made it from two results. It then has no runs of its own to repeat or accept. */
bool result_compares(const struct result *result);
struct scenario_result *result_add_scenario(struct result *result, const char *name);
/* Returns the first scenario with this name, or NULL. */
const struct scenario_result *result_scenario(const struct result *result, const char *name);
void scenario_result_release(struct scenario_result *scenario);
/* Returns the name in reports: its name, with the machine class if two have the same name. */
const char *scenario_result_label(const struct scenario_result *scenario);
/* Sets the labels. All scenarios must be added before. */
void result_label(struct result *result);

/* Prepares SCENARIO for pairs. CONFIRMING keeps the head's own runs and pairs the head once more. */
void scenario_result_pair(struct scenario_result *scenario, bool confirming);
/* Makes SCENARIO one that was measured alone. The head's runs stay. */
void scenario_result_unpair(struct scenario_result *scenario);
/* Returns the head's side that is compared with the base or baseline: the one measured in pairs, if any. */
struct side_result *scenario_result_measured(const struct scenario_result *scenario);
/* Returns the number of complete pairs; 0 without a pairing. */
size_t scenario_result_pairs(const struct scenario_result *scenario);
/* True if METRIC's values come from runs of both sides at once, see metric_together(). */
bool scenario_result_together(const struct scenario_result *scenario, const struct metric *metric);
/*
 * Returns METRIC's values of both sides, pair by pair, NaN if not measured; for free(). *N_OUT is the number of
 * pairs.
 */
void scenario_result_pair_values(const struct scenario_result *scenario, const struct metric *metric, double **base_out,
				 double **head_out, size_t *n_out);

void side_result_init(struct side_result *side);
void side_result_release(struct side_result *side);
/* Returns the column of METRIC, appending it if missing. Runs added later have it. */
size_t side_result_column(struct side_result *side, const struct metric *metric);
/* True if SIDE has a column of METRIC. */
bool side_result_knows(const struct side_result *side, const struct metric *metric);
/* True if SIDE has benchmarks: its runs last as long as they are asked to, so that what they cost as a whole says nothing. */
bool side_result_benchmarks(const struct side_result *side);
/* Returns the value of METRIC in RUN of SIDE, or NaN. */
double run_value(const struct side_result *side, const struct run *run, const struct metric *metric);
/* Adds a run with every value NaN; valid until the next call. */
struct run *side_result_add_run(struct side_result *side);
/* Returns all measured values of METRIC in order of the runs; for free(). *N_OUT may be 0. */
double *side_result_values(const struct side_result *side, const struct metric *metric, size_t *n_out);
/* Returns the median of METRIC's values; NaN without any. */
double side_result_median(const struct side_result *side, const struct metric *metric);
/* Returns the number of runs that measured METRIC. */
size_t side_result_count(const struct side_result *side, const struct metric *metric);
/* Returns METRIC as shown for SIDE: normalised if SIDE counts operations and METRIC grows with them. */
const struct metric *side_result_normalised(const struct side_result *side, const struct metric *metric);
/*
 * Returns the smallest change of VALUES, the metric that GATE is judged by, that counts, in their unit; 0: any.
 * PAIRED: in pairs.
 */
double side_result_least(const struct side_result *side, const struct gate *gate, const struct metric *values, bool paired);

struct gate_result *scenario_result_add_gate(struct scenario_result *scenario, const struct gate *gate);
/* Clears the judgements but keeps the gate. */
void gate_result_forget(struct gate_result *gate);

/* Copies the scenario's gates on symbols. */
void scenario_result_gate_symbols(struct scenario_result *scenario, const struct symbol_gate *gate,
				  const struct share_budget *budgets, size_t n_budgets);
/* Adds a symbol whose numbers are NaN; valid until the next call. */
struct symbol_result *scenario_result_add_symbol(struct scenario_result *scenario, const char *symbol, const char *dso);
/*
 * Returns the symbol that gates.symbols reports: of those with the worst verdict, the one that may have risen most.
 * NULL if no symbol was judged.
 */
const struct symbol_result *scenario_result_worst_symbol(const struct scenario_result *scenario);
/* Replaces the baseline that SCENARIO was compared with. Takes over CLASS, which is from malloc(). */
void scenario_result_set_baseline(struct scenario_result *scenario, const char *path, const char *label, char *class);
/* True if an identity tells which program made its runs. Services may change without one. */
bool scenario_result_identified(const struct scenario_result *scenario);
/* Returns the word for N of its runs: "run", "runs"; for an attached target "window", "windows". */
const char *scenario_result_runs(const struct scenario_result *scenario, size_t n);
/* Returns the load's unit of work in the singular: "request", or "unit of work" if unknown. */
const char *scenario_result_work_unit(const struct scenario_result *scenario);

/* True if any gate's verdict is a regression. */
bool scenario_result_regressed(const struct scenario_result *scenario);

/* True if the cost of a run changed: a decided change of a time, or of a component of times. */
bool scenario_result_cost_changed(const struct scenario_result *scenario);
/* True if a run reached its timeout, and this counts as a regression. */
bool scenario_result_overran(const struct scenario_result *scenario);

/* Recompute a scenario's status from its state and gates, and the result's from all scenarios. */
void scenario_result_settle(struct scenario_result *scenario, bool strict);
void result_settle(struct result *result);
/* True if a gate judges METRIC or uses its values. */
bool scenario_result_is_gated(const struct scenario_result *scenario, const struct metric *metric);
/*
 * True for pawl's own gate on symbols without a profile to compare with, or with too few samples. It is shown with
 * its reason, but does not warn about the whole result.
 */
bool gate_result_quiet(const struct gate_result *gate);
/* True if the gate compared something or checked a budget. A new gate may still have a budget. */
bool gate_result_judged(const struct gate_result *gate);
/* True if at least one gate did. */
bool result_judged_anything(const struct result *result);

/* Commits for reports, as plain values. */

/* Characters of a commit's id that are printed. */
enum { COMMIT_SHOWN = 12 };

struct commit {
	char *id;			/* full */
	char *date, *subject;		/* untrusted text; the date is 2026-11-20 */
};

struct commits {
	struct commit *items;
	size_t n, cap;
};

void commits_release(struct commits *commits);
/* Appends copies. */
void commits_add(struct commits *commits, const char *id, const char *date, const char *subject);

#endif
