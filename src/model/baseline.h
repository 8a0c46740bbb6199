/*
 * A baseline: what was accepted for a scenario on one machine class. It has the runs of up to SESSIONS_KEPT sessions,
 * with who accepted them and why, and the settings that must match for a comparison.
 */
#ifndef PAWL_MODEL_BASELINE_H
#define PAWL_MODEL_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/machine.h"
#include "model/metrics/metric.h"
#include "model/profile.h"

/* -------- settings */

/* Values read from the output: the work done by the load, and custom metrics. */
enum extracted_as { EXTRACTED_LOWER, EXTRACTED_HIGHER, EXTRACTED_COUNT, EXTRACTED_RATE };

extern const char *const extracted_as_names[];	/* "lower", ...; NULL-terminated */

struct extracted {
	const char *name;
	const char *unit;	/* as written; for work, what the load does; NULL: none */
	const char *where;	/* the regular expression, or the JSON path */
	enum extracted_as as;	/* of custom metrics the better direction, of work the meaning of the number */
};

/*
 * Settings that must match. Reports name the parts that differ. An event that only one side has leaves its gate not
 * measured. Texts and lists belong to the owner's arena.
 */
struct settings {
	struct strv command;		/* argv before ${...} is replaced; a string command is "/bin/sh", "-c", TEXT */
	const char *setup, *prepare;	/* as text, or NULL */
	struct strv environment;	/* NAME=VALUE as in the scenario, then the NAMEs it passes on */
	struct strv events;		/* additional perf events */
	const char *cpus;		/* pinned to, or NULL */
	bool aslr_off;
	struct strv services;		/* "NAME: COMMAND" in order */
	const char *load;		/* as text, or NULL */
	struct extracted *extracted;
	size_t n_extracted, cap_extracted;
	double window_s;		/* of attached targets; 0: commands */
};

/* Appends an extracted value with copies of the texts. */
void settings_extract(struct arena *arena, struct settings *settings, const char *name, const char *unit,
		      const char *where, enum extracted_as as);
/* Returns the name of the first part that differs ("command", "setup", ...), or NULL if equal. */
const char *settings_difference(const struct settings *a, const struct settings *b);

/* -------- accepted values */

/* Values of one metric. It holds measured values only: the NaN of a run is left out. */
struct series {
	const struct metric *metric;
	double *values;
	size_t n, cap;
};

struct series_set {
	struct series *items;
	size_t n, cap;
};

/* Returns the series of METRIC, or NULL. */
const struct series *series_find(const struct series_set *set, const struct metric *metric);

enum { SESSIONS_KEPT = 10 };

struct baseline_session {
	const char *date;		/* UTC, 2026-11-20T10:05:54Z */
	const char *commit;		/* of the measured project, or NULL */
	const char *by, *reason;	/* reason may be NULL */
	const char *pawl, *perf, *kernel;
	const char *executable;	/* identity of the command's file: "build-id:..." or "fnv1a:..." or NULL */
	const char *simulator;	/* see struct side_result; NULL: nothing was simulated, or by an older pawl that counted differently */
	const char *measurement;	/* identifier of the measurement, 32 hexadecimal digits; NULL: from an older pawl */
	struct strv notes;	/* noise seen while measuring */
	struct strv busy;	/* why its times count for little; empty: the machine was quiet */
	struct series_set series;
};

/*
 * True if both are runs of one measurement, by its identifier. If one has none, they must have begun in the same
 * second and have equal values.
 */
bool baseline_same_measurement(const struct baseline_session *a, const struct baseline_session *b);

/* The arena owns all texts and lists, including those of the settings and sessions. */
struct baseline {
	struct arena arena;
	const char *scenario;
	struct machine machine;		/* only arch, cpu, part, cpus, tier, hypervisor and kernel are stored */
	struct settings settings;
	struct own_metrics own_metrics;	/* used by the settings and the sessions */
	struct baseline_session *sessions;	/* oldest first */
	size_t n_sessions, cap_sessions;
	struct strv gone;		/* metrics of earlier versions whose values were left out, see metric_gone(); not stored */
	struct profile profile;		/* of the first session with a profile, or of a later one with many more samples */
};

void baseline_release(struct baseline *baseline);
/*
 * Adds a session without values, valid until the next call. With SESSIONS_KEPT already, drops the oldest busy one, else
 * the oldest.
 */
struct baseline_session *baseline_add_session(struct baseline *baseline);
/* Returns the last session. There must be one. */
static inline const struct baseline_session *baseline_last(const struct baseline *baseline)
{
	return &baseline->sessions[baseline->n_sessions - 1];
}
/*
 * Appends VALUE to the session's series of METRIC, rounded by metric_round(). NaN is skipped. The settings must be
 * set before.
 */
void baseline_add_value(struct baseline *baseline, struct baseline_session *session, const struct metric *metric,
			double value);
/* Defines the custom metrics of the settings. */
void baseline_define_metrics(struct baseline *baseline);
/* Returns the load's unit of work in the singular: "request", or "unit of work" if it has no name. */
const char *baseline_work_unit(const struct baseline *baseline);
/* Returns the session that already has the runs of SESSION, or NULL. */
struct baseline_session *baseline_find_measurement(const struct baseline *baseline, const struct baseline_session *session);
/* Returns the simulator of the last session's values. NULL: none, or an older pawl that counted differently. */
const char *baseline_simulator(const struct baseline *baseline);
/* False if METRIC's values are simulated and the baseline used a different simulator. */
bool baseline_counted_alike(const struct baseline *baseline, const char *simulator, const struct metric *metric);
/*
 * True if SESSION's values of METRIC count. Simulated values come only from sessions with the simulator of the last one.
 * Values that a busy machine changes come from busy sessions only if no quiet one has them.
 */
bool baseline_counts(const struct baseline *baseline, const struct baseline_session *session, const struct metric *metric);
/* Returns every value of METRIC that counts, oldest session first; for free(). *N_OUT may be 0. */
double *baseline_values(const struct baseline *baseline, const struct metric *metric, size_t *n_out);
/* Returns the number of METRIC's values. */
size_t baseline_count(const struct baseline *baseline, const struct metric *metric);

#endif
