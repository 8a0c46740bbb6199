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

static int badness(int status)
{
	switch (status) {
	case STATUS_OK:
		return 0;
	case STATUS_UNDECIDED:
		return 1;
	case STATUS_REGRESSION:
		return 2;
	case STATUS_NOT_MEASURED:
		return 3;
	case STATUS_MISUSE:
		return 4;
	default:
		return 5;
	}
}

int status_worse(int a, int b)
{
	return badness(a) >= badness(b) ? a : b;
}
