/*
 * Cases of a JUnit report: one a gate. A scenario that failed, or that has no gate, gets a case of
 * its own besides, for a suite that says nothing would pass for a good one.
 */
#ifndef PAWL_REPORT_JUNIT_CASE_H
#define PAWL_REPORT_JUNIT_CASE_H

#include "base/strbuf.h"
#include "model/result.h"

enum junit_outcome {
	JUNIT_PASSED,
	JUNIT_FAILURE,	/* a regression */
	JUNIT_ERROR,	/* the scenario failed, or a required gate was not measured */
	JUNIT_SKIPPED,	/* nothing was proven */
	JUNIT_OUTCOMES,
};

enum junit_outcome junit_outcome_of(const struct scenario_result *scenario, const struct gate_result *gate);
void junit_gate_case(struct strbuf *out, const struct result *result, const struct scenario_result *scenario,
		     const struct gate_result *gate);

bool junit_has_own_case(const struct scenario_result *scenario);
enum junit_outcome junit_own_outcome(const struct scenario_result *scenario);
void junit_own_case(struct strbuf *out, const struct result *result, const struct scenario_result *scenario);

/* Lines of what accounts for its changes and of what is to be known, as raw text. */
void junit_explain(struct strbuf *out, const struct scenario_result *scenario);
/* What the scenario's counted runs took. */
double junit_seconds(const struct scenario_result *scenario);

#endif
