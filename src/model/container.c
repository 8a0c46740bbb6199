#include "model/container.h"

#include <stddef.h>

#include "base/cleanup.h"
#include "base/mem.h"

char *container_name(const struct container_clues *clues)
{
	static const struct {
		const char *part, *name;
	} cgroups[] = {
		{ "kubepods", "kubernetes" }, { "/docker", "docker" },	   { "libpod", "podman" },
		{ "/lxc", "lxc" },	      { "/containerd", "containerd" },
	};

	for (size_t i = 0; clues->init_cgroup && i < sizeof cgroups / sizeof cgroups[0]; i++)
		if (strstr(clues->init_cgroup, cgroups[i].part))
			return xstrdup(cgroups[i].name);
	if (clues->podman_file)
		return xstrdup("podman");
	if (clues->docker_file)
		return xstrdup("docker");
	return clues->variable && *clues->variable ? xstrdup(clues->variable) : NULL;
}

/* What follows PREFIX on the line that begins with it, without leading space; for free(). */
static char *line_after(const char *text, const char *prefix)
{
	size_t prefix_len = strlen(prefix);

	while (*text) {
		size_t len = strcspn(text, "\n");

		if (len >= prefix_len && !strncmp(text, prefix, prefix_len)) {
			const char *value = text + prefix_len;

			value += strspn(value, " \t");
			return xstrndup(value, strcspn(value, "\n"));
		}
		text += len + (text[len] == '\n');
	}
	return NULL;
}

char *cgroup_unified_path(const char *text)
{
	CLEANUP(free_ptr) char *path = line_after(text, "0::");

	return path && *path == '/' && !strstr(path, "/..") ? take_ptr(&path) : NULL;
}
