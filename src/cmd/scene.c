#include "cmd/scene.h"

#include <errno.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/child.h"
#include "measure/files.h"
#include "measure/identity.h"
#include "scenario/plan.h"

bool scene_wants_simulation(const struct scenario *s, const struct machine *machine)
{
	if (s->measure.counters == COUNTERS_SIM)
		return true;
	if (s->measure.counters == COUNTERS_PERF || s->target_kind != TARGET_COMMAND)
		return false;
	for (size_t i = 0; i < s->gates.n; i++) {
		const struct metric *m = s->gates.items[i].metric;

		if (m->source == SOURCE_SIMULATED || (m->simulated && !tier_has_hardware(machine->tier)))
			return true;
	}
	return false;
}

void scene_fail(struct scenario_result *out, const char *fmt, ...)
{
	struct strbuf words = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&words, fmt, args);
	va_end(args);
	out->state = SCENARIO_FAILED;
	free(out->failure);
	out->failure = strbuf_take(&words);
}

static const char *missing_program(const struct scenario *s, const char *root)
{
	for (size_t i = 0; i < s->requires.n; i++) {
		CLEANUP(free_ptr) char *path = file_find_program(s->requires.items[i], root);

		if (!path)
			return s->requires.items[i];
	}
	return NULL;
}

int scene_need_programs(const struct scenario *s, const char *root, struct scenario_result *out)
{
	const char *missing = missing_program(s, root);

	if (!missing)
		return 0;
	scene_fail(out, "requires %s, which is not installed (sudo apt-get install %s, or tools/setup.sh)", missing, missing);
	return -1;
}

static void note_unknown_work(const struct scenario *s, struct scenario_result *out)
{
	size_t i = 0;

	if (s->target_kind == TARGET_COMMAND || s->load.as != WORK_UNKNOWN)
		return;
	while (i < s->gates.n && !(s->gates.items[i].relative && metric_grows_with_work(s->gates.items[i].metric)))
		i++;
	if (i < s->gates.n)
		strv_pushf(&out->notes, "nothing tells how much work was done (load.work), so %s is that of a whole window: a busy "
			   "server that became slower does less in it and takes the same", s->gates.items[i].metric->name);
}

void scene_describe_side(const struct scenario *s, struct scenario_result *out)
{
	plan_settings(s, &out->settings);
	if (s->target_kind == TARGET_COMMAND)
		child_variables(&s->target_pass, &out->variables);
	if (s->load.as != WORK_UNKNOWN)
		out->work_unit = xstrdup(s->load.unit ?: "unit of work");
	for (size_t i = 0; i < s->n_metrics; i++)
		scenario_result_define(out, s->metrics[i].metric);
}

void scene_describe(const struct scenario *s, struct scenario_result *out)
{
	out->path = xstrdup(s->path);
	out->description = xstrdup(s->description);
	out->measurement = identity_new();
	scene_describe_side(s, out);
	for (size_t i = 0; i < s->gates.n; i++)
		scenario_result_add_gate(out, &s->gates.items[i]);
	scenario_result_gate_symbols(out, &s->gates.symbols, s->gates.budgets, s->gates.n_budgets);
	note_unknown_work(s, out);
}

char *scene_folder(const struct scenario *s, const char *root)
{
	CLEANUP(free_ptr) char *path = s->path[0] == '/' ? xstrdup(s->path) : file_join(root, s->path);

	return xstrndup(path, (size_t)(strrchr(path, '/') - path));
}

static int find_user(const char *name, uid_t *out, struct error *err)
{
	const struct passwd *user = getpwnam(name);

	if (!user)
		return error_set(err, ERR_INPUT, "there is no user '%s' on this machine", name);
	*out = user->pw_uid;
	return 0;
}

/* ${tmp} is for the target and the services to work in, whoever they run as. */
int scene_give_to_users(const struct scenario *s, const char *path, struct error *err)
{
	uid_t owner = geteuid(), uid = owner;
	bool several = false;

	for (size_t i = 0; i <= s->n_services; i++) {
		bool target = i == s->n_services;
		const char *name = target ? s->target_user : s->services[i].user;

		if (!name)
			continue;
		if (find_user(name, &uid, err) < 0)
			return target ? error_wrap(err, "target.user") : error_wrap(err, "service %s", s->services[i].name);
		several = several || (owner != geteuid() && owner != uid);
		owner = uid;
	}
	if (geteuid() == 0 && owner != geteuid() && chown(path, owner, (gid_t)-1) < 0)
		return error_sys(err, errno, "cannot give %s to user %u", path, (unsigned)owner);
	if (several)
		chmod(path, 01777);
	return 0;
}
