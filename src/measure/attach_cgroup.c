/* Targets that are one control group. */
#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/attach_kinds.h"
#include "measure/files.h"
#include "model/cgroups.h"

static void read_mounts(struct cgroup_mounts *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	file_read_fact("/proc/self/mountinfo", &text);
	cgroup_mounts_parse(text.buf, out);
}

static bool is_cgroup(const char *folder)
{
	CLEANUP(free_ptr) char *members = file_join(folder, "cgroup.procs");

	return file_exists(members);
}

/* -------- by folder or name */

enum members { NO_MEMBERS, SOME_MEMBERS, OWN_MEMBERS };

/* -1 with errno when FOLDER cannot be read. */
static int look_into(const struct attach_search *search, const char *folder)
{
	CLEANUP(processes_release) struct processes members = { 0 };

	if (processes_add_cgroup(&members, folder) < 0)
		return -1;
	if (processes_find(&members, getpid()) || processes_find(&members, search->keeper))
		return OWN_MEMBERS;
	return members.n ? SOME_MEMBERS : NO_MEMBERS;
}

/* Every folder that TEXT may mean, in the order of preference. */
static void candidates(const char *text, struct strv *out)
{
	CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts = { 0 };

	if (*text == '/' && is_cgroup(text))
		strv_push(out, text);
	read_mounts(&mounts);
	for (size_t i = 0; i < mounts.n; i++) {
		CLEANUP(free_ptr) char *folder = NULL;

		/* A name counts from what is mounted, a process's group from the hierarchy's own root. */
		mounts.items[i].root[1] = '\0';
		folder = cgroup_folder(&mounts.items[i], text);

		if (folder && is_cgroup(folder) && !strv_has(out, folder))
			strv_push(out, folder);
	}
}

static int take_cgroup(const char *folder, struct attached *out)
{
	struct strbuf label = STRBUF_INIT;

	strbuf_addf(&label, "cgroup %s", folder);
	out->cgroup = xstrdup(folder);
	out->label = strbuf_take(&label);
	return 0;
}

/* Under version 1 a group exists in several hierarchies, and need not have members in each. */
int attach_cgroup_name(const struct attach_search *search, struct attached *out, struct error *err)
{
	CLEANUP(strv_release) struct strv folders = STRV_INIT;
	const char *unreadable = NULL;
	int sys = 0;

	candidates(search->text, &folders);
	if (!folders.n)
		return error_set(err, ERR_TARGET, "there is no cgroup '%.200s' here; give its folder below /sys/fs/cgroup, or "
				 "its name, as 'systemctl show -P ControlGroup SERVICE' tells it", search->text);
	for (size_t i = 0; i < folders.n; i++) {
		int members = look_into(search, folders.items[i]);

		if (members == OWN_MEMBERS)
			return error_set(err, ERR_TARGET, "cgroup %s holds pawl itself; give the service a group of its own, or "
					 "use pidfile: PATH or process: REGEX", folders.items[i]);
		if (members == SOME_MEMBERS)
			return take_cgroup(folders.items[i], out);
		if (members < 0) {
			unreadable = folders.items[i];
			sys = errno;
		}
	}
	if (unreadable)
		return error_set(err, ERR_TARGET, "cannot read the processes of cgroup %s: %s", unreadable,
				 strerrordesc_np(sys));
	return error_set(err, ERR_TARGET, "cgroup %s has no processes; is the service running?", folders.items[0]);
}

/* -------- of a process */

/* An init system inside a container puts itself into a group below the container's. */
static void leave_init_scope(char *group)
{
	static const char scope[] = "/init.scope";
	size_t len = strlen(group);

	if (len > sizeof scope - 1 && !strcmp(group + len - (sizeof scope - 1), scope))
		group[len - (sizeof scope - 1)] = '\0';
}

char *attach_cgroup_of(const struct attach_search *search, pid_t pid)
{
	static const char *const controllers[] = { "", "pids", "name=systemd" };
	CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/cgroup", (int)pid);
	if (!file_read_fact(path, &text))
		return NULL;
	read_mounts(&mounts);
	for (size_t i = 0; i < sizeof controllers / sizeof controllers[0]; i++) {
		const struct cgroup_mount *mount = cgroup_mounts_find(&mounts, controllers[i]);
		CLEANUP(free_ptr) char *group = cgroup_of_process(text.buf, controllers[i]);
		CLEANUP(free_ptr) char *folder = NULL;

		if (!mount || !group || !strcmp(group, "/"))
			continue;
		leave_init_scope(group);
		folder = cgroup_folder(mount, group);
		if (folder && look_into(search, folder) == SOME_MEMBERS)
			return take_ptr(&folder);
	}
	return NULL;
}
