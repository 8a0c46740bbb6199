#include "model/gate.h"

#include <stddef.h>

const char *const verdict_names[] = {
	[VERDICT_PASS] = "pass", [VERDICT_REGRESSION] = "regression", [VERDICT_IMPROVEMENT] = "improvement",
	[VERDICT_INCONCLUSIVE] = "inconclusive", [VERDICT_NOT_MEASURED] = "not-measured", [VERDICT_NEW] = "new",
	[VERDICT_ACCEPTED] = "accepted", NULL,
};

const char *const verdict_meanings[] = {
	[VERDICT_PASS] = "not worse than the limit allows",
	[VERDICT_REGRESSION] = "worse than the limit allows",
	[VERDICT_IMPROVEMENT] = "better by more than the limit; accept a new baseline to keep it",
	[VERDICT_INCONCLUSIVE] = "the change may be within its limit or beyond it; the measurement cannot decide",
	[VERDICT_NOT_MEASURED] = "the metric has no value; the reason says why",
	[VERDICT_NEW] = "measured, with nothing to compare with",
	[VERDICT_ACCEPTED] = "a regression that the change's own baseline accepts, with `--accept`",
};

bool gate_in_points(const struct gate *gate)
{
	return gate->kind != GATE_METRIC;
}

static int badness(int status)
{
	static const int order[] = {
		[STATUS_OK] = 0, [STATUS_UNDECIDED] = 1, [STATUS_REGRESSION] = 2, [STATUS_NOT_MEASURED] = 3, [STATUS_MISUSE] = 4,
	};

	return status < 0 || (size_t)status >= sizeof order / sizeof *order ? 5 : order[status];
}

int status_worse(int a, int b)
{
	return badness(a) >= badness(b) ? a : b;
}
