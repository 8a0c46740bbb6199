/*
 * What one invocation found: the machine, and per scenario its runs, gates and explanation.
 * Filled by measuring (runs), then by judging (gates), then only read: renderers, result.json.
 * A result, each of its scenarios and each of their sides has an arena, which holds its texts and lists.
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
 * Whose files judged a result: pawl.yaml, scenarios and baselines of the base where somebody else's change is
 * measured, and what that change makes of them.
 */

enum judge_change { JUDGE_EDITED, JUDGE_ADDED, JUDGE_REMOVED, JUDGE_RENAMED };

/* More of them are not kept. */
enum { JUDGE_EDITS_MOST = 2000 };

struct judge_edit {
	const char *path;		/* below the project's root; of one that was renamed the old one */
	enum judge_change change;
	const char *note;	/* what that means, or NULL; of one that was renamed the new path */
};

/* Its texts and lists are its arena's. */
struct judged_by {
	struct arena arena;
	const char *ref;	/* "origin/main", "../old"; NULL: the files of the tree that was measured */
	const char *commit;	/* full; NULL: REF is a folder */
	bool own;		/* the measured tree's files judged all the same; REF is what they are compared with */
	struct judge_edit *edits;	/* each path once */
	size_t n_edits, cap_edits;
	struct strv open;	/* what is not protected from the change, and why */
};

void judged_by_release(struct judged_by *by);
/* The first word on a path counts; NOTE may be NULL. */
void judged_by_add(struct judged_by *by, const char *path, enum judge_change change, const char *note);
/* What INTO has not yet: of shards that are merged. */
void judged_by_merge(struct judged_by *into, const struct judged_by *from);

extern const char *const judge_change_names[];	/* "edited"; of each, then NULL */

enum { RESULT_SCHEMA = 2, RESULT_SCHEMA_OLDEST = 1, BASELINE_SCHEMA = 1 };

/* One row of `perf stat`, as it was read. */
enum row_state { ROW_COUNTED, ROW_NOT_COUNTED, ROW_NOT_SUPPORTED };

struct perf_row {
	char *event;		/* as perf wrote it: "instructions:u" */
	enum row_state state;
	double value;		/* in the unit perf prints: msec for clocks, else counts */
	uint64_t run_ns;	/* how long the event counted */
	double running_pct;	/* 100: all the time; less: extrapolated by perf */
};

struct perf_rows {
	struct perf_row *items;
	size_t n, cap;
};

/* Of those that malloc() gave; those of a run are its side's. */
void perf_rows_release(struct perf_rows *rows);
/* Appends copies to OUT, which lives in ARENA. */
void perf_rows_copy(struct arena *arena, struct perf_rows *out, const struct perf_rows *from);

/* One measured run: values parallel to the scenario's `metrics`, and perf's rows untouched. */
struct run {
	double *values;
	struct perf_rows rows;
	unsigned group;		/* which event group was counted, from 0 */
	bool first;		/* of its pair */
	double both_ms;		/* how long it took beside the other side of its pair, on one CPU; 0: it was not; not stored */
};

/* What one comparison found of a gate's metric. */
struct judgement {
	bool done;		/* it was made, or could not be, and `reason` is why */
	enum verdict verdict;
	const struct metric *metric;	/* whose values it rests on: gate.metric, or its normalised or simulated metric */
	double baseline, current;		/* medians, in the metric's unit; NaN when not measured. In pairs their ratio is change_pct */
	double change_pct, low_pct, high_pct;	/* of current against baseline, raw sign; NaN unknown */
	double tolerance_pct;
	size_t n_baseline, n_current;
	bool gross;		/* against stored runs: so far from all of them that few runs prove it, and pairs need not */
	const char *reason;		/* one sentence, or NULL for a plain pass */
	unsigned pairs;		/* it rests on so many pairs; 0: it needed none */
	double more_pairs;	/* inconclusive in pairs: about so many more would decide; INFINITY: none would on this machine */
	double detectable_pct;	/* in pairs: the smallest change that is seen four times of five; NaN unknown */
};

/* Of a session no more values are kept: beyond, some that stand for all, the least and the most among them. */
enum { ACCEPTED_VALUES_MOST = 20 };

/* What a session of the stored baseline had of a gate's metric: for the pictures of what is compared. */
struct accepted_session {
	const char *date;		/* UTC, as a session has it */
	const char *commit;		/* or NULL */
	size_t runs;			/* that measured it */
	double median;
	double values[ACCEPTED_VALUES_MOST];	/* as they came, else sorted */
	size_t n;
};

/* One metric over all runs of a scenario, as text and judgement need it. */
struct gate_result {
	struct gate gate;	/* what was tolerated */
	const char *share;		/* GATE_SHARE: what it limits, "symbol sqlx::*"; else NULL */
	struct judgement stored;	/* against the stored baseline; `baseline` is its median */
	struct judgement paired;	/* in pairs, or by the medians of both sides; `baseline` is the base's median */
	struct accepted_session *sessions;	/* of what `stored` was compared with, oldest first */
	size_t n_sessions, cap_sessions;
};

/* "task-clock", "symbols", "dso libc.so*": the result's "metric". */
const char *gate_name(const struct gate_result *gate);
/* The one that counts: of both, the one in pairs, which then has confirmed the other or not. */
const struct judgement *gate_judgement(const struct gate_result *gate);
/* True when pairs judged again what had been compared with the stored baseline. */
bool gate_judged_again(const struct gate_result *gate);
/* Not done, not measured, every number NaN, with GATE's tolerance. */
void judgement_reset(struct judgement *judgement, const struct gate *gate);

enum symbol_change {
	SYMBOL_SAME,		/* or nothing to compare with */
	SYMBOL_ROSE, SYMBOL_FELL,
	SYMBOL_NEW,		/* not in the baseline's profile */
	SYMBOL_VANISHED,	/* not in this one's */
	SYMBOL_MOVED,		/* rose by what another fell: inlined, renamed, moved */
};

extern const char *const symbol_change_names[];	/* "moved"; of each, then NULL */

/* One symbol of either profile as it was judged. Costs are per run, or per unit of work where that is known. */
struct symbol_result {
	const char *symbol, *dso;
	double share_pct, base_share_pct;	/* self; NaN: that side has no profile */
	double low_pct, high_pct;		/* the interval of share_pct, from its samples */
	double total_pct;			/* inclusive share */
	uint64_t samples, base_samples;
	double change_pp, error_pp;		/* percentage points; error is one standard error; NaN unknown */
	double cost_ms, base_cost_ms;		/* share x task-clock; NaN unknown */
	enum symbol_change change;
	const char *moved;				/* SYMBOL_MOVED: to or from which symbol */
	enum verdict verdict;
	const char *reason;				/* or NULL */
};

/* Not measured, every number NaN. */
extern const struct symbol_result symbol_result_empty;

enum scenario_state {
	SCENARIO_MEASURED,
	SCENARIO_FAILED,	/* the target failed, hung or could not be started: status 3 */
	SCENARIO_PARTIAL,	/* interrupted before its runs were complete */
	SCENARIO_SKIPPED,	/* never started: interrupted before */
};

/* What was measured of one tree: its runs, and what is known of them. Start with side_result_init(). */
struct side_result {
	struct arena arena;
	const char *label;		/* in pairs: what reports call it: "main (1a2b3c4d5e6f)", "../old", "./old --fast" */
	const char *commit;		/* in pairs: full, where it is a commit's tree; or NULL */
	enum scenario_state state;
	const char *failure;		/* what failed, or NULL; in pairs either side's is on both */
	double timed_out_ms;	/* a run failed because it took so long, the most that was allowed; 0: none did */
	const char *log_tail;		/* the last lines of the target's output when it failed, or NULL */
	const char *log_path;		/* where the rest lies, or NULL */

	struct own_metrics own_metrics;
	const struct metric **metrics;	/* columns of runs */
	size_t n_metrics, cap_metrics;
	struct run *runs;		/* counted runs in order; in pairs one a pair */
	size_t n_runs, cap_runs;

	const char *work_unit;	/* what the load does, in the singular: "request"; NULL: no load reports its work */
	const char *attached;		/* what was measured when it was attached to: "service redis (pid 12)"; or NULL */
	const char *executable;	/* identity of the command's file, or NULL */
	const char *simulator;	/* what simulated values depend on besides the program: "valgrind-3.22.0, glibc 2.39"; NULL: nothing is */
	unsigned runs_wanted;
	struct strv notes;	/* what the reader must know: budget ended early, steal, multiplexing, ... */
	struct profile profile;
};

/* A side's note that begins with it says why nobody knows what its threads waited for. */
#define NOTE_NO_WAITING "no profile of waiting could be taken"

/* A side's note that begins with it says why it has no simulated values. */
#define NOTE_NOT_SIMULATED "nothing was simulated"

/* How the two runs of a pair met the machine. */
enum pair_way {
	PAIR_IN_TURN,	/* one after the other, in tossed order */
	PAIR_TOGETHER,	/* both at once, on one CPU; time that passes is not measured then */
	PAIR_BOTH_WAYS,	/* together, and in turn for the gates that need that */
};

extern const char *const pair_way_names[];	/* "in-turn"; of each, then NULL */

/* How a scenario was measured in pairs: run i of the base stood beside run i of the head. */
struct pairing {
	enum pair_way way;
	const char *apart;	/* why not together, which was wanted; or NULL */
	uint64_t seed;		/* of the order within the pairs */
	unsigned gates;		/* m: the error is shared between so many */
	unsigned pairs_most;	/* where the last look is */
	unsigned batch;		/* adjacent runs, or windows of one start, that make a value; 1: none */
	unsigned commits;	/* that led from the base's commit to the head's, which is one of them; 0: not known */
	unsigned dropped, rerun;	/* pairs of which a run failed; that were stolen from, and measured again */
	double floor_pct;
	const char *services;		/* how services lived: "started anew for each pair, side by side", "started anew for each window"; NULL: there are none */
	const char *one_program;	/* both sides ran one program although their trees differ, so the pairs show nothing of the change: why; or NULL */
	bool ended;		/* no more pairs are coming */
	bool confirming;	/* only gates that want confirming are looked at */
};

/* Where the seconds of a scenario went, that of children and of waiting included; 0: into nothing of that kind. */
struct phases {
	double setup_s, services_s, warm_up_s;
	double runs_s;		/* or windows, or pairs with what they start and warm up in between */
	double simulation_s;
	double profile_s;	/* with reading what was recorded, and the pictures of it */
	double evidence_s;	/* the search for the cause */
	double cleanup_s;
	double confirmation_s;	/* all that was done to compare it in pairs after it had been measured alone */
};

/* Nothing was measured, or by a pawl that kept no account of it. */
bool phases_empty(const struct phases *phases);

struct scenario_result {
	struct arena arena;
	const char *name, *path;	/* path of the scenario file, as given */
	const char *class;	/* where results of several machine classes were merged: the one that measured it; else NULL */
	const char *label;	/* "parse on CLASS" where another class has the name too, see result_label(); not stored */
	const char *description;
	int status;		/* 0, 1, 3 or 4 as for the whole */
	struct settings settings;
	const char *measurement;	/* as a session has it: whose runs these are, wherever they are copied to; or NULL */
	struct strv variables;	/* names of pawl's own environment variables that the command got */
	struct phases phases;
	struct symbol_gate symbol_gate;
	struct share_budget *budgets;
	size_t n_budgets, cap_budgets;

	struct side_result head;	/* measured alone, or beside the base */
	bool paired;			/* measured beside the base, as `pairing` has it */
	struct pairing pairing;
	struct side_result base;	/* in pairs */
	struct side_result again;	/* where pairs confirm the head's runs: the head once more, beside the base */

	/* judged: */
	struct symbol_result *symbols;	/* hottest first, then what vanished */
	size_t n_symbols, cap_symbols;
	struct gate_result *gates;
	size_t n_gates, cap_gates;
	const char *baseline_path;	/* what was compared with, or NULL */
	const char *baseline_label;	/* "2026-11-20, commit a1b2c3d, 3 sessions" */
	const char *baseline_class;	/* its machine class, or NULL */
	const char *folder;	/* where its files lie, as far as whoever measured or read it knows; not stored; or NULL */
	const char *base_folder;	/* the same of the result that it is compared with (pawl compare); not stored; or NULL */
	bool difference;	/* diff.svg in the run's folder shows what changed since that baseline */
	struct cause *causes;	/* what the regression comes from, the largest first */
	size_t n_causes, cap_causes;
	struct strv evidence;	/* lines: what the causes rest on, and what could not be found out, and why */
	struct strv explanation;	/* lines: what accounts for the change */
	struct strv rougher;	/* those of them that a cause says better; not stored */
	size_t n_cost_lines;	/* so many of them, the first, hold only while the verdicts are that a cost changed; not stored */
	const char *waits;		/* stored runs: its wall time rose though neither its CPU time nor a gate shows it; a sentence, or NULL */
};

enum result_mode {
	MODE_STORED,	/* compared with stored baselines */
	MODE_PAIRED,	/* two trees, or commands, in pairs */
};

/* "stored", "paired"; NULL-terminated. */
extern const char *const result_mode_names[];

struct result {
	struct arena arena;
	enum result_mode mode;
	struct strv command;	/* the words of the pawl command line that made it */
	struct strv options;	/* those of them that decide what is measured and how it is judged, with their values; not stored */
	const char *date;		/* UTC, as in a session */
	const char *commit;		/* of the project, or NULL; with "+dirty" when the tree was changed */
	const char *pawl;		/* version */
	const char *out_dir;		/* where it lies, or NULL */
	bool strict;
	bool partial;		/* interrupted */
	int status;
	double elapsed_s;
	struct machine machine;
	struct strv notes;
	struct judged_by judged_by;
	const char *shard;	/* "2/3" of what was selected; or NULL */
	struct strv suite;	/* the names of all that was selected, where this is a shard of it */
	bool merged;		/* of several results; not stored */
	struct strv mixed;	/* why what was merged here does not belong together: sentences */
	struct strv busy;	/* why the machine was too busy for a baseline; empty: it was not */
	struct scenario_result *scenarios;
	size_t n_scenarios, cap_scenarios;
};

void result_release(struct result *result);
/* The command that made it as it is typed, for free(); NULL where that is not known. */
char *result_command_line(const struct result *result);
/* True if `pawl compare` made it of two results: it has no runs of its own to repeat or to accept. */
bool result_compares(const struct result *result);
struct scenario_result *result_add_scenario(struct result *result, const char *name);
void scenario_result_release(struct scenario_result *scenario);
/* What reports call it: its name, with the machine class where two have the same name. */
const char *scenario_result_label(const struct scenario_result *scenario);
/* Finds the labels, once all scenarios are there. */
void result_label(struct result *result);

/* It is measured in pairs, with nothing known of them yet; CONFIRMING: beside what the head has measured alone. */
void scenario_result_pair(struct scenario_result *scenario, bool confirming);
/* As if it had been measured alone; the head's runs stay. */
void scenario_result_unpair(struct scenario_result *scenario);
/* The head's side that stands beside the base's, or beside a stored baseline: the pairs' where there are any. */
struct side_result *scenario_result_measured(const struct scenario_result *scenario);
/* Complete pairs; 0 without a pairing. */
size_t scenario_result_pairs(const struct scenario_result *scenario);
/* Whether METRIC's values are of runs that both sides of a pair had at once, see metric_together(). */
bool scenario_result_together(const struct scenario_result *scenario, const struct metric *metric);
/* METRIC's values of both sides, pair by pair, NaN where one was not measured; for free(). *N_OUT is how many pairs. */
void scenario_result_pair_values(const struct scenario_result *scenario, const struct metric *metric, double **base_out,
				 double **head_out, size_t *n_out);

void side_result_init(struct side_result *side);
void side_result_release(struct side_result *side);
/* The column of METRIC, appended when missing. Runs added later have it. */
size_t side_result_column(struct side_result *side, const struct metric *metric);
/* What RUN of SIDE measured of METRIC, or NaN. */
double run_value(const struct side_result *side, const struct run *run, const struct metric *metric);
/* A new run with every value NaN; valid until the next call. */
struct run *side_result_add_run(struct side_result *side);
/* All measured values of METRIC in order of the runs; for free(). *N_OUT may be 0. */
double *side_result_values(const struct side_result *side, const struct metric *metric, size_t *n_out);
/* The median of METRIC's values; NaN when there is none. */
double side_result_median(const struct side_result *side, const struct metric *metric);
/* How many runs measured METRIC. */
size_t side_result_count(const struct side_result *side, const struct metric *metric);
/* METRIC as SIDE's is shown: normalised where it counts operations and METRIC grows with them. */
const struct metric *side_result_normalised(const struct side_result *side, const struct metric *metric);
/* The least change that counts of VALUES, by which GATE is judged, in their unit; 0: any. PAIRED: of values in pairs. */
double side_result_least(const struct side_result *side, const struct gate *gate, const struct metric *values, bool paired);

struct gate_result *scenario_result_add_gate(struct scenario_result *scenario, const struct gate *gate);
/* Everything but what is tolerated. */
void gate_result_forget(struct gate_result *gate);

/* Copies what the scenario's file tolerates of symbols. */
void scenario_result_gate_symbols(struct scenario_result *scenario, const struct symbol_gate *gate,
				  const struct share_budget *budgets, size_t n_budgets);
/* A new symbol whose numbers are NaN; valid until the next call. */
struct symbol_result *scenario_result_add_symbol(struct scenario_result *scenario, const char *symbol, const char *dso);
/* Of the worst verdict the symbol that may have risen most: the one gates.symbols speaks of; NULL when none was judged. */
const struct symbol_result *scenario_result_worst_symbol(const struct scenario_result *scenario);
/* What SCENARIO was compared with, instead of what it had; takes CLASS, which malloc() gave. */
void scenario_result_set_baseline(struct scenario_result *scenario, const char *path, const char *label, char *class);
/* What N of its runs are called: "run", "runs"; of an attached target "window", "windows". */
const char *scenario_result_runs(const struct scenario_result *scenario, size_t n);
/* What the load does, in the singular: "request", or "unit of work" where that is not known. */
const char *scenario_result_work_unit(const struct scenario_result *scenario);

/* True when any gate's verdict is a regression. */
bool scenario_result_regressed(const struct scenario_result *scenario);

/* True when what a run costs was found to have changed: a gate on a time, or on what times are made of, was decided so. */
bool scenario_result_cost_changed(const struct scenario_result *scenario);
/* True when it failed because a run reached its timeout, and was judged a regression for that. */
bool scenario_result_overran(const struct scenario_result *scenario);

/* Recompute a scenario's status from its state and gates, and the whole one from all scenarios. */
void scenario_result_settle(struct scenario_result *scenario, bool strict);
void result_settle(struct result *result);
/* True when a gate judges METRIC, or rests on its values. */
bool scenario_result_is_gated(const struct scenario_result *scenario, const struct metric *metric);
/*
 * True for pawl's own gate on symbols, which nobody asked for, while it has nothing to compare with or too few samples
 * to decide. It is shown, with its reason, but is no warning about the whole.
 */
bool gate_result_quiet(const struct gate_result *gate);
/* True when the gate compared something or checked a budget; a new one may still have a budget. */
bool gate_result_judged(const struct gate_result *gate);
/* True when at least one gate did. */
bool result_judged_anything(const struct result *result);

/* Commits as reports name them, in plain values. */

/* What COMMIT_SHOWN characters of an id are enough for, in print. */
enum { COMMIT_SHOWN = 12 };

struct commit {
	char *id;			/* full */
	char *author, *date, *subject;	/* foreign text; the date is 2026-11-20 */
};

struct commits {
	struct commit *items;
	size_t n, cap;
};

void commits_release(struct commits *commits);
/* Appends copies. */
void commits_add(struct commits *commits, const char *id, const char *author, const char *date, const char *subject);
/* Forget the first N. */
void commits_drop(struct commits *commits, size_t n);

#endif
