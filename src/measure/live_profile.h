/* The profiled runs of a live target, for live.c. */
#ifndef PAWL_MEASURE_LIVE_PROFILE_H
#define PAWL_MEASURE_LIVE_PROFILE_H

#include "measure/live.h"
#include "measure/target_run.h"

/* loop_ops.profile; CTX is a struct live. */
int live_profile(void *ctx, const struct plan *plan, struct scenario_result *result, struct error *err);

/* -------- in live.c */
struct target_spec live_target(const struct plan *plan);
int live_command(void *ctx, const struct plan *plan, const char *what, const struct strv *argv, struct error *err);
/* After a run: keep what it printed last, and see whether the services live. RET is what the run returned. */
int live_settle(struct live *live, const struct strbuf *output, int ret, struct error *err);

#endif
