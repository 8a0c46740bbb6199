#include "model/gate.h"

#include <stddef.h>

const char *const verdict_names[] = {
	[VERDICT_PASS] = "pass",
	[VERDICT_REGRESSION] = "regression",
	[VERDICT_IMPROVEMENT] = "improvement",
	[VERDICT_INCONCLUSIVE] = "inconclusive",
	[VERDICT_NOT_MEASURED] = "not-measured",
	[VERDICT_NEW] = "new",
	[VERDICT_ACCEPTED] = "accepted",
	NULL,
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
