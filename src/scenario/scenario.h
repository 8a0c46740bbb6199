/*
 * A scenario: one YAML file as a typed, checked value. Text becomes a value at once; every fault
 * of the file is collected with its place. Nothing here touches the world.
 *
 *	struct scenario s;
 *	if (scenario_parse(text, len, path, &config.defaults, &s, &diags) < 0) -> diags says why
 *	...
 *	scenario_release(&s);
 */
#ifndef PAWL_SCENARIO_SCENARIO_H
#define PAWL_SCENARIO_SCENARIO_H

#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/text.h"
#include "model/gate.h"
#include "model/profile.h"
#include "scenario/extractor.h"

enum {
	SCENARIO_LARGEST = 1 << 20,	/* bytes of a scenario file */
	SCENARIO_RUNS_MAX = 10000,
	SCENARIO_SERVICES_MAX = 32,
	SCENARIO_METRICS_MAX = 32,
	FLOOR_MOST_PCT = 50,
};

/* A string is run by /bin/sh -c, a list as it stands; argv.n is 0 when there is no command. */
struct command {
	struct strv argv;
	bool shell;			/* argv is "/bin/sh", "-c", TEXT */
	unsigned line, column;
};

struct variable {
	const char *name, *value;
};

/* How to tell that a service serves. */
enum ready_kind { READY_AT_ONCE, READY_TCP, READY_HTTP, READY_LOG, READY_FILE, READY_COMMAND, READY_DELAY };

struct ready {
	enum ready_kind kind;
	char *text;			/* HOST:PORT, URL, regular expression or path; else NULL */
	struct command command;
	unsigned status;		/* of http; 0: any from 200 to 399 */
	char *body;			/* of http: a regular expression that the answer's body matches, or NULL */
	uint64_t delay_ns;
	uint64_t timeout_ns;		/* 30 s unless said */
};

struct stop {
	struct command command;		/* or none: the signal */
	int signal;			/* SIGTERM unless said */
	uint64_t grace_ns;		/* 5 s unless said; then what is left is killed */
};

struct service {
	char *name;
	struct command command;
	struct strv environment;	/* NAME=VALUE */
	char *cwd, *user;		/* or NULL */
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
	enum work_kind as;		/* WORK_UNKNOWN: it does not tell how much it did */
	struct extractor work;
	char *unit;			/* what is done, in the singular: "request"; NULL: nobody said */
	char *fail;			/* a line of its output that matches makes the window failed; or NULL */
};

/* A custom metric: a number of the output. */
struct printed_metric {
	struct extractor extractor;
	const struct metric *metric;	/* metric_of_printed() */
};

enum counters_mode { COUNTERS_AUTO, COUNTERS_PERF, COUNTERS_SIM };

struct measure_settings {
	unsigned runs;
	uint64_t budget_ns, timeout_ns;
	uint64_t window_ns;		/* of attached targets; 5 s unless said */
	double floor_pct;		/* in pairs, a regression must surely be worse by so much; 0 unless said */
	enum counters_mode counters;
	struct strv events;		/* perf events beyond the standard ones */
	char *cpus;			/* a CPU list the target is pinned to, or NULL */
	bool aslr_off;
};

struct profile_settings {
	bool off;			/* kinds: []: no profile is taken */
	unsigned frequency;		/* Hz; 3989 unless said */
	unsigned samples;		/* wanted, over all profiled runs; 36000 unless said */
	uint64_t duration_ns;		/* the most spent on it, outside the budget; 10 s unless said */
	enum call_graph call_graph;
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
	unsigned name_line, gates_line;	/* for annotations */
	struct strv tags, requires;
	struct command setup, prepare, cleanup;
	struct variable *vars;
	size_t n_vars, cap_vars;

	struct service *services;	/* in the order of their start */
	size_t n_services, cap_services;

	enum target_kind target_kind;
	char *target_text;		/* the service's name, the number, path, expression ...; NULL for a command */
	struct command target;
	struct strv target_environment;	/* NAME=VALUE */
	struct strv target_pass;	/* names of variables it gets of pawl's own, beside the usual ones */
	char *target_cwd, *target_user;	/* or NULL */

	struct load load;
	struct printed_metric *metrics;
	size_t n_metrics, cap_metrics;

	unsigned warmup_runs;		/* 1 unless said */
	uint64_t warmup_ns;		/* 0: by runs */
	struct command warmup_command;

	struct measure_settings measure;
	struct profile_settings profile;
	struct gates gates;
};

/* The built-in defaults, before pawl.yaml. Release with scenario_defaults_release(). */
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

#endif
