/*
 * What was accepted for a scenario on one machine class: the runs of up to SESSIONS_KEPT
 * sessions, with who accepted them and why, and the settings that must match for a comparison
 * to mean anything.
 */
#ifndef PAWL_MODEL_BASELINE_H
#define PAWL_MODEL_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/machine.h"
#include "model/metric.h"
#include "model/profile.h"

/* -------- what was run */

/* What is read out of the output: how much the load did, and custom metrics. */
enum extracted_as { EXTRACTED_LOWER, EXTRACTED_HIGHER, EXTRACTED_COUNT, EXTRACTED_RATE };

extern const char *const extracted_as_names[];	/* "lower"; of each, then NULL */

struct extracted {
	const char *name;
	const char *unit;	/* as it was written, of the work what the load does; NULL: none */
	const char *where;	/* the regular expression, or the JSON path */
	enum extracted_as as;	/* of custom metrics which way is better, of the work what the number is */
};

/*
 * Parts that differ are named in the report; an event that only one side has leaves its gate unmeasured. Texts and
 * lists are those of its owner's arena.
 */
struct settings {
	struct strv command;		/* argv before ${...} is replaced; a string command is "/bin/sh", "-c", TEXT */
	const char *setup, *prepare;	/* as text; NULL when there is none */
	struct strv environment;	/* NAME=VALUE as the scenario has them, then the NAMEs it passes on */
	struct strv events;		/* perf events asked for beyond the standard ones */
	const char *cpus;		/* pinned to, or NULL */
	bool aslr_off;
	struct strv services;		/* "NAME: COMMAND" in order */
	const char *load;		/* as text, or NULL */
	struct extracted *extracted;
	size_t n_extracted, cap_extracted;
	double window_s;		/* of attached targets; 0 for commands */
};

/* Appends copies of the texts. */
void settings_extract(struct arena *arena, struct settings *settings, const char *name, const char *unit,
		      const char *where, enum extracted_as as);
/* NULL when equal, else the name of the first part that differs: "command", "setup", ... */
const char *settings_difference(const struct settings *a, const struct settings *b);

/* -------- what was accepted */

/* Values of one metric. Not measured is NaN in a run and absent here: a series holds only what was measured. */
struct series {
	const struct metric *metric;
	double *values;
	size_t n, cap;
};

struct series_set {
	struct series *items;
	size_t n, cap;
};

/* The series of METRIC, or NULL. */
const struct series *series_find(const struct series_set *set, const struct metric *metric);

enum { SESSIONS_KEPT = 10, MEASUREMENT_LENGTH = 32 };

struct baseline_session {
	const char *date;		/* UTC, 2026-11-20T10:05:54Z */
	const char *commit;		/* of the measured project, or NULL */
	const char *by, *reason;	/* reason may be NULL */
	const char *pawl, *perf, *kernel;
	const char *executable;	/* identity of the command's file: "build-id:..." or "fnv1a:..." or NULL */
	const char *simulator;	/* see struct side_result; NULL: nothing was simulated, or by a pawl that counted in another way */
	const char *measurement;	/* made when it was measured, 32 hexadecimal digits; NULL: by a pawl that made none */
	struct strv notes;	/* noise seen while measuring */
	struct series_set series;
};

/*
 * True when both are the runs of one measurement: it has one name. Where one has none, when they began in the same second
 * and have the same values.
 */
bool baseline_same_measurement(const struct baseline_session *a, const struct baseline_session *b);

/* Its texts and lists, and those of its settings and sessions, are its arena's. */
struct baseline {
	struct arena arena;
	const char *scenario;
	struct machine machine;		/* only arch, cpu, part, cpus, tier, hypervisor and kernel are stored */
	struct settings settings;
	struct own_metrics own_metrics;	/* of the settings and the sessions */
	struct baseline_session *sessions;	/* oldest first */
	size_t n_sessions, cap_sessions;
	struct profile profile;		/* of the first session that had one, or of a later one with many more samples */
};

void baseline_release(struct baseline *baseline);
/* A new session without values, valid until the next call; the oldest beyond SESSIONS_KEPT are dropped. */
struct baseline_session *baseline_add_session(struct baseline *baseline);
/*
 * Append VALUE to the session's series of METRIC, as the baseline knows it, rounded to what this can know
 * (metric_round()). NaN is skipped. The baseline must have its settings by then.
 */
void baseline_add_value(struct baseline *baseline, struct baseline_session *session, const struct metric *metric,
			double value);
/* Make known what the custom metrics of its settings are. */
void baseline_define_metrics(struct baseline *baseline);
/* What the load does, in the singular: "request", or "unit of work" where it has no name. */
const char *baseline_work_unit(const struct baseline *baseline);
/* The session that has the runs of SESSION already, or NULL. */
struct baseline_session *baseline_find_measurement(const struct baseline *baseline, const struct baseline_session *session);
/* By what the last session's values were simulated. NULL: by nothing, or by a pawl that counted in another way. */
const char *baseline_simulator(const struct baseline *baseline);
/* True unless METRIC's values are simulated, and the baseline's by another simulator. */
bool baseline_counted_alike(const struct baseline *baseline, const char *simulator, const struct metric *metric);
/*
 * Every value of METRIC over all sessions, oldest first; for free(). *N_OUT may be 0. Simulated values are those of sessions
 * with the simulator of the last one.
 */
double *baseline_values(const struct baseline *baseline, const struct metric *metric, size_t *n_out);
/* How many values of METRIC there are. */
size_t baseline_count(const struct baseline *baseline, const struct metric *metric);

#endif
