/* What the looks at baselines share: they print either text or a JSON array of what they visit. */
#ifndef PAWL_CMD_BASELINE_LOOK_H
#define PAWL_CMD_BASELINE_LOOK_H

#include "cmd/baseline.h"
#include "store/json.h"
#include "report/table.h"

struct look {
	struct strbuf text;
	struct table table;	/* list */
	cJSON *json;		/* an array, or NULL for text */
	struct project *project;
	struct invocation *inv;
	struct project *other;	/* diff: the baselines of the commit */
};

void look_release(struct look *look);

/* Calls EACH for the baselines of ARGS, LOOK being its context, and prints what that made; the array is called KEY. */
int look_each(struct look *look, struct invocation *inv, const struct strv *args, const char *key,
	      int (*each)(const struct baseline_visit *visit, void *ctx, struct error *err), struct error *err);

#endif
