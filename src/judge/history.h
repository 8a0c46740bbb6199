/*
 * Metrics over commits: many results of one project, one value per metric and commit, and the changes of level
 * between them. Finds changes too small for a single comparison, such as half a percent a week. It never affects a
 * verdict.
 *
 *	history_add() for each result -> history_settle() -> read series -> history_release()
 *
 * A value is the median of a result's runs. If a commit has several results on one machine class, it is the median of
 * their medians. Machine classes are kept apart. Values measured in pairs are left out, because a second program ran
 * in turn or at the same time.
 */
#ifndef PAWL_JUDGE_HISTORY_H
#define PAWL_JUDGE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "model/result.h"

/* Newest commits kept of a series. */
enum { HISTORY_COMMITS_MOST = 5000 };

/* A commit, or a changed tree that no commit holds. Sorted oldest first. */
struct history_commit {
	const char *id;			/* full if git has it, else as in the result; NULL: unknown */
	const char *date;		/* 2026-11-20: from git, else from the first result */
	const char *subject;		/* untrusted text; NULL: not in git */
	bool dirty;			/* measured with uncommitted changes */
	size_t place;			/* in git's order, from 0; SIZE_MAX: not in git, placed by time */
};

struct history_point {
	size_t commit;			/* index into history.commits */
	double value;
	unsigned runs;
	bool rewritten;			/* the scenario changed: its command, setup, services or load */
};

/* A change of level, or several in a row that together are a drift. */
struct history_change {
	size_t first, last;		/* points that begin the first and the last new level; equal unless it drifts */
	unsigned steps;			/* number of new levels */
	bool drift;			/* not caused by a single commit */
	double from, to, change_pct;	/* medians of the levels; the change has the raw sign, NaN if it has no ratio */
	double p;			/* the largest of its steps */
	bool spread;			/* only the scatter of the values changed */
};

struct history_series {
	const char *scenario, *class;
	const struct metric *metric;
	const char *work_unit;		/* as in a result, for names of normalised metrics; or NULL */
	bool gated;			/* a gate uses it */
	struct history_point *points;
	size_t n;
	struct history_change *changes;
	size_t n_changes;
};

struct history_file {
	const char *path, *reason;
};

struct history {
	struct arena arena;
	struct own_metrics own_metrics;
	size_t n_results;		/* results with a value in some series */
	struct history_commit *commits;	/* oldest first */
	size_t n_commits;
	size_t n_unknown, n_dirty;	/* commits placed by time because git does not have them; measured with uncommitted changes */
	size_t n_between;		/* commits of git between the first and the last one, without a result */
	struct history_series *series;	/* by scenario, class and metric, as reports list them */
	size_t n_series;
	struct history_file *damaged;	/* files that could not be read */
	size_t n_damaged, cap_damaged;
	size_t n_others;		/* files that are not results */
	size_t n_copies;		/* measurements seen before */
	size_t n_paired, n_failed;	/* measurements left out: in pairs; without a run */
	size_t n_older;			/* values beyond HISTORY_COMMITS_MOST */
	struct strv scenarios;		/* names of all scenarios seen, including those not selected */
	/* private */
	struct history_result *results;
	size_t cap_results, n_all;
	struct history_group **groups;
	size_t n_groups, cap_groups;
	void *groups_by_name, *copies;	/* tsearch(3) trees */
};

void history_release(struct history *history);
/*
 * Adds the values of RESULT, of the scenarios in NAMES, or of all if NAMES is empty. RESULT may be released
 * afterwards.
 */
void history_add(struct history *history, const struct result *result, const struct strv *names);
/* Records a file that could not be read, and why. */
void history_damaged(struct history *history, const char *path, const char *reason);
/*
 * Sorts the commits, makes the series and finds their changes. Commits in ORDER, oldest first, keep that order; the
 * others go between them by time. ORDER may be NULL. Call it once.
 */
void history_settle(struct history *history, const struct commits *order);

/* True if CHANGE made the metric worse. */
bool history_is_worse(const struct history_series *series, const struct history_change *change);
/*
 * Returns the number of commits without a result directly before POINT; any of them may have caused its change. 0 if
 * git does not know.
 */
size_t history_gap(const struct history *history, const struct history_series *series, size_t point);

#endif
