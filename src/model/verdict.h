/* What can be said of one gate, and how the worst of many becomes an exit status. */
#ifndef PAWL_MODEL_VERDICT_H
#define PAWL_MODEL_VERDICT_H

enum verdict {
	VERDICT_PASS,
	VERDICT_REGRESSION,
	VERDICT_IMPROVEMENT,
	VERDICT_INCONCLUSIVE,
	VERDICT_NOT_MEASURED,
	VERDICT_NEW,
	VERDICT_ACCEPTED,
};

const char *verdict_name(enum verdict verdict);			/* "not-measured" */
extern const char *const verdict_names[];			/* of each, then NULL */

/* Exit statuses, which are interface. */
enum status {
	STATUS_OK = 0,
	STATUS_REGRESSION = 1,
	STATUS_MISUSE = 2,
	STATUS_NOT_MEASURED = 3,
	STATUS_DOUBTFUL = 4,		/* only with --strict */
};

/* The worse of two in the order 2, 3, 1, 4, 0; statuses from 128 (signals) are worst. */
int status_worse(int a, int b);

#endif
