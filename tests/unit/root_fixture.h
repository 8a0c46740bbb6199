/* A temporary folder, ROOT, around each test that has make_root and drop_root. The caller includes cmocka first. */
#ifndef PAWL_TESTS_ROOT_FIXTURE_H
#define PAWL_TESTS_ROOT_FIXTURE_H

#include "measure/files/files.h"

static char root[64];

static inline int make_root(void **state)
{
	snprintf(root, sizeof root, "/tmp/pawl-test-XXXXXX");
	return mkdtemp(root) ? 0 : -1;
}

static inline int drop_root(void **state)
{
	return file_remove_tree(root, NULL);
}

/* Returns a path for free(). */
static inline char *in_root(const char *name)
{
	return file_join(root, name);
}

#endif
