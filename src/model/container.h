/* Which container this process is in, and which control group. */
#ifndef PAWL_MODEL_CONTAINER_H
#define PAWL_MODEL_CONTAINER_H

#include <stdbool.h>
#include <stdint.h>

struct container_clues {
	bool docker_file, podman_file;	/* /.dockerenv, /run/.containerenv */
	const char *variable;		/* $container, or NULL */
	const char *init_cgroup;	/* /proc/1/cgroup, or NULL */
};

/* "docker", "podman", "lxc", "kubernetes", ...; NULL outside of any. For free(). */
char *container_name(const struct container_clues *clues);

/*
 * The path of the unified hierarchy in /proc/self/cgroup ("0::/user.slice"); NULL when there is
 * none, or it lies outside what this namespace shows. For free().
 */
char *cgroup_unified_path(const char *text);

#endif
