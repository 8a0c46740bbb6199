#include "measure/trees.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "measure/git.h"
#include "measure/tree_lock.h"
#include "measure/tree_state.h"
#include "measure/trees_cache.h"

static uint64_t timeout_of(const struct trees *trees)
{
	return trees->build_timeout_ns ? trees->build_timeout_ns : 3600 * NS_PER_S;
}

static void tell(const struct trees *trees, const char *what, const char *commit)
{
	if (trees->progress)
		trees->progress(trees->ctx, what, commit);
}

/* -------- where */

/* What a tree's files are called. */
struct place {
	char *folder;		/* of all trees of this repository */
	char *top, *log, *done, *lock;
	bool kept;
};

static void place_release(struct place *place)
{
	free(place->folder);
	free(place->top);
	free(place->log);
	free(place->done);
	free(place->lock);
}

/* The user's cache; NULL when there is none that can be written. For free(). */
static char *cache_folder(const char *repository)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	bool own = cache && *cache == '/';
	struct strbuf path = STRBUF_INIT;

	if (!own && !(home && *home == '/'))
		return NULL;
	strbuf_addf(&path, "%s%s/pawl/trees/%016" PRIx64, own ? cache : home, own ? "" : "/.cache", fnv_text(FNV_START, repository));
	if (file_make_dirs(path.buf, NULL) == 0 && access(path.buf, W_OK | X_OK) == 0)
		return strbuf_take(&path);
	strbuf_release(&path);
	return NULL;
}

/* What a build is made of besides its command: what compilers and build tools take from the environment. */
static uint64_t hash_environment(uint64_t hash)
{
	static const char *const names[] = {
		"AR", "AS", "CC", "CFLAGS", "CPPFLAGS", "CXX", "CXXFLAGS", "GOFLAGS", "LD", "LDFLAGS", "LDLIBS", "MAKEFLAGS", "PATH",
		"RUSTFLAGS",
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		const char *value = getenv(names[i]) ?: "";

		hash = fnv_bytes(hash, value, strlen(value) + 1);
	}
	return hash;
}

static int find_place(const struct trees *trees, const char *commit, const struct command *build, struct place *out,
		      struct error *err)
{
	CLEANUP(free_ptr) char *repository = NULL, *text = command_text(build);
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	if (git_common_dir(trees->keeper, trees->root, &repository, err) < 0)
		return -1;
	strbuf_addf(&name, "%s-%016" PRIx64, commit, hash_environment(fnv_text(FNV_START, text ?: "")));
	out->folder = cache_folder(repository);
	out->kept = out->folder;
	if (!out->folder)
		out->folder = file_join(trees->scratch, "trees");
	if (file_make_dirs(out->folder, err) < 0)
		return -1;
	out->top = file_join(out->folder, name.buf);
	out->done = trees_cache_beside(out->top, ".done");
	out->lock = trees_cache_beside(out->top, ".lock");
	if (!out->kept && trees->logs) {
		strbuf_reset(&name);
		strbuf_addf(&name, "build-%.12s.log", commit);
		out->log = file_join(trees->logs, name.buf);
	} else {
		out->log = trees_cache_beside(out->top, ".log");
	}
	return 0;
}

/* -------- making one */

static int check_out(const struct trees *trees, const struct place *place, const char *commit, struct error *err)
{
	tell(trees, "checking out", commit);
	unlink(place->done);
	git_worktree_remove(trees->keeper, trees->root, place->top);
	if (git_worktree_add(trees->keeper, trees->root, place->top, commit, timeout_of(trees), err) < 0)
		return error_wrap(err, "cannot check out %.12s of %s", commit, trees->root);
	return 0;
}

/* The project's root in the tree: as deep below its top as it is in the project's own repository. */
static int find_root(const struct trees *trees, const char *top, const char *commit, char **out, struct error *err)
{
	CLEANUP(free_ptr) char *prefix = NULL, *root = NULL;
	size_t len;

	if (git_prefix(trees->keeper, trees->root, &prefix, err) < 0)
		return -1;
	len = strlen(prefix);
	if (len && prefix[len - 1] == '/')
		prefix[--len] = '\0';
	root = len ? file_join(top, prefix) : xstrdup(top);
	if (!file_is_dir(root))
		return error_set(err, ERR_TARGET, "%.12s has no folder %s, which is the project's", commit, prefix);
	*out = take_ptr(&root);
	return 0;
}

static int make(const struct trees *trees, const struct place *place, const char *commit, const struct command *build,
		char **root_out, struct error *err)
{
	CLEANUP(free_ptr) char *root = NULL;

	if (check_out(trees, place, commit, err) < 0 || find_root(trees, place->top, commit, &root, err) < 0)
		return -1;
	if (build->argv.n)
		tell(trees, "building", commit);
	if (build->argv.n && trees_build(trees, root, build, place->log, err) < 0)
		return error_wrap(err, "%.12s", commit);
	*root_out = take_ptr(&root);
	return 0;
}

static bool is_there(const struct trees *trees, const struct place *place, const char *commit, char **root_out)
{
	return place->kept && git_worktree_whole(trees->keeper, place->top, commit) &&
	       tree_state_same(trees->keeper, place->top, place->done) && find_root(trees, place->top, commit, root_out, NULL) == 0;
}

static int lock(const struct trees *trees, const struct place *place, bool shared, struct error *err)
{
	return tree_lock(place->lock, shared, trees->keeper->interrupt, timeout_of(trees), err);
}

static int finish(const struct trees *trees, const struct place *place, bool reused, struct error *err)
{
	if (reused)
		return tree_state_used(place->done, err);
	return place->kept ? tree_state_keep(trees->keeper, place->top, place->done, err) : 0;
}

/* Used as it is, else made: by one pawl, while others wait. */
static int get(const struct trees *trees, const struct place *place, const char *commit, const struct command *build,
	       struct tree *out, struct error *err)
{
	out->lock = lock(trees, place, true, err);
	if (out->lock < 0)
		return -1;
	out->reused = is_there(trees, place, commit, &out->root);
	if (!out->reused) {
		close(out->lock);
		out->lock = lock(trees, place, false, err);
		if (out->lock < 0)
			return -1;
		out->reused = is_there(trees, place, commit, &out->root);
	}
	if ((out->reused || make(trees, place, commit, build, &out->root, err) == 0) &&
	    finish(trees, place, out->reused, err) == 0) {
		tree_lock_share(out->lock);
		return 0;
	}
	close(out->lock);
	free(out->root);
	return -1;
}

int trees_get(const struct trees *trees, const char *commit, struct tree *out, struct error *err)
{
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct command build = { 0 };
	CLEANUP(place_release) struct place place = { 0 };
	struct tree tree = { 0 };

	if (trees->build_of && trees->build_of(trees->ctx, commit, &arena, &build, err) < 0)
		return -1;
	if (find_place(trees, commit, &build, &place, err) < 0)
		return -1;
	if (get(trees, &place, commit, &build, &tree, err) < 0) {
		if (!place.kept)
			git_worktree_remove(trees->keeper, trees->root, place.top);
		return -1;
	}
	tree.commit = xstrdup(commit);
	tree.top = take_ptr(&place.top);
	tree.kept = place.kept;
	if (build.argv.n)
		tree.log = take_ptr(&place.log);
	*out = tree;
	if (tree.kept)
		trees_cache_prune(trees, place.folder);
	return 0;
}

void trees_put(const struct trees *trees, struct tree *tree)
{
	if (tree->top && !tree->kept)
		git_worktree_remove(trees->keeper, trees->root, tree->top);
	if (tree->lock)
		close(tree->lock);
	free(tree->root);
	free(tree->commit);
	free(tree->log);
	free(tree->top);
	*tree = (struct tree){ 0 };
}
