/* What a scenario tolerates. Plain values; a metric is not owned. */
#ifndef PAWL_MODEL_GATE_H
#define PAWL_MODEL_GATE_H

#include <stdbool.h>

#include "model/metric.h"

/* What a gate judges. Of the shares of a profile, values are from 0 to 1, and tolerances and changes percentage points. */
enum gate_kind {
	GATE_METRIC,	/* a metric of the runs */
	GATE_SYMBOLS,	/* gates.symbols: the shares of the hottest symbols */
	GATE_SHARE,	/* one of gates.budgets: what all that matches a glob has of the profile */
};

struct gate {
	enum gate_kind kind;
	const struct metric *metric;	/* of the shares of a profile metric_share */
	bool relative;		/* compared with a baseline */
	bool by_default;	/* the tolerance is the catalogue's, not the scenario's */
	bool builtin;		/* pawl's own: it applies until a scenario has a gate of its own, or somebody turns it off */
	double tolerance_pct;	/* how much worse is tolerated: positive whichever way is worse */
	double max, min;	/* absolute budgets in the metric's unit; NaN: none */
	bool required;		/* not measured is status 3 */
	unsigned line, column;	/* in the scenario, for annotations; 0 unknown */
};

/* True of shares: what is tolerated of them, and how they changed, is counted in percentage points. */
bool gate_in_points(const struct gate *gate);

/* gates.symbols: by how much the share of one of the hottest symbols may rise. */
struct symbol_gate {
	bool on;
	unsigned top;		/* how many of the hottest of either side are judged */
	double rise_pp;		/* percentage points of self share that are tolerated */
	double new_pp;		/* the same for a symbol that the baseline does not have */
	bool required;
	bool by_default;	/* pawl's own, not the scenario's */
	unsigned line, column;
};

/* More budgets than these no scenario has. */
enum { SHARE_BUDGETS_MAX = 64 };

/* One of gates.budgets: an absolute limit on the share of all symbols, or of all files, that a glob matches. */
struct share_budget {
	const char *symbol, *dso;	/* globs; one is set, the other NULL */
	double max_pct;		/* self share */
	bool required;
	unsigned line, column;
};

/* What is found of one gate, and how the worst of many becomes an exit status. */

enum verdict {
	VERDICT_PASS,
	VERDICT_REGRESSION,
	VERDICT_IMPROVEMENT,
	VERDICT_INCONCLUSIVE,
	VERDICT_NOT_MEASURED,
	VERDICT_NEW,
	VERDICT_ACCEPTED,
};

extern const char *const verdict_names[];	/* "not-measured"; of each, then NULL */

/* Exit statuses, which are interface. */
enum status {
	STATUS_OK = 0,
	STATUS_REGRESSION = 1,
	STATUS_MISUSE = 2,
	STATUS_NOT_MEASURED = 3,
	STATUS_UNDECIDED = 4,		/* only with --strict: inconclusive, new or not measured */
};

/* The worse of two in the order 2, 3, 1, 4, 0; statuses from 128 (signals) are worst. */
int status_worse(int a, int b);

#endif
