#include "measure/trees_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/files.h"
#include "measure/git.h"
#include "measure/tree_lock.h"

struct kept {
	char *top;
	struct timespec used;	/* 0: it was never finished */
};

char *trees_cache_beside(const char *top, const char *end)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s%s", top, end);
	return strbuf_take(&path);
}

/* COMMIT-BUILD: what find_place() of trees.c names, and nothing else, may be removed. */
static bool is_tree_name(const char *name)
{
	size_t commit = strspn(name, "0123456789abcdef"), build = name[commit] == '-' ? strspn(name + commit + 1, "0123456789abcdef") : 0;

	return commit >= 40 && build == 16 && !name[commit + 1 + build];
}

static int newest_first(const void *a, const void *b)
{
	const struct timespec *x = &((const struct kept *)a)->used, *y = &((const struct kept *)b)->used;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec < y->tv_sec ? 1 : -1;
	return (x->tv_nsec < y->tv_nsec) - (x->tv_nsec > y->tv_nsec);
}

static void remove_end(const char *top, const char *end)
{
	CLEANUP(free_ptr) char *path = trees_cache_beside(top, end);

	unlink(path);
}

static void remove_unused(const struct trees *trees, const char *top)
{
	CLEANUP(free_ptr) char *lock = trees_cache_beside(top, ".lock");
	int fd = tree_lock(lock, false, NULL, 0, NULL);

	if (fd < 0)
		return;
	remove_end(top, ".done");
	git_worktree_remove(trees->keeper, trees->root, top);
	remove_end(top, ".log");
	unlink(lock);
	close(fd);
}

void trees_cache_prune(const struct trees *trees, const char *folder)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(free_ptr) struct kept *kept = NULL;
	size_t n = 0;

	if (file_list(folder, &names, NULL) < 0)
		return;
	kept = xcalloc(names.n + 1, sizeof *kept);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *top = file_join(folder, names.items[i]);
		CLEANUP(free_ptr) char *done = trees_cache_beside(top, ".done");
		struct stat st;

		if (!is_tree_name(names.items[i]))
			continue;
		kept[n++] = (struct kept){ take_ptr(&top), stat(done, &st) == 0 ? st.st_mtim : (struct timespec){ 0 } };
	}
	qsort(kept, n, sizeof *kept, newest_first);
	for (size_t i = 0; i < n; i++) {
		if (i >= TREES_KEPT || !kept[i].used.tv_sec)
			remove_unused(trees, kept[i].top);
		free(kept[i].top);
	}
}
