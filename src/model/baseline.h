/*
 * What was accepted for a scenario on one machine class: the runs of up to SESSIONS_KEPT
 * sessions, with who accepted them and why, and the settings that must match for a comparison
 * to mean anything.
 */
#ifndef PAWL_MODEL_BASELINE_H
#define PAWL_MODEL_BASELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "model/machine.h"
#include "model/profile.h"
#include "model/settings.h"

/*
 * Values of named metrics, one array a metric. Not measured is NaN in a run and absent here:
 * a series holds only what was measured.
 */

struct series {
	char *metric;
	double *values;
	size_t n, cap;
};

struct series_set {
	struct series *items;
	size_t n, cap;
};

void series_set_release(struct series_set *set);
/* The series called METRIC, or NULL. */
const struct series *series_find(const struct series_set *set, const char *metric);
/* Append VALUE to the series called METRIC, which is made when missing. NaN is skipped. */
void series_add(struct series_set *set, const char *metric, double value);

enum { SESSIONS_KEPT = 10, MEASUREMENT_LENGTH = 32 };

struct baseline_session {
	char *date;		/* UTC, 2026-11-20T10:05:54Z */
	char *commit;		/* of the measured project, or NULL */
	char *by, *reason;	/* reason may be NULL */
	char *pawl, *perf, *kernel;
	char *executable;	/* identity of the command's file: "build-id:..." or "fnv1a:..." or NULL */
	char *measurement;	/* made when it was measured, 32 hexadecimal digits; NULL: by a pawl that made none */
	struct strv notes;	/* noise seen while measuring */
	struct series_set series;
};

void baseline_session_release(struct baseline_session *session);
/*
 * True when both are the runs of one measurement: it has one name. Where one has none, when they began in the same second
 * and have the same values.
 */
bool baseline_same_measurement(const struct baseline_session *a, const struct baseline_session *b);

struct baseline {
	char *scenario;
	struct machine machine;		/* only arch, cpu, part, cpus, tier, hypervisor and kernel are stored */
	struct settings settings;
	struct baseline_session *sessions;	/* oldest first */
	size_t n_sessions, cap_sessions;
	struct profile profile;		/* of the first session that had one, or of a later one with many more samples */
};

void baseline_release(struct baseline *baseline);
/*
 * Append SESSION, which is taken over; the oldest beyond SESSIONS_KEPT are dropped. Its values are rounded to what their
 * metrics can know (metric_round()), so the baseline must have its settings by then.
 */
void baseline_add_session(struct baseline *baseline, struct baseline_session *session);
/* What is stored is rounded so; doing it twice changes nothing. */
void baseline_round(struct baseline *baseline);
/* The session that has the runs of SESSION already, or NULL. */
struct baseline_session *baseline_find_measurement(const struct baseline *baseline, const struct baseline_session *session);
/* Every value of METRIC over all sessions, oldest first; for free(). *N_OUT may be 0. */
double *baseline_values(const struct baseline *baseline, const char *metric, size_t *n_out);
/* How many values of METRIC there are. */
size_t baseline_count(const struct baseline *baseline, const char *metric);

#endif
