/*
 * The files that people write, as typed, checked values: a scenario, pawl.yaml; and the plan of a
 * run. Text becomes a value at once; every fault of a file is collected with its place. Nothing here touches the world.
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
#include "model/metric.h"
#include "model/profile.h"

enum {
	SCENARIO_LARGEST = 1 << 20,	/* bytes of a scenario file */
	SCENARIO_RUNS_MAX = 10000,
	SCENARIO_SERVICES_MAX = 32,
	SCENARIO_METRICS_MAX = 32,
	FLOOR_MOST_PCT = 50,
};

/* -------- numbers in the output of programs */

/*
 * Where a number stands in what a program prints: one of the two. A regular expression (POSIX extended, regex(7)) has
 * one group that captures the number. It matches within a line, which ends at a newline or a carriage return; its last
 * match counts. A JSON path is "latency.p99", "results[0].rps", with an optional "$." before it; it is looked up in the
 * last JSON object or array that begins a line.
 *
 * What is found is a number that is not negative, or one with a unit where the metric has one:
 * "1.25ms" of a time, "12MiB" of a size, "4.5%" of a share. Without a unit it is in the metric's.
 */
struct extractor {
	char *regex, *json;
};

/* A regular expression that compiles and has exactly one group, a path that can be read; ERR_INPUT else. */
int extractor_check(const struct extractor *extractor, struct error *err);
/* The number in TEXT, in METRIC's unit (NULL: a count): 1, 0 when it does not occur, -1 with an ERR_TARGET when it is none. */
int extractor_find(const struct extractor *extractor, const struct metric *metric, const char *text, size_t len,
		   double *out, struct error *err);
/* A number written with its unit: a duration in milliseconds, a size in bytes, a percentage as a share; else as it stands. */
int extractor_parse_unit(const char *text, enum metric_unit unit, double *out, struct error *err);

/* -------- a scenario */

/* A string is run by /bin/sh -c, a list as it stands; argv.n is 0 when there is no command. */
struct command {
	struct strv argv;
	bool shell;			/* argv is "/bin/sh", "-c", TEXT */
};

struct variable {
	const char *name, *value;
};

/* How to know that a service serves. */
enum ready_kind { READY_AT_ONCE, READY_TCP, READY_UNIX, READY_HTTP, READY_LOG, READY_FILE, READY_COMMAND, READY_DELAY };

struct ready {
	enum ready_kind kind;
	char *text;			/* HOST:PORT, URL, regular expression or path; else NULL */
	struct command command;
	char *method;			/* of http; NULL: GET */
	struct strv headers;		/* of http: "Name: value" */
	unsigned status;		/* of http; 0: any from 200 to 399 */
	char *body;			/* of http: a regular expression that the answer's body matches, or NULL */
	uint64_t delay_ns;
	uint64_t timeout_ns;		/* 30 s by default */
};

struct stop {
	struct command command;		/* or none: the signal */
	int signal;			/* SIGTERM by default */
	uint64_t grace_ns;		/* 5 s by default; then what is left is killed */
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

/* What is measured: a command run to its end, or running processes that are attached to. */
enum target_kind {
	TARGET_COMMAND, TARGET_SERVICE, TARGET_PID, TARGET_PIDFILE, TARGET_PROCESS, TARGET_PORT, TARGET_CGROUP,
	TARGET_CONTAINER,
};

/* The key of a scenario's target: "command", "service", ... */
const char *target_kind_name(enum target_kind kind);

enum work_kind { WORK_UNKNOWN, WORK_RATE, WORK_COUNT };

/* What drives an attached target while a window is measured. */
struct load {
	struct command command;		/* argv.n 0: there is no load */
	struct strv environment;
	char *user;			/* or NULL */
	struct confines confines;
	enum work_kind as;		/* WORK_UNKNOWN: it does not report how much it did */
	struct extractor work;
	char *unit;			/* what is done, in the singular: "request"; or NULL */
	char *fail;			/* a line of its output that matches makes the window failed; or NULL */
};

/* A custom metric: a number of the output. */
struct custom_metric {
	struct extractor extractor;
	const struct metric *metric;	/* metric_custom() */
};

/* How pairs are taken. */
enum pairs_mode { PAIRS_AUTO, PAIRS_TOGETHER, PAIRS_IN_TURN };
extern const char *const pairs_mode_names[];	/* "in-turn"; of each, then NULL */

enum counters_mode { COUNTERS_AUTO, COUNTERS_PERF, COUNTERS_SIM };

struct measure_settings {
	unsigned runs;
	uint64_t budget_ns, timeout_ns;
	uint64_t window_ns;		/* of attached targets; 5 s by default */
	double floor_pct;		/* in pairs, a regression must surely be worse by so much; 0 by default */
	enum counters_mode counters;
	enum pairs_mode pairs;
	struct strv events;		/* perf events beyond the standard ones */
	char *cpus;			/* a CPU list the target is pinned to, or NULL */
	bool aslr_off;
};

struct profile_settings {
	bool off;			/* kinds: without cpu: no profile of the CPU's time is taken */
	bool offcpu, faults, heap;	/* other kinds, which are taken beside it; heap by heaptrack */
	unsigned frequency;		/* Hz; 4999 by default */
	unsigned samples;		/* wanted, over all profiled runs; 36000 by default */
	uint64_t duration_ns;		/* the most spent on it, where as much of the budget is left; 10 s by default */
	enum call_graph call_graph;
	struct strv own;		/* globs on paths of programs, libraries and scripts: they are the project's own code */
};

struct gates {
	struct gate *items;
	size_t n, cap;
	struct symbol_gate symbols;
	struct share_budget *budgets;
	size_t n_budgets, cap_budgets;
};

/* What pawl.yaml may set for every scenario. */
struct scenario_defaults {
	struct arena arena;		/* of the built-in ones; those of pawl.yaml are in its configuration's */
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

	struct service *services;	/* in the order of their start */
	size_t n_services, cap_services;

	enum target_kind target_kind;
	char *target_text;		/* the (first) service's name, the number, path, expression ...; NULL for a command */
	struct strv target_services;	/* names of all services that are the target */
	struct command target;
	struct strv target_environment;	/* NAME=VALUE */
	struct strv target_pass;	/* names of variables it gets of pawl's own, beside the usual ones */
	char *target_cwd, *target_user;	/* or NULL */

	struct load load;
	struct custom_metric *metrics;
	size_t n_metrics, cap_metrics;

	unsigned warmup_runs;		/* 1 by default; 0 where one of the next three is set */
	uint64_t warmup_ns;		/* 0: not by time */
	unsigned warmup_work;		/* in units of the load's work; 0: not by that */
	uint64_t warmup_steady_ns;	/* until windows are steady, this long at most; 0: not by that */
	struct command warmup_command;

	struct measure_settings measure;
	struct profile_settings profile;
	struct gates gates;
};

/* The built-in ones, before pawl.yaml. */
void scenario_defaults_init(struct scenario_defaults *defaults);
void scenario_defaults_release(struct scenario_defaults *defaults);

/* 0, or -1 with at least one fault added to DIAGS; OUT is written only on success. */
int scenario_parse(const char *text, size_t len, const char *path, const struct scenario_defaults *defaults,
		   struct scenario *out, struct diags *diags);
void scenario_release(struct scenario *scenario);
/*
 * Let the target be process PID, which runs already. Services, setup and cleanup go: what they would
 * make is there.
 */
void scenario_attach(struct scenario *scenario, pid_t pid);

/* The service of that name, or NULL. */
const struct service *scenario_service(const struct scenario *scenario, const char *name);
/* What starts the target: its own command, or its service's. argv.n is 0 for one that runs already. */
const struct command *scenario_target_command(const struct scenario *scenario);

void command_copy(struct arena *arena, struct command *out, const struct command *from);
/* The command as one line of shell: a string command as it was written. NULL when there is none; for free(). */
char *command_text(const struct command *command);
/* A name that may become a file's: letters, digits, . _ -, not starting with a dot, at most 100. */
bool scenario_name_valid(const char *name);

/* -------- the plan */

/*
 * A scenario with every ${name} replaced, ready to be executed. Names are those of `vars:` and the built-ins port,
 * port.NAME, scenario_dir, out, tmp; $$ is a dollar sign; a dollar before anything else stays, as in $HOME and $(date).
 * scenario_parse() has refused unknown names already.
 */

/* What the surroundings give; all paths absolute. */
struct plan_context {
	const char *root;		/* working folder of every command */
	const char *scenario_dir, *out, *tmp;
	/* A free TCP port for NAME ("" for ${port}), the same for the same name; -1 with an error set. */
	int (*port)(void *ctx, const char *name, struct error *err);
	void *ctx;
	/*
	 * What the scenario's own TEXT, names not replaced yet, is where its paths lie elsewhere; for free(). NULL: as it stands.
	 * What the built-ins stand for never goes through it.
	 */
	char *(*place)(void *places, const char *text);
	void *places;
};

struct plan_service {
	const struct service *service;	/* borrowed, as the scenario */
	struct strv command, environment, stop, ready;	/* argvs; stop and ready empty when there is none */
	char *cwd;			/* absolute */
	struct strv ready_headers;
	char *ready_text, *ready_body;	/* expanded; a path is absolute; NULL when there is none */
};

struct plan {
	struct arena arena;		/* of everything below but the scenario */
	const struct scenario *scenario;	/* borrowed: must outlive the plan */
	struct strv setup, prepare, cleanup, warmup;	/* argvs; empty when there is none */
	struct strv target;		/* argv of the command or service measured; empty when it runs already */
	struct strv environment;	/* NAME=VALUE added to the target's */
	struct strv commands_environment;	/* the same, of setup, prepare, cleanup and warmup */
	char *cwd;			/* absolute working folder of the target */
	struct plan_service *services;
	size_t n_services;
	struct strv load, load_environment;
	char *load_fail;		/* or NULL */
	char *attach;			/* what to attach to: a service's name, a number, an absolute path, an
					   expression ...; NULL for a command */
	char *root;			/* absolute working folder of the other commands */
};

/* True when windows on running processes are measured, not a command run to its end. */
bool plan_attaches(const struct plan *plan);

int plan_build(const struct scenario *scenario, const struct plan_context *context, struct plan *out, struct error *err);
void plan_release(struct plan *plan);

struct settings;
/* The settings of a baseline, from the scenario as it was written, before replacing. */
void plan_settings(const struct scenario *scenario, struct arena *arena, struct settings *out);

/* -------- pawl.yaml */

/*
 * Where things are in a project, how a checkout is built, and defaults for every scenario. All of it is optional;
 * without the file config_init() is the configuration.
 */
struct config {
	struct arena arena;		/* of everything below */
	struct command build;		/* builds a checkout; argv.n is 0 when there is none */
	char *scenarios, *baselines, *out;	/* folders relative to the root: scenarios, baselines, pawl-out */
	struct scenario_defaults defaults;
};

void config_init(struct config *config);
void config_release(struct config *config);
/* Reads over what OUT holds (call config_init() first). 0, or -1 with faults added; OUT then holds what had none. */
int config_parse(const char *text, size_t len, const char *path, struct config *out, struct diags *diags);

/* -------- endpoints */

/*
 * Where a server on this machine is asked whether it serves: "127.0.0.1:6379", "localhost:80", "[::1]:80", or as a URL
 * "http://HOST[:PORT][/PATH][?QUERY]", "https://..." or "http://unix:/SOCKET[:/PATH]". Every rejection quotes the text
 * and names what is wrong with it.
 */
struct endpoint {
	char *host;		/* a name or an address, without brackets */
	uint16_t port;		/* never 0 */
	char *path;		/* of a URL: path and query as a request names them, from '/'; else NULL */
	bool tls;		/* of a URL: https */
	char *socket;		/* of a URL: the path of the Unix socket to connect to instead; else NULL */
};

/* HOST:PORT. */
int endpoint_parse(const char *text, struct endpoint *out, struct error *err);
/* A URL; without a port 80, of https 443; without a path "/". A fragment (#...) is left out: it is never sent. */
int endpoint_parse_url(const char *text, struct endpoint *out, struct error *err);
void endpoint_release(struct endpoint *endpoint);
/* As a Host field has it: "localhost", "[::1]:8080"; port 80 is left out. Appended. */
void endpoint_add_host(const struct endpoint *endpoint, struct strbuf *out);

#endif
