/* /proc/self/mountinfo and /proc/PID/cgroup: every folder lies inside its mount. */
#include "measure/process/proc.h"
#include "fuzz.h"

static void check_folder(const struct cgroup_mount *mount, const char *group)
{
	CLEANUP(free_ptr) char *folder = cgroup_folder(mount, group);
	size_t len = strlen(mount->dir);

	if (folder && (strncmp(folder, mount->dir, len) || strstr(folder + len, "/../")))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const controllers[] = { "", "pids", "name=systemd" };
	CLEANUP(free_ptr) char *text = xstrndup((const char *)data, size);
	CLEANUP(cgroup_mounts_release) struct cgroup_mounts mounts;

	cgroup_mounts_parse(text, &mounts);
	for (size_t i = 0; i < sizeof controllers / sizeof controllers[0]; i++) {
		const struct cgroup_mount *mount = cgroup_mounts_find(&mounts, controllers[i]);
		CLEANUP(free_ptr) char *group = cgroup_of_process(text, controllers[i]);

		if (group && (*group != '/' || strchr(group, '\n')))
			abort();
		if (mount && (!!mount->options != !!*controllers[i]))
			abort();
		if (mount)
			check_folder(mount, group ? group : "/a");
	}
	return 0;
}
