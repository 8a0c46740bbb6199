/* Texts of a scenario as a plan has them. WHAT is the key they stand under, for errors. */
#ifndef PAWL_SCENARIO_PLAN_TEXT_H
#define PAWL_SCENARIO_PLAN_TEXT_H

#include "scenario/plan.h"

struct plan_builder {
	const struct scenario *scenario;
	const struct plan_context *context;
	struct arena *arena;
	const char *prefix;		/* put before every WHAT: "env.redis.", or "" */
};

/* FROM with its names replaced; NULL stays NULL. *OUT is in the arena. */
int plan_text(const struct plan_builder *builder, const char *what, const char *from, char **out, struct error *err);
/* The same, as an absolute path: what is relative lies below the root, and NULL is the root. */
int plan_path(const struct plan_builder *builder, const char *what, const char *from, char **out, struct error *err);
/* Every text of FROM, appended to OUT. */
int plan_list(const struct plan_builder *builder, const char *what, const struct strv *from, struct strv *out,
	      struct error *err);

#endif
