#include "measure/attach.h"

#include <unistd.h>

#include "base/cleanup.h"
#include "measure/attach_kinds.h"
#include "measure/cgroup.h"

static attach_fn *const kinds[] = {
	[TARGET_PID] = attach_process_pid,
	[TARGET_PIDFILE] = attach_process_pidfile,
	[TARGET_PROCESS] = attach_process_regex,
	[TARGET_PORT] = attach_process_port,
	[TARGET_CGROUP] = attach_cgroup_name,
	[TARGET_CONTAINER] = attach_container_name,
};

static void search_release(struct attach_search *search)
{
	processes_release(&search->all);
}

int attach_find(struct keeper *keeper, enum target_kind kind, const char *text, struct attached *out, struct error *err)
{
	CLEANUP(search_release) struct attach_search search = { .keeper = keeper->pid, .text = text };
	struct attached found = { 0 };

	processes_read(&search.all);
	if (!processes_find(&search.all, getpid()))
		return error_set(err, ERR_SYSTEM, "cannot look for running processes: /proc is not mounted here");
	if (kinds[kind](&search, &found, err) < 0) {
		attached_release(&found);
		return -1;
	}
	*out = found;
	return 0;
}

bool attach_is_own(const struct attach_search *search, pid_t pid)
{
	return pid == search->keeper || processes_descends(&search->all, getpid(), pid);
}

static void list_tree(const struct attached *attached, struct processes *out)
{
	CLEANUP(processes_release) struct processes all = { 0 };

	if (!process_lives(attached->root.pid, attached->root.start))
		return;
	processes_read(&all);
	processes_add_tree(out, &all, attached->root.pid);
	for (size_t i = 0; attached->namespace && i < all.n; i++)
		if (!process_is_dead(&all.items[i]) && process_namespace(all.items[i].pid, "pid") == attached->namespace)
			processes_add(out, &all.items[i]);
}

void attach_list(const struct attached *attached, struct processes *out)
{
	*out = (struct processes){ 0 };
	if (attached->cgroup)
		processes_add_cgroup(out, attached->cgroup);
	else
		list_tree(attached, out);
}

bool attach_lives(const struct attached *attached)
{
	CLEANUP(processes_release) struct processes members = { 0 };

	if (!attached->cgroup)
		return process_lives(attached->root.pid, attached->root.start);
	/* Version 1 says nothing of members, nor does the root. */
	if (!cgroup_is_empty(attached->cgroup))
		return true;
	attach_list(attached, &members);
	return members.n > 0;
}

void attached_release(struct attached *attached)
{
	free(attached->cgroup);
	free(attached->label);
	*attached = (struct attached){ 0 };
}
