/* Why gates got their verdicts, each sentence once however many gates share it. */
#ifndef PAWL_REPORT_REASONS_H
#define PAWL_REPORT_REASONS_H

#include "base/strbuf.h"
#include "base/strv.h"
#include "model/result.h"

/* Append to OUT lines such as "task-clock, page-faults: there is no baseline", as raw text. */
void reasons_list(const struct scenario_result *scenario, struct strv *out);

#endif
