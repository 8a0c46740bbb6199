/* What several commands do alike. Each section below is the file of its name. */
#ifndef PAWL_CMD_SHARED_SHARED_H
#define PAWL_CMD_SHARED_SHARED_H

#include <stdbool.h>

#include "base/error.h"
#include "cmd/cmd.h"
#include "measure/git/git.h"
#include "measure/machine/machine.h"
#include "measure/perf/perf.h"
#include "measure/run/run.h"
#include "measure/services/services.h"
#include "model/baseline.h"
#include "model/changes.h"
#include "model/machine.h"
#include "model/outline.h"
#include "model/result.h"
#include "profile/evidence.h"
#include "profile/stacks.h"
#include "scenario/scenario.h"
#include "store/store.h"

/* -------- project */

/*
 * The project a command works on: its root, its configuration, its scenarios and baselines. Whatever judges is read
 * from one source: the working tree, or where --baseline-ref names a commit, and where somebody else's change is
 * measured, the base. The tree at the root is what is measured.
 *
 *	project_open() -> project_select() -> project_baseline() ... project_finish()
 *
 * Faults of files go to project->diags, all of them in one go; project_finish() prints them, before main() says why the
 * command failed.
 */

enum origin { NOWHERE, OF_JUDGE, OF_TREE };	/* whose text a file is */

/* A file of a scenario; none is parsed twice. */
struct scenario_file {
	char *path;			/* absolute */
	enum origin origin;
	bool valid;
	struct scenario scenario;	/* where it is valid */
	struct diags diags;		/* else its faults, until the project has them */
};

struct project {
	struct invocation *inv;
	char *root;			/* absolute */
	char *top;			/* of the repository, where FILES is a commit; else NULL */
	struct file_source files;	/* what judges */
	struct file_source tree;	/* the tree at the root */
	struct file_source fork;	/* the commit where the change left its base; empty: unknown, or the base itself */
	struct file_source elsewhere;	/* of --baselines DIR, which is no part of the change; else empty */
	struct file_source *accepted;	/* the baselines are its, in the folder */
	char *accepted_in;
	struct project_baseline **accepted_read;
	size_t n_accepted, cap_accepted;
	struct judged_by by;		/* by.ref NULL: the tree judges itself */
	bool first;			/* the commit that should judge has nothing to judge by: the change brings it */
	struct config config;
	char *scenarios_dir, *baselines_dir;	/* absolute */
	struct scenario **scenarios;	/* selected, in order of name */
	size_t n_scenarios, cap_scenarios;
	struct strv suite;		/* with --shard: the names of all that were selected before only the shard's were kept */
	void *parsed;			/* tsearch(3) tree of every struct scenario_file that was read, those among them */
	struct strv gone;		/* names of those selected that the measured tree does not have any more */
	struct calibration calibration;	/* what pawl.yaml names, see calibrations_apply(); empty without */
	struct diags diags;
};

/* Root and configuration. ARGS are the command's SCENARIO arguments, from which the root is found. */
int project_open(struct project *project, struct invocation *inv, const struct strv *args, struct error *err);
/* The same, judged by commit REF, which messages call SHOWN. */
int project_open_ref(struct project *project, struct invocation *inv, const struct strv *args, const char *ref,
		     const char *shown, struct error *err);
/* For a comparison of commits: by the older one, REF of OPTION (or NULL), where the newer one is somebody else's change. */
int project_open_between(struct project *project, struct invocation *inv, const struct strv *args, const char *option,
			 const char *ref, bool *foreign_out, struct error *err);
/* With ROOT as it is, whatever lies above it. */
int project_open_at(struct project *project, struct invocation *inv, const char *root, struct error *err);
/* From now on the tree at the root is judged by BASE, which is taken over and called SHOWN. Call before project_select(). */
int project_judge_by(struct project *project, struct file_source *base, const char *shown, struct error *err);
/* Notes what of the files that judge differs in BASE, called SHOWN; the tree's own judge all the same. After project_select(). */
int project_note_edits(struct project *project, struct file_source *base, const char *shown, struct error *err);
/*
 * The scenarios that ARGS (paths and names; empty: all) and --tag select. -1 with an ERR_INPUT when any is invalid:
 * project->diags holds the faults.
 */
int project_select(struct project *project, const struct strv *args, struct error *err);
/* What was given as --floor; -1 with an ERR_INPUT when it is no percentage that a floor can be. */
int floor_read(const char *floor, double *floor_pct, struct error *err);
/* --floor, where it is given, instead of the floor of all those selected; -1 with an ERR_INPUT when it is no percentage. */
int project_take_floor(struct project *project, struct error *err);
/* Whether there is a scenario called NAME, faulty ones included. */
int project_has_scenario(struct project *project, const char *name, bool *out, struct error *err);
/* The one of those selected that is called NAME, or NULL. */
const struct scenario *project_scenario(const struct project *project, const char *name);
/* What SCENARIO, one of those selected, was read from; appended. */
int project_scenario_text(struct project *project, const struct scenario *scenario, struct strbuf *out,
			  struct error *err);
/*
 * --gates, or how many gates are judged in pairs, over all scenarios of the project and the selected ones beyond
 * them: they share the error of a comparison in pairs. A file that is faulty or cannot be read counts for none, as a
 * new note of NOTES says.
 */
unsigned project_paired_gates(struct project *project, struct arena *arena, struct strv *notes);
/* The names of all scenarios of the project at ROOT that have no faults; -1 when it cannot be read. */
int project_names(struct invocation *inv, const char *root, struct strv *out);
/* PATH (absolute) as the sources know it, relative to the root; NULL where they do not reach it. For free(). */
char *project_below(const struct project *project, const char *path);
/* Every selected scenario asks for simulated counters: no perf is needed. */
bool project_only_simulated(const struct project *project);
void project_close(struct project *project);
void project_finish(struct project *project);			/* and prints its faults */

/* A line for .gitignore: baselines are kept, whatever the lines before it hide. */
#define BASELINES_NOT_IGNORED "!/baselines/**"
/* Where a scenario's baseline for a class lies; for free(). */
char *project_baseline_path(const struct project *project, const char *scenario, const char *class);
/* A baseline that was read; the project's, which reads no file twice. */
struct project_baseline {
	char *file;		/* its name */
	char *path;		/* absolute */
	struct baseline baseline;
};

/*
 * The baseline of SCENARIO for MACHINE: of its class, else the newest of the same architecture.
 * 1 with OUT filled, 0 when there is none, -1 when one is damaged.
 */
int project_baseline(struct project *project, const char *scenario, const struct machine *machine,
		     struct project_baseline **out, struct error *err);
/* Every baseline file of SCENARIO, as file names. */
int project_baseline_files(struct project *project, const char *scenario, struct strv *out, struct error *err);
/* Read one baseline file; 1, 0 when missing, -1. */
int project_read_baseline(struct project *project, const char *scenario, const char *file,
			  struct project_baseline **out, struct error *err);
/* Read all of SCENARIO's. */
int project_read_baselines(struct project *project, const char *scenario, struct error *err);
/* The text of another file beside SCENARIO's baselines, given by its path; 1, 0 when missing, -1. */
int project_read_beside(struct project *project, const char *scenario, const char *path, size_t limit,
			struct strbuf *out, struct error *err);

/*
 * The tolerances that were found for machine classes: the file that pawl.yaml names as `calibration:`. From a commit
 * where scenarios are read from one, so that a pull request cannot loosen its own gates.
 *
 *	project_select() reads it -> the session knows the machine class -> calibrations_apply() -> gates are described
 */

/*
 * To project->calibration. Without the key there is none; a file that is missing is an ERR_INPUT, except for
 * `calibrate`, which makes it. A faulty one adds to project->diags.
 */
int calibrations_read(struct project *project, struct error *err);
/* Sets what was found for MACHINE's class in the gates of all selected scenarios. */
void calibrations_apply(struct project *project, const struct machine *machine);
/* Notes in each scenario of RESULT, once it is judged, which tolerances in pairs come from there. */
void calibrations_note(const struct project *project, struct result *result);
/*
 * Merges ENTRIES into the file at PATH (from the root), which need not be there. NULL only looks whether that could
 * be done: a faulty file is an ERR_INPUT.
 */
int calibrations_merge(const struct project *project, const char *path, const struct calibration *entries,
		       struct error *err);

/*
 * Whose change is measured, as GitHub Actions has it: the event's name, and the file that describes it.
 *
 * pull_request and all that begins so, merge_group, the push of a merge queue's branch, a workflow_run that a pull
 * request began, and a comment on a pull request are somebody else's change, which its base judges. Others are the
 * project's own.
 */

struct event {
	bool foreign;	/* somebody else's change */
	char *name;	/* "pull_request"; NULL: no event */
	char *base;	/* of a foreign change: what git knows its base by; NULL: unknown */
	char *shown;	/* the same for people: "origin/main" */
};

void event_read(struct event *out);
void event_release(struct event *event);

/* -------- accepted */

/*
 * The stacks that go with a baseline: `<class>.folded` beside `<class>.json`, the pruned profile that was
 * accepted, so that a run can show the difference as a picture. The baseline's numbers do not rest on it: one that is
 * missing or damaged costs only the picture.
 */

/*
 * Keep the stacks that SCENARIO's folder in OUT_DIR (NULL: none) holds, pruned, beside the baseline JSON_PATH. When
 * it holds none, those of another profile are removed.
 */
int accepted_stacks_write(const char *out_dir, const char *scenario, const char *json_path, struct error *err);

/*
 * Every judged scenario that has stacks on both sides gets a diff.svg in its folder, unless it has one already, or
 * it could not be decided whether it changed; what goes wrong is a note. Costs are drawn where they were found to
 * have changed, else shares. HEADS are the pruned stacks of RESULT's scenarios, empty where there are none.
 */
void accepted_stacks_compare(struct result *result, const struct stacks *heads, struct project *project);

/* The same for a scenario measured in pairs, with its picture in OUT_DIR. */
void accepted_stacks_compare_sides(const char *out_dir, const struct stacks *base, const struct stacks *head,
				   struct scenario_result *scenario);

/* -------- pictures */

/* Flame graphs of a scenario's difference: as a file in its folder, and as a piece of the page, drawn from stacks there. */

/* False: what could not be decided, or compared, has no picture that says it is so. */
bool pictures_drawn(const struct scenario_result *scenario);
/* Writes diff.svg to the scenario's folder in OUT_DIR, and beside it what it was drawn from, diff.base.folded and diff.head.folded. */
int pictures_leave(const char *out_dir, struct scenario_result *scenario, const char *base_label, const char *head_label,
		   const struct stacks *base, const struct stacks *head, struct error *err);
/*
 * Of each scenario what can be drawn from the stacks in its `folder`, and in `base_folder`: nothing where they are not there any
 * more. For pictures_free().
 */
struct report_pictures *pictures_read(const struct result *result);
void pictures_free(const struct result *result, struct report_pictures *pictures);

/* -------- programs */

/* Which programs each side runs, and their identity, so that a report can say when the same program measured differently. */

/*
 * The identity of the executable, see file_identity(), and behind a '+' that of each file of the
 * project among its arguments, and of each program of the project that these name. NULL when none of them can be
 * found. For free().
 */
char *programs_identity(const struct plan *plan);
/* Appends the words of TEXT, a shell's, as far as they can be files. */
void programs_words(const char *text, struct strv *out);
/* The file that NAME means to what PLAN starts; for free(), NULL when there is none. */
char *program_find(const struct plan *plan, const char *name);
/* The language of the program at PATH, if it is a script; else LANGUAGE_NONE. */
enum language program_language(const char *path);
/* The script of the project that WORD, an argument, means to what PLAN starts; for free(), NULL when it is none. */
char *program_script(const struct plan *plan, const char *word);

/* One side of a comparison: what it runs, and where its files are to be found. */
struct program_side {
	const struct plan *plan;
	const struct tree_map *map;
	const char *out, *tmp;	/* ${out} and ${tmp}: what setup makes there is the side's own too */
};

/*
 * Lets the target find the programs of its own tree where PATH leads into a tree by links: their folder comes first
 * on the PATH of everything that PLAN starts.
 */
void programs_prefer_own(struct plan *plan, const struct tree_map *map);
/*
 * Why the two sides run one program although their trees differ, and what to do about it; NULL where each runs its own.
 * For free().
 *
 * A side runs its own program when a word of its command is a program in its own tree, and another's when one is a
 * program in another tree. Where no word is either, both sides run one program from elsewhere. That is no comparison
 * of the trees, unless the program is known to run what it finds in the tree (an interpreter, a build tool), or is
 * the system's and is given a file of the tree; and never where the tree itself has a program of that name, since
 * that one is meant. Words are those of the command, and of the text of a shell, variables replaced; what a script
 * starts is not seen.
 */
char *programs_shared(const struct program_side *base, const struct program_side *head);

/* -------- lifecycle */

/* What a person sees while pawl measures: one line with the time left on a terminal, plain lines elsewhere. */
struct progress {
	const struct invocation *inv;
	size_t at, of;		/* scenario, from 1 */
	bool terminal;		/* standard error is one */
	bool brief;		/* only there */
	bool github;		/* groups, inside GitHub Actions */
	enum loop_phase last;	/* plain lines: one a phase */
	bool open;		/* a line or group is begun */
	bool pairs;		/* it counts pairs: services start and warm up for each of them, which is shown once */
	bool confirming;	/* of scenarios that have been measured alone */
	uint64_t shown_ns;	/* when the line was drawn last */
	struct scenario_result *scenario;	/* whose phases get their seconds; or NULL */
	const char *phase;	/* what has begun, or NULL */
	double *phase_s;	/* where its seconds go */
	uint64_t phase_ns;	/* when it began */
};

void progress_begin(struct progress *progress, const struct invocation *inv, size_t scenarios);
/* The next scenario starts: its steps' time is added to SCENARIO's phases. */
void progress_scenario(struct progress *progress, struct scenario_result *scenario);
/* The same for one that goes on, without a word. */
void progress_resume(struct progress *progress, struct scenario_result *scenario);
/* What was begun last is over; with -v its seconds are printed. */
void progress_pause(struct progress *progress);
/* For struct system.progress. */
void progress_step(void *ctx, const struct loop_progress *step);
/* The scenario is over, with WORDS such as "10 runs". */
void progress_done(struct progress *progress, const char *name, const char *words);

/*
 * What every measuring command does around its scenarios:
 *
 *	lifecycle_begin()	the result: when, of which commit, by which command
 *	lifecycle_open()	the lock, the session with its machine, and what was calibrated for its class
 *	lifecycle_folder()	where files are left behind: result.out_dir
 *	lifecycle_watch(), measuring, lifecycle_watched()	the noise, and how long it took
 *	lifecycle_close()	the session
 *	judging
 *	lifecycle_finish()	result.json, the reports, and what is printed: the exit status
 *	lifecycle_release()	in any case; it closes too
 */
struct lifecycle {
	struct invocation *inv;
	struct result result;
	struct session session;
	struct progress progress;
	char *parent;		/* of the run's folder, to be pruned; NULL with --out */
	int interrupted;	/* signal, or 0: the result is partial */
	bool perf_optional;	/* where there is no perf it is done without */
	bool as_commands;	/* what is printed is report_typed(), not a report on scenarios */
	/* at lifecycle_watch() */
	struct noise before;
	struct strv others;	/* pawls that measured */
	double own_ms;
	uint64_t start_ns;
};

/* ROOT is the tree whose commit it is. In place of the result before it, where there is one. */
void lifecycle_begin(struct lifecycle *run, struct invocation *inv, enum result_mode mode, const char *root);
/* Waits for the lock as --lock-wait says. PROJECT has what is measured; NULL: nothing of it is known yet. */
int lifecycle_open(struct lifecycle *run, struct project *project, struct error *err);
/* --out, else a new one in the folder of PROJECT's runs, of which the newest are kept. */
int lifecycle_folder(struct lifecycle *run, const struct project *project, struct error *err);
/* With -v: WHAT, and the seconds that it took since BEGAN_NS. */
void lifecycle_say(const struct invocation *inv, const char *what, uint64_t began_ns);
void lifecycle_watch(struct lifecycle *run);
void lifecycle_watched(struct lifecycle *run);
void lifecycle_close(struct lifecycle *run);
/* The files alone. */
int lifecycle_leave(const struct lifecycle *run, struct error *err);
struct bisection;
/* Of these report.html; SEARCH is what the run was the last comparison of, or NULL. */
int lifecycle_leave_page(const struct lifecycle *run, const struct bisection *search, struct error *err);
/* TEXT as the file NAME of the folder. */
int lifecycle_write(const struct lifecycle *run, const char *name, const struct strbuf *text, struct error *err);
int lifecycle_finish(struct lifecycle *run, struct error *err);
void lifecycle_release(struct lifecycle *run);

/* -------- measure */

/* A scenario before it is measured, alone or in pairs. */

/* Fills OUT with all that the scenario's file says of it: settings, gates, metrics of its own. */
void setup_describe(const struct scenario *scenario, struct scenario_result *out);
/* The same of one side of a comparison in pairs: what its runs mean, without what is tolerated. */
void setup_describe_side(const struct scenario *scenario, struct side_result *out);
/* It could not be measured, and why. */
void setup_fail(struct side_result *out, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* 0, or -1 after failing OUT with the first of `requires:` that is not installed; ROOT is its working folder. */
int setup_need_programs(const struct scenario *scenario, const char *root, struct side_result *out);

/* What threads of a side waited for, in one recording after the other. */
struct waits {
	struct stacks stacks;		/* of OFFCPU_WAITING, a run for each that was kept */
	unsigned recorded, kept, lost, broken;	/* recordings; lost: of which perf lost records; broken: whose callers are not known */
	bool refused;			/* they cannot be had: a note says why */
};

void waits_release(struct waits *waits);

/*
 * One side of a scenario that is measured, alone or beside another: what runs there, what it does to the system,
 * what its profile became.
 *
 *	scenario, root, result, out, tmp -> side_begin() -> side_plan() -> sides_loop() ... loop_profile() -> side_profiled()
 *	-> loop_free() -> side_end()
 */
struct measured_side {
	const struct scenario *scenario;
	const char *root;		/* what its commands work in; absolute */
	struct side_result *result;
	char *out, *tmp;		/* ${out} and ${tmp}, on the heap */
	struct plan plan;
	bool planned;
	struct system system;
	struct stacks reading;		/* of the profiled run that SCRIPT reads */
	struct script *script;
	struct stacks stacks;		/* those that were read, of n_profiled runs */
	unsigned n_profiled;
	struct stacks pruned;		/* what is left of them to be compared; empty: there is no profile */
	struct waits waits;		/* for waits_release() */
	bool kinds_taken;		/* profiles of other kinds, or as many of them as could be had */
	/* In pairs: the same side built in other orders of linking, planned as this one; its result is this one's. */
	struct measured_side *others;
	unsigned n_others;
};

/* SIDE, SESSION and PROGRESS must stay where they are. */
void side_begin(struct measured_side *side, struct session *session, struct progress *progress);
/* Makes its folders and its plan; NAMES says what ports and places mean, the rest is filled in. */
int side_plan(struct measured_side *side, struct plan_context names, struct error *err);
/* The loop over N (1 or 2) sides that are planned; what the scenario and the machine say of OPTIONS is filled in. */
struct loop *sides_loop(struct measured_side *sides, unsigned n, const struct loop_options *options);
/* Is SCENARIO to be profiled? When not, OUT's profile gets a warning that says why, for the gates that rest on it. */
bool profiling_wanted(const struct scenario *scenario, const struct options *options, const struct machine *machine,
		      struct side_result *out);
/* How many samples are looked at first, then twice as many, and so on. */
enum { PROFILE_FIRST_LOOK = 9000 };
/* What was recorded so far as a profile, which OUT becomes; it is empty. */
void side_profile_so_far(struct measured_side *side, struct profile *out);
/*
 * What was recorded becomes the result's profile, the pruned one, and perf.data's neighbours stacks.folded,
 * flamegraph.svg and top.md. Nothing happens when nothing was recorded; what goes wrong is a note.
 */
void side_profiled(struct measured_side *side);
/* Ends what it has of others, and their empty folders. */
void side_end_others(struct measured_side *side);
/* Ends all but `pruned`, which is for stacks_release(), and `waits`. */
void side_end(struct measured_side *side, bool keep_tmp);

/*
 * Measuring a selection of scenarios into a result. A scenario that fails does not keep the others from running; an
 * interrupt ends all, and what was measured stays in the result.
 */
struct run_all {
	struct lifecycle run;
	struct stacks *pruned;	/* profiles of the result's scenarios, pruned to be compared; empty where there is none */
	struct kept_env kept;
	char *kept_file;	/* what PAWL_KEPT names when it is attached to, or NULL */
	bool to_compare;	/* profiles need be no larger than gates on symbols ask for; else others may be compared with them */
};

/*
 * From lifecycle_begin() to lifecycle_watched(): 0, or -1 when nothing could be measured at all. REFUSE_BUSY: not on
 * a machine that is busy already. Gates are added, not judged.
 */
int run_all_measure(struct run_all *all, struct project *project, bool refuse_busy, struct error *err);
void run_all_release(struct run_all *all);

/* -------- evidence */

/*
 * What is looked at on both sides of a scenario's pairs to find the cause of a regression:
 *
 *	evidence_begin() once both sides are planned -> loop_evidence() -> judge_causes() with what was found -> evidence_end()
 */
struct evidence_search {
	struct measured_side *sides;	/* base and head */
	struct evidence found[2];
	struct changes changes;		/* between the trees of both */
	bool taken;
};

/* SIDES, SEARCH and the plans must stay where they are; MAPS says where each side's own files lie. */
void evidence_begin(struct evidence_search *search, struct measured_side *sides, const struct tree_map *maps);
void evidence_end(struct evidence_search *search);

/* -------- places */

/*
 * Has the functions of WORK begin where their sources say, by the line that has the name: callgrind knows only the first line
 * that was executed, which may be one that was inlined. Of those without debug information the source is looked for below ROOT,
 * among C and C++; where there is one such function, it is that. A matter of milliseconds, of at most 48 MiB of sources.
 */
void places_find(struct work *work, const char *root);

/* -------- sampled */

/*
 * Records what WISH says of SYSTEM's target, but for its sink, into an empty OUT: whole call paths, named. Where debug information
 * unwinds few of them to the start of the program, or takes too much of WISH's limit, frame pointers are followed too, and what says
 * more is kept. ERR_SYSTEM, with what would help, where no sample came.
 */
int sampled_take(struct system *system, struct record_wish wish, struct stacks *out, struct error *err);

/*
 * The waits of SYSTEM's target in so many EXECUTIONS, or windows (0: as many as tell), to an empty OUT, named, see offcpu_new(). OWN
 * may be NULL. All of it is over after LIMIT_NS (0: none). ERR_SYSTEM, with what would help, where they cannot be had.
 */
int sampled_waits(struct system *system, const struct side_result *counted, const struct own_code *own, unsigned executions,
		  uint64_t limit_ns, struct stacks *out, struct offcpu_times *times_out, struct error *err);

/*
 * For struct kinds_wish, of a struct measured_side: takes the profiles of the kinds that its scenario names, once; each leaves its
 * folded stacks and its picture beside those of the CPU's time, and a note.
 */
int sampled_kinds(void *side, struct system *system, struct side_result *result, struct error *err);

struct flame_options;

/* STACKS, named, as NAME.folded and NAME.svg in the side's folder. */
int sampled_leave(const struct measured_side *side, const struct stacks *stacks, const char *name, const struct flame_options *look,
		  struct error *err);

/* The pictures of what heaptrack left in SIDE's folder, where it did. */
void sampled_heap(const struct measured_side *side);

/* -------- waits: the kind offcpu of profiles, and gates on waiting */

/* For system.waits, of a struct measured_side: one recording, whose values are those of the run of its number. */
int waits_record(void *side, struct system *system, struct side_result *result, struct error *err);
/*
 * Records each of N sides until there are WANTED recordings; 0: some, within the scenario's profile.duration. There are never more than
 * counted runs. May be called again with more. -1: interrupted.
 */
int waits_take(struct loop *loop, struct measured_side *sides, unsigned n, unsigned wanted, struct error *err);
/* What was recorded becomes offcpu.folded, offcpu.svg and notes. Nothing happens when nothing was. */
void waits_end(struct measured_side *side);
/* What stacks with a function that GLOB matches have of the weight of all STACKS, named: 0 to 1. */
double waits_share(const struct stacks *stacks, const char *glob);

/* -------- callers */

struct evidence;

/*
 * Names the callers of those system calls that HEAD makes more often or waits longer in: one execution of both sides' SPECS at once
 * under strace, with a stack of each such call, for LIMIT_NS at the most. Where no side was cut off by then, that is also where
 * they wait, if nothing better is known. Nothing grew: nothing is done. ERR must not be NULL.
 */
int callers_take(struct session *session, const struct target_spec specs[2], uint64_t limit_ns, struct evidence *base,
		 struct evidence *head, struct error *err);

/*
 * Of a service, of which one side stands at a time, the base's first. service_calls_take(): what SYSTEM's target calls in a window under
 * strace, with the work that its load does meanwhile. service_callers_take(): who does so, in another window of five seconds at most, for
 * E, SYSTEM's side; of the side that comes first the stacks of all calls are kept, then, both sides' numbers being made those of the
 * same work, those that grew are looked for in OTHER, too. ERR_SYSTEM, with what would help; ERR must not be NULL.
 */
int service_calls_take(struct system *system, struct system_calls *out, struct error *err);
int service_callers_take(struct system *system, struct evidence *e, struct evidence *other, struct error *err);

/* -------- heap */

/*
 * Counts what SYSTEM's target allocates into OUT, whose work tells in which file functions lie: as its side, COUNTED, has it already, or in
 * one execution under heaptrack of LIMIT_NS at the most. ERR_SYSTEM, with what would help, where that cannot be had.
 */
int heap_take(struct system *system, const struct side_result *counted, uint64_t limit_ns, struct evidence *out, struct error *err);

/* -------- python */

/*
 * Fills `work` of the evidence of N sides, of which `own` is known and the first is the base, with what functions in Python do, from
 * executions that SYSTEMS run at once: six of them, or fewer that take long, in LIMIT_NS. An error says why it
 * cannot be had; `work` is empty then.
 */
int python_take(struct system *const systems[], unsigned n, uint64_t limit_ns, struct evidence *const sides[],
		struct error *err);

/* -------- loaded */

/* Fills `libraries` of EVIDENCE from its system calls: what was executed, by names below CWD, and loaded, with what tells its bytes. */
void loaded_identify(struct evidence *evidence, const char *cwd);

/* -------- confirm */

/*
 * Confirming: the times that stored runs flagged are measured again, in pairs, against the base built on this machine.
 *
 * The base is --base, --base-ref, the commit that baselines are read from (--baseline-ref), or else the commit that the
 * scenario's baseline was measured at: the first of these that is known. The last two are built only where pawl.yaml
 * says how (`build:`). The head is what the stored runs were of: it is not built again. Where no base can be had, a
 * note of the scenario says what it would take.
 */

/* --base, --base-ref and --floor of `run`: 0, or -1 with an ERR_INPUT. Before anything is measured. */
int confirm_check(struct project *project, struct error *err);
/*
 * The base of SCENARIO where no option names one: the commit that PROJECT's baselines are read from, else the one that its
 * baseline for MACHINE was measured at. Full, for free(); -1 with what is missing.
 */
int confirm_commit(struct project *project, const char *scenario, const struct machine *machine, char **out,
		   struct error *err);
/*
 * After verdicts_stored(), while the session is open: replaces the verdicts of flagged gates, and settles the result.
 * Failures are notes. Files go to OUT/confirm/NAME/.
 */
void confirm_flagged(struct run_all *all, struct project *project);

/* -------- verdicts */

/* Judging a measured result against the project's baselines, and printing what came of it. */

/* Reads each scenario's baseline and judges; a damaged one is an error, after all others were judged. Settles the result. */
int verdicts_stored(struct result *result, struct project *project, struct error *err);
/*
 * What regressed, where a baseline of the change's own, in place of that of its base, accepts it: with --accept it becomes
 * `accepted`, and RESULT is settled again; else a note says so. After all judging. Nothing where the tree judges itself.
 */
void verdicts_accept(struct result *result, struct project *project);
/* The report in FORMAT (NULL: text) to standard output or --output; on GitHub also annotations. */
int verdicts_print(const struct result *result, const struct invocation *inv, const char *format, struct error *err);

/* Why a scenario that the measured tree does not have any more is not judged. */
extern const char verdicts_gone[];
/* It could not be run at all, as where its program is gone too: not one that only became slow, or fails at times. */
bool verdicts_excuses(const struct scenario_result *scenario);

/* -------- pairs */

/*
 * Measuring scenarios in pairs between two trees, or two commands: the wiring of measure/run/loop and judge/pairs
 * that `ab`, `run` (to confirm), `calibrate` and `bisect` share.
 *
 * Every scenario is brought to its first look; then what is left of all budgets together is spent on those that are
 * not decided, look by look. Setup is done once; services of a scenario that waits are down.
 */

struct pairs_side {
	const char *root;	/* working folder and root of the scenario's commands, absolute */
	const char *label;	/* "main (1a2b3c4d5e6f)", "../old", "./old --fast" */
	const char *commit;	/* full, or NULL */
	const struct strv *layouts;	/* as root, of trees built in other orders of linking; or NULL */
};

/* One scenario to compare. RESULT has its gates and description already; it gets its pairing, its runs (the head's), verdicts. */
struct pairs_job {
	const struct scenario *base, *head;	/* the same one, but where two commands are compared */
	struct scenario_result *result;
	bool only_head;		/* the base has no such scenario: when it cannot run it, that is no failure */
	bool gone;		/* the change removed it from the head: nor is it one there */
	const char *base_label, *head_label;	/* NULL: those of both sides */
	const char *accepted;	/* identity of the executable that the baseline is of, where one is confirmed; or NULL */
	const struct profile *accepted_profile;	/* and its profile; or NULL */
	bool explaining;	/* stored runs decided all gates: pairs are made for the search for the cause alone */
};

struct pairs {
	struct invocation *inv;
	struct session *session;
	struct progress *progress;
	const char *root;		/* the head's project root, which scenario paths are relative to */
	const char *out_dir;		/* OUT/NAME/ gets the head's files, OUT/NAME/base/ the base's */
	const char *report_dir;		/* OUT/NAME/ of the report, for its pictures; NULL: out_dir */
	const char *project;		/* another folder that absolute paths may name for the trees, such as the working tree; or NULL */
	struct pairs_side base, head;
	uint64_t seed;
	unsigned gates;			/* m */
	unsigned pairs_most;		/* 0: PAIRS_MOST */
	unsigned commits;		/* from the base's to the head's; 0: not known */
	uint64_t budget_ns;		/* a scenario; then the first look waits for it too; 0: its own, and no first look is cut short */
	bool to_the_end;		/* measure pairs_most pairs whatever the looks say: for calibrating */
	bool no_profile;
	bool without_perf;		/* nothing is counted by it */
	bool confirming;		/* only gates that want confirming are looked at, and judged */
};

/*
 * Measures and judges all JOBS. The failure of a scenario is in its result; -1 only when interrupted, with what was
 * measured judged. Difference pictures and profiles are made of scenarios in which something regressed, or which gate
 * symbols themselves.
 */
int pairs_measure(const struct pairs *pairs, const struct pairs_job *jobs, size_t n, const struct machine *machine,
		  struct error *err);
/* A seed from the kernel, or the one that was asked for. */
uint64_t pairs_seed(const struct options *options);

/* Building a project's other commits, and its working tree, as pawl.yaml says: what measure/trees needs from cmd/. */

struct builds {
	struct project *project;
	struct invocation *inv;
	struct trees trees;
};

/*
 * For trees_get() and trees_put() on OUT's trees. A commit is built by `build:` of its own pawl.yaml, or by the
 * project's where it has none. SCRATCH and LOGS are as in struct trees. OUT must stay where it is.
 */
void builds_init(struct builds *out, struct project *project, struct invocation *inv, const char *scratch,
		 const char *logs);
/* The full commit of REF; one that git does not know is an ERR_INPUT. OPTION ("--base-ref") is for the message. For free(). */
int builds_resolve(struct builds *builds, const char *option, const char *ref, char **out, struct error *err);
/* What COMMIT, named by REF (or NULL), is called: "main (1a2b3c4d5e6f)"; for free(). */
char *builds_label(const char *ref, const char *commit);
/* Build the tree at ROOT by `build:` of its pawl.yaml, when it has one; the log is LOGS/build-head.log. */
int builds_working_tree(struct builds *builds, const char *root, struct error *err);

/* -------- lines */

/* The source of SCENARIO's first cause with what each line costs on both sides, as text; or why there is none. */
void lines_of_cause(const struct scenario_result *scenario, const struct evidence *base, const struct evidence *head,
		    struct strbuf *out);

/* -------- results */

/* Reading stored results. */

/* PATH is a result.json, or a run's folder that holds one. */
int results_read(const char *path, struct result *out, struct error *err);
/* The folder that such a PATH means, for free(). */
char *results_folder(const char *path);
/* A scenario that is there twice is a fault: shards must not overlap. */
int results_check_duplicates(const struct result *result, struct error *err);
/* The session that accepting SIDE's runs adds. */
struct baseline_session *results_add_session(const struct result *result, const struct scenario_result *scenario,
					     const struct side_result *side, struct baseline *to);
/* A result's scenario as if it had been accepted, in one session; valid as long as RESULT is. */
void results_to_baseline(const struct result *result, const struct scenario_result *scenario,
			 const struct side_result *side, struct baseline *out);

/* -------- repro */

/*
 * --repro RESULT: makes of INV, which is `pawl run`, the command that measures again what the result measured, as it is valid
 * on this machine, and says what differs: another class of machine or a result in pairs becomes `pawl ab` (inv->command),
 * against the result's base commit. The file may be a stranger's: of its options only numbers are taken, and no path.
 */
int repro_prepare(struct invocation *inv, struct error *err);

/* -------- buildfiles */

/*
 * What the files that build a project say of its programs. Text in, names out: the files are read, never run, so that what
 * they compute is not known, and each name is a guess that people look at. Names are appended, the likeliest first, each
 * once: letters, digits and . _ + - /, relative to the file's folder.
 */

/* PATH is made so: it needs no quoting in a shell or in YAML, and does not lead out of its folder. */
bool buildfiles_plain(const char *path);
void buildfiles_make(const char *text, struct strv *out);	/* a Makefile, also of automake */
/* KNOWN: "NAME=value" of the files above this one, to which its own are added. */
void buildfiles_cmake(const char *text, struct strv *known, struct strv *out);
void buildfiles_meson(const char *text, struct strv *known, struct strv *out);

struct cargo_file {
	char *package;			/* or NULL */
	struct strv programs, members;	/* of [[bin]] and of a workspace */
};

/* Harmless on an empty one. */
void buildfiles_cargo_release(struct cargo_file *file);
void buildfiles_cargo(const char *text, struct cargo_file *out);
/* What an installed Python package can be started as, of pyproject.toml, setup.cfg or setup.py: "name=module:function". */
void buildfiles_python(const char *text, struct strv *out);

/* A SCENARIO argument is a path when it holds a slash or ends in .yaml or .yml, else a name. */
bool argument_is_path(const char *arg);

/* -------- typed */

/*
 * Commands that are compared as they are typed, without a scenario: `pawl ab 'A' 'B' 'C'`, each against the first, or --base-cmd
 * and --head-cmd. They are judged by one metric: CPU time without perf and without a search for causes, unless options say
 * otherwise, and task-clock where they are given as --base-cmd and --head-cmd.
 *
 *	typed_read() -> measuring -> report_typed(), typed_export() -> typed_release()
 */

struct typed_pair {
	struct scenario base, head;
	const char *base_label, *head_label;	/* their names, or the commands themselves */
};

struct typed {
	struct arena arena;
	struct typed_pair *pairs;	/* n 0: the arguments are scenarios */
	size_t n, cap;
	bool positional;	/* typed as arguments */
	bool without_perf;	/* what they are judged by needs none */
};

/*
 * Arguments are commands when nothing says what scenarios are compared with and none of them names one; when some do, or options
 * do not fit, that is an ERR_INPUT. Options of INV that follow from it are set. OUT is for typed_release(), whatever happens.
 */
int typed_read(struct typed *out, struct invocation *inv, struct error *err);
/* --export-json and --export-markdown. */
int typed_export(const struct options *options, const struct result *result, struct error *err);
void typed_release(struct typed *typed);

#endif
