/*
 * Where each side of a comparison finds the project's files. Two trees are built and compared, but a scenario's absolute
 * paths, and what pawl's own environment names (PATH above all), speak of one: without a map both sides run its program.
 * Here a path into any of the trees means the same place in the side's own.
 *
 * 	tree_map_init() with the trees that a path may name -> tree_map_text(), tree_map_environment() for each plan
 * 	-> tree_map_whose() of what was found -> tree_map_release()
 *
 * A path counts where it begins with a tree's folder, or leads into one by symbolic links; /dev and /proc are left alone.
 * With one tree alone there is nothing to map.
 */
#ifndef PAWL_MEASURE_GIT_TREE_MAP_H
#define PAWL_MEASURE_GIT_TREE_MAP_H

#include <stddef.h>

#include "base/text.h"

struct arena;

struct tree_map {
	struct strv trees;	/* all of them, absolute, the side's own first */
	struct strv reals;	/* the same without links */
	const char *own, *own_real;	/* the first of both */
};

/* OWN and the other N folders that a path may name, absolute; the same one may come twice. */
void tree_map_init(struct tree_map *out, const char *own, const char *const *trees, size_t n);
void tree_map_release(struct tree_map *map);

/*
 * TEXT with every absolute path into a tree led to the own one; for free(). A path begins TEXT, or stands behind a blank,
 * a quote, one of = : , ; ( < > | &, an '@', "//", or an option's letters (-I/project/include). Where the own tree's
 * path holds what a shell would read, TEXT is as it was.
 */
char *tree_map_text(const struct tree_map *map, const char *text);
/*
 * Append to ENVIRONMENT, a list in ARENA that is laid over pawl's own, the variables of pawl's own that name a tree, led
 * to the own one: those named in ONLY, or all where that is NULL.
 * A list of folders (PATH, LD_LIBRARY_PATH, PYTHONPATH, ...) keeps an entry behind the own tree's as long as that is missing
 * there; another variable keeps what is missing there. Those of the user and the system (HOME, TMPDIR, XDG_*) stay, as does PWD.
 */
void tree_map_environment(const struct tree_map *map, const struct strv *only, struct arena *arena,
			  struct strv *environment);

enum tree_whose { TREE_OWN, TREE_OTHER, TREE_NONE };
/* In which tree the file at PATH really lies. */
enum tree_whose tree_map_whose(const struct tree_map *map, const char *path);
/*
 * The folder of the own tree that stands for that of the file at PATH, where links lead from outside into a tree; for
 * free(), NULL where they do not.
 */
char *tree_map_folder(const struct tree_map *map, const char *path);

#endif
