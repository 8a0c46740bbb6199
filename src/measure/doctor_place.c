/* Checks of where pawl runs: machine, container, disk, and the tools it can use there. */
#include <errno.h>
#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/doctor_checks.h"
#include "measure/files.h"
#include "model/container.h"
#include "model/os_release.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

static void check_virtual(const struct doctor *doctor, const char *key, struct findings *out)
{
	const char *hypervisor = doctor->machine->hypervisor;

	if (!hypervisor)
		findings_add(out, key, FINDING_OK, NULL, "no hypervisor: this is the bare machine");
	else if (!strcmp(hypervisor, "wsl"))
		findings_add(out, key, FINDING_WARNING, "measure under Linux itself where times matter",
			     "Windows Subsystem for Linux: Windows takes its share of the CPUs unseen");
	else
		findings_add(out, key, FINDING_OK, NULL,
			     "a virtual machine (%s): times move with its neighbours, counts of work do not",
			     hypervisor);
}

static void check_container(const struct doctor *doctor, const char *key, struct findings *out)
{
	if (doctor->container)
		findings_add(out, key, FINDING_OK, NULL,
			     "inside a container (%s): sysctl settings are made on its host", doctor->container);
	else
		findings_add(out, key, FINDING_OK, NULL, "not inside a container");
}

/* The folder of our own cgroup in the unified hierarchy; NULL where there is none. For free(). */
static char *own_cgroup(void)
{
	static const char *const mounts[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = NULL;

	if (file_read_fact("/proc/self/cgroup", &text))
		path = cgroup_unified_path(text.buf);
	for (size_t i = 0; path && i < sizeof mounts / sizeof mounts[0]; i++) {
		CLEANUP(free_ptr) char *controllers = file_join(mounts[i], "cgroup.controllers");

		if (file_exists(controllers))
			return file_join(mounts[i], path + 1);
	}
	return NULL;
}

static void check_cgroup(const struct doctor *doctor, const char *key, struct findings *out)
{
	CLEANUP(free_ptr) char *folder = own_cgroup();

	(void)doctor;
	if (!folder)
		findings_add(out, key, FINDING_OK, NULL, "no unified cgroup hierarchy here; pawl does without");
	else if (faccessat(AT_FDCWD, folder, W_OK, AT_EACCESS) == 0)
		findings_add(out, key, FINDING_OK, NULL, "pawl may make cgroups of its own below %s", folder);
	else
		findings_add(out, key, FINDING_OK, NULL, "pawl may make no cgroup below %s (%s); it does without",
			     folder, strerrordesc_np(errno) ?: "unknown error");
}

void doctor_space_finding(unsigned long long free_bytes, bool files_left, const char *path, const char *key,
			  struct findings *out)
{
	enum finding_level level = FINDING_OK;

	if (free_bytes < 64 * MIB || !files_left)
		level = FINDING_PROBLEM;
	else if (free_bytes < GIB)
		level = FINDING_WARNING;
	if (!files_left)
		findings_add(out, key, level, "remove files that are not needed, or give another --out",
			     "no file can be made in %s: all inodes are in use", path);
	else
		findings_add(out, key, level, level ? "make room, or give another --out" : NULL, "%.1f %s free in %s",
			     (double)free_bytes / (free_bytes < GIB ? MIB : GIB), free_bytes < GIB ? "MiB" : "GiB",
			     path);
}

/* The folder PATH itself, or the nearest above it that exists; for free(). */
static char *nearest_existing(const char *path)
{
	char *folder = file_absolute(path);

	while (!file_exists(folder)) {
		char *slash = strrchr(folder, '/');

		if (!slash || slash == folder) {
			free(folder);
			return xstrdup("/");
		}
		*slash = '\0';
	}
	return folder;
}

static void check_disk(const struct doctor *doctor, const char *key, struct findings *out)
{
	CLEANUP(free_ptr) char *folder = nearest_existing(doctor->out_dir);
	struct statvfs fs;

	if (!file_is_dir(folder))
		findings_add(out, key, FINDING_PROBLEM, "remove the file, or give another --out", "%s is no folder",
			     folder);
	else if (faccessat(AT_FDCWD, folder, W_OK | X_OK, AT_EACCESS) < 0)
		findings_add(out, key, FINDING_PROBLEM, "give a folder that can be written with --out",
			     "nothing can be written in %s: %s", folder, strerrordesc_np(errno) ?: "unknown error");
	else if (statvfs(folder, &fs) < 0)
		findings_add(out, key, FINDING_WARNING, NULL, "the free space in %s is not known: %s", folder,
			     strerrordesc_np(errno) ?: "unknown error");
	else
		doctor_space_finding((unsigned long long)fs.f_bavail * fs.f_frsize, !fs.f_files || fs.f_favail,
				     folder, key, out);
}

/* A program that pawl can use when it is there. WITHOUT says what is left out else. */
static void check_tool(const struct doctor *doctor, const char *key, const char *without, struct findings *out)
{
	CLEANUP(free_ptr) char *path = file_find_program(key, NULL);
	CLEANUP(free_ptr) char *remedy = os_release_install_command(doctor->os_release, key);

	if (path)
		findings_add(out, key, FINDING_OK, NULL, "%s", path);
	else
		findings_add(out, key, FINDING_WARNING, remedy, "%s is not installed: %s", key, without);
}

static void check_valgrind(const struct doctor *doctor, const char *key, struct findings *out)
{
	check_tool(doctor, key, "instructions cannot be simulated where there are no hardware counters", out);
}

static void check_git(const struct doctor *doctor, const char *key, struct findings *out)
{
	check_tool(doctor, key, "results cannot name their commit, nor baselines be read from one", out);
}

const struct doctor_check doctor_place_checks[] = {
	{ "virtual", check_virtual },
	{ "container", check_container },
	{ "cgroup", check_cgroup },
	{ "disk", check_disk },
	{ "valgrind", check_valgrind },
	{ "git", check_git },
	{ NULL, NULL },
};
