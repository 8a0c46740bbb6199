/*
 * ${name} in text: found and checked while a scenario is read, replaced when its plan is built.
 * The names are the scenario's vars and the built-ins port, port.NAME, scenario_dir, out, tmp.
 * $$ is a dollar sign; a dollar before anything else stays, as in $HOME and $(date).
 */
#ifndef PAWL_SCENARIO_EXPAND_H
#define PAWL_SCENARIO_EXPAND_H

#include "base/error.h"
#include "scenario/plan.h"
#include "scenario/yaml.h"

/* Refuse unknown and unterminated names of NODE's text, when SOURCE has a scope. 0, or -1 with a fault. */
int expand_check(struct source *source, const struct node *node);
/* Append TEXT to OUT with every name replaced. */
int expand_text(const char *text, const struct scenario *scenario, const struct plan_context *context,
		struct strbuf *out, struct error *err);
/*
 * TEXT as it may look once it is expanded, with stand-ins for ports and folders, so that its shape
 * can be checked; for free(). Call expand_check() first.
 */
char *expand_sample(const struct source *source, const char *text);
/*
 * TEXT with the scenario's vars put in, and all else as it stands: what it says on every machine; for
 * free(), NULL when TEXT is.
 */
char *expand_vars(const char *text, const struct scenario *scenario);
/* True for a name that a scenario may not give to a variable of its own. */
bool expand_is_builtin(const char *name);

#endif
