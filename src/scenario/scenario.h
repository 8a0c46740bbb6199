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

#include "base/diag.h"
#include "base/strv.h"
#include "model/gate.h"

enum {
	SCENARIO_LARGEST = 1 << 20,	/* bytes of a scenario file */
	SCENARIO_RUNS_MAX = 10000,
};

/* A string is run by /bin/sh -c, a list as it stands; argv.n is 0 when there is no command. */
struct command {
	struct strv argv;
	bool shell;			/* argv is "/bin/sh", "-c", TEXT */
	unsigned line, column;
};

struct variable {
	char *name, *value;
};

enum counters_mode { COUNTERS_AUTO, COUNTERS_PERF, COUNTERS_SIM };

struct measure_settings {
	unsigned runs;
	uint64_t budget_ns, timeout_ns;
	enum counters_mode counters;
	struct strv events;		/* perf events beyond the standard ones */
	char *cpus;			/* a CPU list the target is pinned to, or NULL */
	bool aslr_off;
};

struct gates {
	struct gate *items;
	size_t n, cap;
	bool builtin;			/* pawl's own, which apply until a scenario or pawl.yaml sets a gate */
	struct metric **own;		/* metrics made for measure.events, freed with the gates */
	size_t n_own, cap_own;
};

/* What pawl.yaml may set for every scenario. */
struct scenario_defaults {
	struct measure_settings measure;
	struct gates gates;
};

struct scenario {
	char *path;			/* as given to scenario_parse */
	char *name, *description;	/* description may be NULL */
	unsigned name_line, gates_line;	/* for annotations */
	struct strv tags, requires;
	struct command setup, prepare, cleanup;
	struct variable *vars;
	size_t n_vars, cap_vars;

	struct command target;
	struct strv target_environment;	/* NAME=VALUE */
	char *target_cwd, *target_user;	/* or NULL */

	unsigned warmup_runs;		/* 1 unless said */
	uint64_t warmup_ns;		/* 0: by runs */
	struct command warmup_command;

	struct measure_settings measure;
	struct gates gates;
};

/* The built-in defaults, before pawl.yaml. Release with scenario_defaults_release(). */
void scenario_defaults_init(struct scenario_defaults *defaults);
void scenario_defaults_release(struct scenario_defaults *defaults);

/* 0, or -1 with at least one fault added to DIAGS; OUT is written only on success. */
int scenario_parse(const char *text, size_t len, const char *path, const struct scenario_defaults *defaults,
		   struct scenario *out, struct diags *diags);
void scenario_release(struct scenario *scenario);

/* A name that may become a file's: letters, digits, . _ -, not starting with a dot, at most 100. */
bool scenario_name_valid(const char *name);

#endif
