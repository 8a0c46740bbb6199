#include "scenario/plan.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "model/baseline.h"
#include "scenario/command.h"
#include "scenario/expand.h"

struct builder {
	const struct scenario *scenario;
	const struct plan_context *context;
};

static int expand_list(const struct builder *builder, const char *what, const struct strv *from, struct strv *out,
		       struct error *err)
{
	for (size_t i = 0; i < from->n; i++) {
		CLEANUP(strbuf_release) struct strbuf word = STRBUF_INIT;

		if (expand_text(from->items[i], builder->scenario, builder->context, &word, err) < 0)
			return error_wrap(err, "%s", what);
		strv_take(out, strbuf_take(&word));
	}
	return 0;
}

static int find_cwd(const struct builder *builder, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf expanded = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;
	const char *cwd = builder->scenario->target_cwd;

	if (cwd && expand_text(cwd, builder->scenario, builder->context, &expanded, err) < 0)
		return error_wrap(err, "target.cwd");
	if (*expanded.buf != '/')
		strbuf_adds(&path, builder->context->root);
	if (expanded.len && *expanded.buf != '/' && !strbuf_ends_with(&path, "/"))
		strbuf_addc(&path, '/');
	strbuf_adds(&path, expanded.buf);
	*out = strbuf_take(&path);
	return 0;
}

int plan_build(const struct scenario *scenario, const struct plan_context *context, struct plan *out,
	       struct error *err)
{
	const struct builder builder = { scenario, context };
	CLEANUP(plan_release) struct plan plan = { .scenario = scenario, .root = xstrdup(context->root) };

	if (expand_list(&builder, "setup", &scenario->setup.argv, &plan.setup, err) < 0 ||
	    expand_list(&builder, "prepare", &scenario->prepare.argv, &plan.prepare, err) < 0 ||
	    expand_list(&builder, "cleanup", &scenario->cleanup.argv, &plan.cleanup, err) < 0 ||
	    expand_list(&builder, "warmup.command", &scenario->warmup_command.argv, &plan.warmup, err) < 0 ||
	    expand_list(&builder, "target.command", &scenario->target.argv, &plan.target, err) < 0 ||
	    expand_list(&builder, "target.environment", &scenario->target_environment, &plan.environment, err) < 0 ||
	    find_cwd(&builder, &plan.cwd, err) < 0)
		return -1;
	*out = plan;
	plan = (struct plan){ 0 };
	return 0;
}

void plan_release(struct plan *plan)
{
	strv_release(&plan->setup);
	strv_release(&plan->prepare);
	strv_release(&plan->cleanup);
	strv_release(&plan->warmup);
	strv_release(&plan->target);
	strv_release(&plan->environment);
	free(plan->cwd);
	free(plan->root);
	*plan = (struct plan){ 0 };
}

void plan_settings(const struct scenario *scenario, struct settings *out)
{
	*out = (struct settings){
		.setup = command_text(&scenario->setup),
		.prepare = command_text(&scenario->prepare),
		.cpus = xstrdup(scenario->measure.cpus),
		.aslr_off = scenario->measure.aslr_off,
	};
	strv_copy(&out->command, &scenario->target.argv);
	strv_copy(&out->environment, &scenario->target_environment);
	strv_copy(&out->events, &scenario->measure.events);
}
