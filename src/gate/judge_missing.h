/* Why a gate cannot be judged: its metric has no value, or none that the baseline's can be compared with. */
#ifndef PAWL_GATE_JUDGE_MISSING_H
#define PAWL_GATE_JUDGE_MISSING_H

#include "base/error.h"
#include "model/baseline.h"
#include "model/result.h"

/* Say why, behind what was said before. */
void judge_reason(struct judgement *j, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Say why no run of S has a value of J's metric. */
void judge_missing(struct judgement *j, const struct scenario_result *s, const struct machine *machine);
/* Whether the values of J's metric reference can be compared with BASE's; says why not. */
bool judge_comparable(struct judgement *j, const struct scenario_result *s, const struct machine *machine,
		      const struct baseline *base);

/* Whether values of METRIC may come from two classes of machines, or BASE's class is this one; says why not. */
bool judge_class_allows(struct judgement *j, const struct machine *machine, const struct baseline *base,
			const struct metric *metric);
bool judge_same_class(const struct machine *machine, const struct baseline *base);

/*
 * SCENARIO failed, and that is no fault of the measured tree's: WHY, to which the failure is added. Its gates are
 * not measured, and none of them has to be; those that compare are new where NEW.
 */
void judge_excuse(struct scenario_result *scenario, const char *why, bool new);

#endif
