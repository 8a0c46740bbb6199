/*
 * The files that people write, as typed and checked values: a scenario, pawl.yaml, and the plan of a run. Text
 * becomes a value when it is read; all faults of a file are collected with their places. This module does no input or
 * output.
 *
 *	struct scenario s;
 *	if (scenario_parse(text, len, path, &config.defaults, &s, &diags) < 0) -> diags has why
 *	...
 *	scenario_release(&s);
 */
#ifndef PAWL_SCENARIO_SCENARIO_H
#define PAWL_SCENARIO_SCENARIO_H

#include <stdint.h>
#include <sys/types.h>

#include "base/mem.h"
#include "base/error.h"
#include "base/text.h"
#include "model/confines.h"
#include "model/gate.h"
#include "model/metrics/metric.h"
#include "model/profile.h"
#include "scenario/harness/harness.h"

enum {
	SCENARIO_LARGEST = 1 << 20,	/* bytes of a scenario file */
	SCENARIO_RUNS_MAX = 10000,
	SCENARIO_SERVICES_MAX = 32,
	SCENARIO_METRICS_MAX = 32,
	FLOOR_MOST_PCT = 50,
};

/* -------- numbers in the output of programs */

/*
 * The position of a number in a program's output: a regular expression or a JSON path. The regular expression (POSIX
 * extended, regex(7)) has one group, which captures the number. It matches within a line, which ends at a newline or
 * a carriage return; its last match counts. A JSON path is "latency.p99" or "results[0].rps", optionally after "$.".
 * It applies to the last JSON object or array that begins a line.
 *
 * The number must not be negative. It may have a unit if the metric has one: "1.25ms" for a time, "12MiB" for a size,
 * "4.5%" for a share. Without one, the metric's unit applies.
 */
struct extractor {
	char *regex, *json;
};

/*
 * Checks that the regular expression compiles and has exactly one group, or that the path is valid; otherwise
 * ERR_INPUT.
 */
int extractor_check(const struct extractor *extractor, struct error *err);
/*
 * Finds the number in TEXT, in METRIC's unit (NULL: a count). Returns 1, 0 if it does not occur, or -1 with
 * ERR_TARGET if the match is not a number.
 */
int extractor_find(const struct extractor *extractor, const struct metric *metric, const char *text, size_t len,
		   double *out, struct error *err);
/*
 * Parses a number with its unit: a duration in milliseconds, a size in bytes, a percentage as a share. Other units:
 * as is.
 */
int extractor_parse_unit(const char *text, enum metric_unit unit, double *out, struct error *err);

/* -------- a scenario */

/* A string is run by /bin/sh -c, a list is executed directly. Without a command argv.n is 0. */
struct command {
	struct strv argv;
	bool shell;			/* argv is "/bin/sh", "-c", TEXT */
};

struct variable {
	const char *name, *value;
};

/* How a service shows that it is ready. */
enum ready_kind { READY_AT_ONCE, READY_TCP, READY_UNIX, READY_HTTP, READY_LOG, READY_FILE, READY_COMMAND, READY_DELAY };

struct ready {
	enum ready_kind kind;
	char *text;			/* HOST:PORT, URL, regular expression or path; otherwise NULL */
	struct command command;
	char *method;			/* for http; NULL: GET */
	struct strv headers;		/* for http: "Name: value" */
	unsigned status;		/* for http; 0: any from 200 to 399 */
	char *body;			/* for http: a regular expression for the response body, or NULL */
	uint64_t delay_ns;
	uint64_t timeout_ns;		/* 30 s by default */
};

struct stop {
	struct command command;		/* without one, the signal is sent */
	int signal;			/* SIGTERM by default */
	uint64_t grace_ns;		/* 5 s by default; remaining processes are then killed */
};

struct service {
	char *name;
	struct command command;
	struct strv environment;	/* NAME=VALUE */
	char *cwd, *user;		/* or NULL */
	struct confines confines;
	struct ready ready;
	struct stop stop;
	unsigned line;
};

/* The target: a command run to its end, or running processes to attach to. */
/* The effect of a difference between the output of two sides. */
enum target_output {
	OUTPUT_ANY,		/* a warning */
	OUTPUT_SAME,		/* a failed gate */
};

enum target_kind {
	TARGET_COMMAND, TARGET_SERVICE, TARGET_PID, TARGET_PIDFILE, TARGET_PROCESS, TARGET_PORT, TARGET_CGROUP,
	TARGET_CONTAINER,
};

/* The key of a scenario's target: "command", "service", ... */
const char *target_kind_name(enum target_kind kind);

enum work_kind { WORK_UNKNOWN, WORK_RATE, WORK_COUNT };

/* The load on an attached target during a window. */
struct load {
	struct command command;		/* argv.n 0: no load */
	struct strv environment;
	char *user;			/* or NULL */
	struct confines confines;
	enum work_kind as;		/* WORK_UNKNOWN: it does not report its work */
	struct extractor work;
	char *unit;			/* unit of its work, in the singular: "request"; or NULL */
	char *fail;			/* a regular expression: a matching output line makes the window fail; or NULL */
};

/* A custom metric: a number in the output. */
struct custom_metric {
	struct extractor extractor;
	const struct metric *metric;	/* metric_custom() */
};

/* How pairs are measured. */
enum pairs_mode { PAIRS_AUTO, PAIRS_TOGETHER, PAIRS_IN_TURN };
extern const char *const pairs_mode_names[];	/* "in-turn"; one per mode, then NULL */

enum counters_mode { COUNTERS_AUTO, COUNTERS_PERF, COUNTERS_SIM };

struct measure_settings {
	unsigned runs;
	uint64_t budget_ns, timeout_ns;
	uint64_t window_ns;		/* of attached targets, 5 s by default; of all benchmarks of a harness, 1 s */
	double floor_pct;		/* with pairs, the least change that is a regression, in percent; 0 by default */
	enum counters_mode counters;
	enum pairs_mode pairs;
	struct strv events;		/* perf events in addition to the standard ones */
	char *cpus;			/* a CPU list the target is pinned to, or NULL */
	bool aslr_off;
};

struct profile_settings {
	bool off;			/* kinds lacks cpu: no profile of CPU time */
	bool offcpu, faults, heap;	/* other kinds, profiled in addition; heap by heaptrack */
	unsigned frequency;		/* Hz; 4999 by default */
	unsigned samples;		/* wanted over all profiled runs; 36000 by default */
	uint64_t duration_ns;		/* limit, if the budget leaves that much; 10 s by default */
	enum call_graph call_graph;
	struct strv own;		/* globs on paths of programs, libraries and scripts: the project's own code */
};

struct gates {
	struct gate *items;
	size_t n, cap;
	/* On benchmarks, whose names are known only once they ran: globs as names of metrics; without limits: off. */
	struct gate *patterns;
	size_t n_patterns, cap_patterns;
	bool no_benchmarks;		/* no benchmark of a harness is judged */
	struct symbol_gate symbols;
	struct share_budget *budgets;
	size_t n_budgets, cap_budgets;
};

/* Settings that pawl.yaml may give for every scenario. */
struct scenario_defaults {
	struct arena arena;		/* of the built-in values; those of pawl.yaml belong to its configuration */
	struct measure_settings measure;
	struct profile_settings profile;
	struct gates gates;
};

struct scenario {
	struct arena arena;		/* of everything below */
	char *path;			/* as given to scenario_parse */
	char *name, *description;	/* description may be NULL */
	struct strv tags, requires;
	struct command setup, prepare, cleanup;
	struct variable *vars;
	size_t n_vars, cap_vars;

	struct service *services;	/* in starting order */
	size_t n_services, cap_services;

	enum target_kind target_kind;
	char *target_text;		/* the (first) service's name, number, path, expression ...; NULL for a command */
	struct strv target_services;	/* names of all services in the target */
	struct command target;
	struct strv target_environment;	/* NAME=VALUE */
	struct strv target_pass;	/* names of variables passed on from pawl's environment, besides the usual ones */
	char *target_cwd, *target_user;	/* or NULL */
	enum target_output target_output;
	struct harness harness;		/* kind HARNESS_NONE: the command is not a benchmark program */
	bool target_may_fail;		/* its exit status does not matter; only of commands as typed */

	struct load load;
	struct custom_metric *metrics;
	size_t n_metrics, cap_metrics;

	unsigned warmup_runs;		/* 1 by default; 0 if one of the next three is set */
	uint64_t warmup_ns;		/* 0: not limited by time */
	unsigned warmup_work;		/* in units of the load's work; 0: not limited by work */
	uint64_t warmup_steady_ns;	/* until windows are steady, at most this long; 0: unused */
	struct command warmup_command;

	struct measure_settings measure;
	struct profile_settings profile;
	struct gates gates;
	struct strv unjudged;		/* names of the gates that scenario_keep_counts() dropped */
};

/* Sets the built-in values, before pawl.yaml is read. */
void scenario_defaults_init(struct scenario_defaults *defaults);
void scenario_defaults_release(struct scenario_defaults *defaults);

/* Returns 0, or -1 with at least one fault added to DIAGS. OUT is written only on success. */
int scenario_parse(const char *text, size_t len, const char *path, const struct scenario_defaults *defaults,
		   struct scenario *out, struct diags *diags);
void scenario_release(struct scenario *scenario);
/*
 * Appends the scenario as YAML with every default filled in, which under the same DEFAULTS reads back as the same
 * scenario.
 */
void scenario_explain(const struct scenario *scenario, const struct scenario_defaults *defaults, struct strbuf *out);
/*
 * Makes the running process PID the target. Services, setup and cleanup are removed, because their results exist
 * already.
 */
void scenario_attach(struct scenario *scenario, pid_t pid);

/*
 * Adds a claim to the gates, such as "cpu-time -10%", in place of a gate on the same metric. Returns 0, or -1 with an
 * ERR_INPUT.
 */
int scenario_expect(struct scenario *scenario, const char *text, struct error *err);

/*
 * Returns true and writes the gate that SCENARIO sets on the benchmark METRIC: that of its name, else of the longest
 * glob that matches. Returns false if it sets none. Without any gate on benchmarks, each has the default.
 */
bool scenario_benchmark_gate(const struct scenario *scenario, const struct metric *metric, struct gate *out);

/* Returns the service called NAME, or NULL. */
const struct service *scenario_service(const struct scenario *scenario, const char *name);
/* Returns the command that starts the target: its own or its service's. argv.n is 0 if the target already runs. */
const struct command *scenario_target_command(const struct scenario *scenario);

void command_copy(struct arena *arena, struct command *out, const struct command *from);
/* Returns the command as one shell line; a string command is unchanged. NULL without a command. Release with free(). */
char *command_text(const struct command *command);
/* True for a name usable as a file name: letters, digits, . _ -, not starting with a dot, at most 100 characters. */
bool scenario_name_valid(const char *name);

/* -------- the plan */

/*
 * A scenario ready to execute, with every ${name} replaced. Names are those of `vars:` and the built-ins port,
 * port.NAME, scenario_dir, out, tmp. $$ is a dollar sign; a dollar before anything else stays, as in $HOME and
 * $(date). scenario_parse() has already refused unknown names.
 */

/* The environment of a plan; all paths are absolute. */
struct plan_context {
	const char *root;		/* working folder of all commands */
	const char *scenario_dir, *out, *tmp;
	/* Returns a free TCP port for NAME ("" for ${port}), always the same for a name, or -1 with an error set. */
	int (*port)(void *ctx, const char *name, struct error *err);
	void *ctx;
	/*
	 * Relocates TEXT of the scenario, before names are replaced, if its paths have moved; release with free().
	 * NULL: TEXT is unchanged. Values of built-ins are never relocated.
	 */
	char *(*place)(void *places, const char *text);
	void *places;
};

struct plan_service {
	const struct service *service;	/* borrowed, like the scenario */
	struct strv command, environment, stop, ready;	/* argvs; stop and ready are empty if unset */
	char *cwd;			/* absolute */
	struct strv ready_headers;
	char *ready_text, *ready_body;	/* expanded; paths are absolute; NULL if unset */
};

struct plan {
	struct arena arena;		/* of everything below except the scenario */
	const struct scenario *scenario;	/* borrowed; must outlive the plan */
	struct strv setup, prepare, cleanup, warmup;	/* argvs; empty if unset */
	struct strv target;		/* argv of the command or service measured; empty if it already runs */
	struct strv environment;	/* NAME=VALUE added to the target's */
	struct strv commands_environment;	/* the same for setup, prepare, cleanup and warmup */
	char *cwd;			/* absolute working folder of the target */
	struct plan_service *services;
	size_t n_services;
	struct strv load, load_environment;
	char *load_fail;		/* or NULL */
	struct strv older;		/* with a harness whose older versions refuse those words: the target for them */
	struct strv program;		/* with a harness: the target without the harness's arguments */
	char *benchmarks;		/* with a harness that writes a file: its absolute path; else NULL */
	bool some_benchmarks;		/* it was asked for some of its benchmarks by name */
	char *attach;			/* what to attach to: a service's name, a number, an absolute path, an
					   expression ...; NULL for a command */
	char *root;			/* absolute working folder of the other commands */
};

/* True if windows on running processes are measured, instead of a command run to its end. */
bool plan_attaches(const struct plan *plan);

int plan_build(const struct scenario *scenario, const struct plan_context *context, struct plan *out, struct error *err);
/* Sets what the harness's next runs are asked for; ASK's file does not count. Does nothing without a harness. */
void plan_ask(struct plan *plan, const struct harness_ask *ask);
void plan_release(struct plan *plan);

struct settings;
/* The settings kept in a baseline, from the scenario as written, before names are replaced. */
void plan_settings(const struct scenario *scenario, struct arena *arena, struct settings *out);

/* -------- pawl.yaml */

/*
 * Locations in a project, how to build a checkout, and defaults for all scenarios. Every key is optional. Without the
 * file, config_init() is the configuration.
 */
struct config {
	struct arena arena;		/* of everything below */
	struct command build;		/* builds a checkout; argv.n is 0 if unset */
	char *base;			/* what scenarios are compared with in pairs; NULL: unset */
	char *scenarios, *baselines, *out;	/* folders relative to the root: scenarios, baselines, pawl-out */
	struct scenario_defaults defaults;
};

void config_init(struct config *config);
void config_release(struct config *config);
/* Reads into OUT, initialised by config_init(). Returns 0, or -1 with faults added; OUT then holds the valid keys. */
int config_parse(const char *text, size_t len, const char *path, struct config *out, struct diags *diags);

/* -------- endpoints */

/*
 * The address for readiness checks of a local server: "127.0.0.1:6379", "localhost:80", "[::1]:80", or as a URL
 * "http://HOST[:PORT][/PATH][?QUERY]", "https://..." or "http://unix:/SOCKET[:/PATH]". Every error quotes the text
 * and names the fault.
 */
struct endpoint {
	char *host;		/* a name or an address, without brackets */
	uint16_t port;		/* never 0 */
	char *path;		/* of a URL: path and query as in a request, from '/'; otherwise NULL */
	bool tls;		/* of a URL: https */
	char *socket;		/* of a URL: path of the Unix socket to connect to instead; otherwise NULL */
};

/* Parses HOST:PORT. */
int endpoint_parse(const char *text, struct endpoint *out, struct error *err);
/*
 * Parses a URL. The port defaults to 80, or 443 for https; the path defaults to "/". A fragment (#...) is dropped,
 * because it is never sent.
 */
int endpoint_parse_url(const char *text, struct endpoint *out, struct error *err);
void endpoint_release(struct endpoint *endpoint);
/* Appends the value of a Host field: "localhost", "[::1]:8080"; port 80 is left out. */
void endpoint_add_host(const struct endpoint *endpoint, struct strbuf *out);

/*
 * Keeps only the gates on counts of which one run shows a change, see metric_counted(), and measures one run. A scenario
 * that sets no such gate gets `instructions: default`, unless its target is attached to.
 */
void scenario_keep_counts(struct scenario *scenario);

#endif
