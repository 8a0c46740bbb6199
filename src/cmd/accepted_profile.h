/* What people and scripts are shown of accepted profiles: the hottest symbols, and whose shares changed. */
#ifndef PAWL_CMD_ACCEPTED_PROFILE_H
#define PAWL_CMD_ACCEPTED_PROFILE_H

#include "base/strbuf.h"
#include "store/json.h"
#include "model/profile.h"

/* A line about the profile and a table of its hottest symbols, safe for a terminal; nothing when there is none. */
void accepted_profile_add(struct strbuf *out, const struct profile *profile);
/* Both exist and were taken in the same way, so that shares can be compared. */
bool accepted_profile_comparable(const struct profile *a, const struct profile *b);
/*
 * The symbols whose self share changed by more than a point, the largest change first; one that a side does not list
 * has no share there. Where only one side has a profile, or they were taken in different ways, words that say so. Lines
 * start with INDENT blanks.
 */
void accepted_profile_changes_add(struct strbuf *out, size_t indent, const struct profile *before,
				  const struct profile *now);
/* The same as objects, to ARRAY: symbol, dso, before_pct, now_pct, change_pp. */
void accepted_profile_changes_json(cJSON *array, const struct profile *before, const struct profile *now);

#endif
