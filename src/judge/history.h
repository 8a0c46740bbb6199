/*
 * The course of metrics over commits: many results of one project, a value per metric and commit, and where the level changed.
 * Nothing is judged by it. It finds what no single comparison shows, such as a drift of half a percent a week.
 *
 *	history_add() for each result -> history_settle() -> read series -> history_release()
 *
 * A value is the median of a result's runs; where a commit has several results on one machine class, the median of these.
 * Machine classes are kept apart. Values that were measured in pairs are left out: they stand beside another program's.
 */
#ifndef PAWL_JUDGE_HISTORY_H
#define PAWL_JUDGE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>

#include "model/result.h"

/* Of a series only the newest so many commits are kept. */
enum { HISTORY_COMMITS_MOST = 5000 };

/* A commit, or what a result was measured of where no commit holds it. In the order of the course. */
struct history_commit {
	const char *id;			/* full where git knows it, else as the result has it; NULL: no result says */
	const char *date;		/* 2026-11-20: git's, else that of the first result */
	const char *subject;		/* foreign text; NULL: git does not know it */
	bool dirty;			/* of a changed tree, which no commit holds */
	size_t place;			/* in git's order, from 0; SIZE_MAX: git does not know it, so it was placed by time */
};

struct history_point {
	size_t commit;			/* of history.commits */
	double value;
	unsigned runs;
	bool rewritten;			/* the scenario itself was another one before: its command, setup, services or load */
};

/* A level that changed, or several in a row that together are a drift. */
struct history_change {
	size_t first, last;		/* points that begin the first and the last new level; the same unless it drifts */
	unsigned steps;			/* how many levels that are */
	bool drift;			/* no commit by itself made it */
	double from, to, change_pct;	/* medians of the levels; the change is raw, NaN where it is none of a number */
	double p;			/* the largest of its steps */
	bool spread;			/* only how far values scatter changed */
};

struct history_series {
	const char *scenario, *class;
	const struct metric *metric;
	const char *work_unit;		/* as in a result, for names of metrics per operation; or NULL */
	bool gated;			/* a gate judges it */
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
	size_t n_results;		/* of which something is in a series */
	struct history_commit *commits;	/* in order */
	size_t n_commits;
	size_t n_unknown, n_dirty;	/* of them: placed by time, since git does not know them; since no commit holds them */
	size_t n_between;		/* commits that git knows between the first and the last of them, and that have no result */
	struct history_series *series;	/* by scenario, class and metric, as reports list them */
	size_t n_series;
	struct history_file *damaged;	/* files that could not be read */
	size_t n_damaged, cap_damaged;
	size_t n_others;		/* files that are no results */
	size_t n_copies;		/* measurements that were there before */
	size_t n_paired, n_failed;	/* measurements of scenarios that were left out: in pairs; without a run */
	size_t n_older;			/* values beyond HISTORY_COMMITS_MOST */
	struct strv scenarios;		/* names of all that were met, those that were not asked for too */
	/* private */
	struct history_result *results;
	size_t cap_results, n_all;
	struct history_group **groups;
	size_t n_groups, cap_groups;
	void *groups_by_name, *copies;	/* tsearch(3) trees */
};

void history_release(struct history *history);
/* The values of RESULT, of the scenarios that NAMES holds, or of all where it is empty. RESULT may go afterwards. */
void history_add(struct history *history, const struct result *result, const struct strv *names);
/* A file that could not be read, and why. */
void history_damaged(struct history *history, const char *path, const char *reason);
/*
 * Puts the commits in ORDER, oldest first, as far as they are in it, and all others between them by time; makes the series,
 * and finds their changes. ORDER may be NULL. To be called once.
 */
void history_settle(struct history *history, const struct commits *order);

/* Whether CHANGE made the metric worse. */
bool history_is_worse(const struct history_series *series, const struct history_change *change);
/* How many commits without a result lie directly before POINT, any of which may have brought it; 0 also where git does not know. */
size_t history_gap(const struct history *history, const struct history_series *series, size_t point);

#endif
