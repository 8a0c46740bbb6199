/* What the doctor found, for people and for scripts. */
#ifndef PAWL_CMD_DOCTOR_H
#define PAWL_CMD_DOCTOR_H

#include <stdbool.h>

#include "base/text.h"
#include "measure/doctor.h"

/* 0, or 3 when there is a problem. */
int findings_status(const struct findings *findings);

/* One line a finding, the remedy below it, and a line that sums up. */
void findings_render_text(const struct findings *findings, bool color, struct strbuf *out);

/*
 * {"schema": 1, "status": 0|3, "machine": {"class", "tier", ...}, "findings": [{"check", "level":
 * "ok"|"warning"|"problem", "what", "remedy"}]}; for free().
 */
char *findings_render_json(const struct findings *findings, const struct machine *machine);

#endif
