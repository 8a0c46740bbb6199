#include "measure/env.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/clock.h"
#include "measure/files.h"

/* Only the service that is measured is pinned, or runs without address randomisation. */
static bool is_target(const struct plan *plan, const struct plan_service *service)
{
	return plan->scenario->target_kind == TARGET_SERVICE && !strcmp(plan->attach, service->service->name);
}

static int start_one(struct env *env, const struct plan_service *service, struct error *err)
{
	const struct measure_settings *measure = &env->plan->scenario->measure;
	bool target = is_target(env->plan, service);
	struct service_run *run = &env->services[env->n++];
	const struct service_spec spec = {
		.plan = service, .scratch = env->rig->scratch,
		.cpus = target ? measure->cpus : NULL, .aslr_off = target && measure->aslr_off,
	};

	if (service_run_start(env->rig->keeper, &spec, run, err) == 0)
		return 0;
	env->ended = run;
	return -1;
}

int env_up(struct env *env, struct rig *rig, const struct plan *plan, void (*before)(void *ctx, const char *service),
	   void *ctx, struct error *err)
{
	*env = (struct env){ .rig = rig, .plan = plan };
	if (!plan->n_services)
		return 0;
	env->services = xcalloc(plan->n_services, sizeof *env->services);
	for (size_t i = 0; i < plan->n_services; i++) {
		if (before)
			before(ctx, plan->services[i].service->name);
		if (start_one(env, &plan->services[i], err) < 0)
			return -1;
	}
	return 0;
}

/* What has ended is told by the keeper, so its messages are read first. */
int env_check(struct env *env, struct error *err)
{
	struct keeper *keeper = env->rig->keeper;
	struct wire message;
	int got;

	do
		got = env->n ? keeper_pump(keeper, clock_now_ns(), &message, err) : 0;
	while (got > 0);
	if (got < 0)
		return -1;
	for (size_t i = 0; i < env->n; i++) {
		if (service_run_alive(keeper, &env->services[i], err) == 0)
			continue;
		env->ended = &env->services[i];
		return error_wrap(err, "service %s", env->services[i].plan->service->name);
	}
	return 0;
}

struct service_run *env_find(struct env *env, const char *name)
{
	for (size_t i = 0; i < env->n; i++)
		if (!strcmp(env->services[i].plan->service->name, name))
			return &env->services[i];
	return NULL;
}

/* Names of the run's own logs: a service of that name must not write over them. */
static bool is_taken(const char *name)
{
	static const char *const taken[] = { "setup", "warmup", "target", "load", "cleanup" };

	for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
		if (!strcmp(name, taken[i]))
			return true;
	return false;
}

static void write_log(const struct service_run *service, const char *dir)
{
	const char *name = service->plan->service->name;

	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT, text = STRBUF_INIT;

	service_run_output(service, &text);
	if (!dir || !text.len || file_refuse_link(dir, NULL) < 0)
		return;
	strbuf_addf(&path, "%s/%s%s.log", dir, is_taken(name) ? "service-" : "", name);
	file_write(path.buf, text.buf, text.len, NULL);
}

void env_list(struct env *env)
{
	for (size_t i = 0; i < env->n; i++)
		service_run_list(env->rig->keeper, &env->services[i]);
}

void env_down(struct env *env, const char *log_dir, struct strv *notes)
{
	char names[256];
	size_t n = env->n;

	while (env->n) {
		struct service_run *service = &env->services[--env->n];

		service_run_stop(env->rig->keeper, service, notes);
		write_log(service, log_dir);
		service_run_release(env->rig->keeper, service);
	}
	/* What could not be told to be any service's. */
	if (n)
		keeper_sweep(env->rig->keeper, 0, names, NULL);
	free(env->services);
	*env = (struct env){ .rig = env->rig, .plan = env->plan };
}
