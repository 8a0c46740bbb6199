/* Gates of a scenario. Plain values; metrics are not owned. */
#ifndef PAWL_MODEL_GATE_H
#define PAWL_MODEL_GATE_H

#include <stdbool.h>

#include "model/metrics/metric.h"

/* Kinds of gates. For shares of a profile, values are from 0 to 1, and tolerances and changes are percentage points. */
enum gate_kind {
	GATE_METRIC,	/* a metric of the runs */
	GATE_SYMBOLS,	/* gates.symbols: the shares of the hottest symbols */
	GATE_SHARE,	/* one of gates.budgets: the share of the profile that a glob matches */
	GATE_OUTPUT,	/* target.output: same: both sides print and write the same; no number */
};

struct gate {
	enum gate_kind kind;
	const struct metric *metric;	/* metric_share for gates on a profile */
	bool relative;		/* compared with a baseline */
	bool by_default;	/* the tolerance is the catalogue's */
	bool builtin;		/* pawl's own, until the scenario sets its own gate or disables it */
	bool claim;		/* an improvement by at least the tolerance must be proven; VERDICT_REGRESSION then means refuted */
	double tolerance_pct;	/* positive, whichever direction is worse */
	double max, min;	/* absolute budgets in the metric's unit; NaN: none */
	bool required;		/* status 3 if not measured */
	unsigned line, column;	/* in the scenario, for annotations; 0: unknown */
};

/* True for gates on shares, whose tolerance and change are percentage points. */
bool gate_in_points(const struct gate *gate);

/* gates.symbols: by how much the share of one of the hottest symbols may rise. */
struct symbol_gate {
	bool on;
	unsigned top;		/* number of the hottest symbols of either side that are judged */
	double rise_pp;		/* tolerated rise of self share, in percentage points */
	double new_pp;		/* the same for a symbol that the baseline lacks */
	bool required;
	bool by_default;	/* pawl's own default */
	unsigned line, column;
};

/* Most budgets of a scenario. */
enum { SHARE_BUDGETS_MAX = 64 };

/* One of gates.budgets: an absolute limit on the share of all symbols, or of all files, that a glob matches. */
struct share_budget {
	const char *symbol, *dso;	/* globs; one is set, the other NULL */
	double max_pct;		/* self share */
	bool required;
	unsigned line, column;
};

/* Verdicts on a gate, and their combination to an exit status. */

enum verdict {
	VERDICT_PASS,
	VERDICT_REGRESSION,
	VERDICT_IMPROVEMENT,
	VERDICT_INCONCLUSIVE,
	VERDICT_NOT_MEASURED,
	VERDICT_NEW,
	VERDICT_ACCEPTED,
};

extern const char *const verdict_names[];	/* "not-measured", ...; NULL-terminated */
extern const char *const verdict_meanings[];	/* by the same enum, for documents */

/* Exit statuses. They are part of the interface. */
enum status {
	STATUS_OK = 0,
	STATUS_REGRESSION = 1,
	STATUS_MISUSE = 2,
	STATUS_NOT_MEASURED = 3,
	STATUS_UNDECIDED = 4,		/* only with --strict: inconclusive, new or not measured */
};

/* Returns the worse status in the order 2, 3, 1, 4, 0. Statuses from 128 (signals) are worst. */
int status_worse(int a, int b);

#endif
