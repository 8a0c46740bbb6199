/* The key of a built tree: everything besides its commit that a build depends on and that is cheap to know. Pure. */
#ifndef PAWL_MEASURE_GIT_TREE_KEY_H
#define PAWL_MEASURE_GIT_TREE_KEY_H

#include <stdint.h>

/* Texts may be NULL. A tree is built again when any of them differs. */
struct tree_key {
	const char *command;			/* `build:` as text */
	const char *const *environment;		/* NAME=VALUE, then NULL; variables that builds are not expected to read do not count */
	const char *compilers;			/* what the compilers and the linker print as their version */
	const char *machine;			/* architecture, as uname prints it */
	const char *os_release;			/* text of /etc/os-release; a runner's image is in its environment */
};

uint64_t tree_key_hash(const struct tree_key *key);

#endif
