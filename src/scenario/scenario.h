/*
 * The files that people write as typed, checked values: a scenario, pawl.yaml, the plan of a run. All faults of a
 * file are collected with their places. No input or output. scenario_parse() -> scenario_release().
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
 * Where a program's output has a number. A regular expression (POSIX extended, with one group, which captures it)
 * matches within a line, which ends at a newline or a carriage return; its last match counts. A JSON path,
 * "latency.p99" or "results[0].rps", optionally after "$.", applies to the last JSON value that begins a line. The
 * number is not negative. It may have a unit if the metric has one: "1.25ms", "12MiB", "4.5%"; else the metric's
 * applies.
 */
struct extractor {
	char *regex, *json;
};

/* ERR_INPUT if the expression does not compile or has not exactly one group, or the path is invalid. */
int extractor_check(const struct extractor *extractor, struct error *err);
/* In METRIC's unit (NULL: a count). Returns 1, 0 if it does not occur, -1 with ERR_TARGET if the match is no number. */
int extractor_find(const struct extractor *extractor, const struct metric *metric, const char *text, size_t len,
		   double *out, struct error *err);
/* A duration in milliseconds, a size in bytes, a percentage as a share; other units as they are. */
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

struct custom_metric {
	struct extractor extractor;
	const struct metric *metric;	/* metric_custom() */
};

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

/* The built-in values, before pawl.yaml is read. */
void scenario_defaults_init(struct scenario_defaults *defaults);
void scenario_defaults_release(struct scenario_defaults *defaults);

/* OUT is written only on success; else DIAGS has at least one fault more. */
int scenario_parse(const char *text, size_t len, const char *path, const struct scenario_defaults *defaults,
		   struct scenario *out, struct diags *diags);
void scenario_release(struct scenario *scenario);
/* As YAML with every default, which under the same DEFAULTS reads back as the same scenario. */
void scenario_explain(const struct scenario *scenario, const struct scenario_defaults *defaults, struct strbuf *out);
/* Services, setup and cleanup are removed, because their results exist already. */
void scenario_attach(struct scenario *scenario, pid_t pid);

/* A claim such as "cpu-time -10%" replaces a gate on the same metric. */
int scenario_expect(struct scenario *scenario, const char *text, struct error *err);

/*
 * The gate on the benchmark METRIC: that of its name, else of the longest glob that matches, else, without any gate
 * on benchmarks, the default. False: none.
 */
bool scenario_benchmark_gate(const struct scenario *scenario, const struct metric *metric, struct gate *out);

const struct service *scenario_service(const struct scenario *scenario, const char *name);
/* Its own or its service's. argv.n is 0 if the target already runs. */
const struct command *scenario_target_command(const struct scenario *scenario);

void command_copy(struct arena *arena, struct command *out, const struct command *from);
/* One shell line; a string command is unchanged. NULL without a command. For free(). */
char *command_text(const struct command *command);
/* True for a name usable as a file name: letters, digits, . _ -, not starting with a dot, at most 100 characters. */
bool scenario_name_valid(const char *name);

/* -------- the plan */

/*
 * A scenario ready to execute, with every ${name} replaced: those of `vars:`, and port, port.NAME, scenario_dir, out,
 * tmp. $$ is a dollar sign; a dollar before anything else stays, as in $HOME. scenario_parse() has refused unknown
 * names.
 */

/* All paths are absolute. */
struct plan_context {
	const char *root;		/* working folder of all commands */
	const char *scenario_dir, *out, *tmp;
	/* A free TCP port, always the same for NAME ("" for ${port}), or -1. */
	int (*port)(void *ctx, const char *name, struct error *err);
	void *ctx;
	/* Relocates TEXT, before names are replaced, if its paths have moved; for free(). NULL: unchanged. */
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

bool plan_attaches(const struct plan *plan);

int plan_build(const struct scenario *scenario, const struct plan_context *context, struct plan *out, struct error *err);
/* For the harness's next runs, if there is one; ASK's file does not count. */
void plan_ask(struct plan *plan, const struct harness_ask *ask);
void plan_release(struct plan *plan);

struct settings;
/* As written, before names are replaced. */
void plan_settings(const struct scenario *scenario, struct arena *arena, struct settings *out);

/* -------- pawl.yaml */

/* pawl.yaml. Without the file, config_init() is the configuration. */
struct config {
	struct arena arena;		/* of everything below */
	struct command build;		/* builds a checkout; argv.n is 0 if unset */
	char *base;			/* what scenarios are compared with in pairs; NULL: unset */
	char *scenarios, *baselines, *out;	/* folders relative to the root: scenarios, baselines, pawl-out */
	struct scenario_defaults defaults;
};

void config_init(struct config *config);
void config_release(struct config *config);
/* OUT comes from config_init(). -1 with faults added; OUT then holds the valid keys. */
int config_parse(const char *text, size_t len, const char *path, struct config *out, struct diags *diags);

/* -------- endpoints */

/*
 * A local server's address: "127.0.0.1:6379", "localhost:80", "[::1]:80", or as a URL
 * "http://HOST[:PORT][/PATH][?QUERY]", "https://..." or "http://unix:/SOCKET[:/PATH]". Errors quote the text.
 */
struct endpoint {
	char *host;		/* a name or an address, without brackets */
	uint16_t port;		/* never 0 */
	char *path;		/* of a URL: path and query as in a request, from '/'; otherwise NULL */
	bool tls;		/* of a URL: https */
	char *socket;		/* of a URL: path of the Unix socket to connect to instead; otherwise NULL */
};

int endpoint_parse(const char *text, struct endpoint *out, struct error *err);
/* The port defaults to 80, or 443 for https; the path to "/". A fragment is dropped, because it is never sent. */
int endpoint_parse_url(const char *text, struct endpoint *out, struct error *err);
void endpoint_release(struct endpoint *endpoint);
/* Appends the value of a Host field: "localhost", "[::1]:8080"; port 80 is left out. */
void endpoint_add_host(const struct endpoint *endpoint, struct strbuf *out);

/*
 * Measures one run, with only the gates on counts of which one run shows a change, see metric_counted(). Without such
 * a gate it gets `instructions: default`, unless its target is attached to.
 */
void scenario_keep_counts(struct scenario *scenario);

#endif
