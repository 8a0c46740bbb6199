/*
 * Maps paths so that each side of a comparison finds its own copy of the project's files: a scenario's absolute paths and
 * pawl's environment (PATH above all) refer to one tree. The map leads a path into any tree to the same place in the
 * side's own.
 *
 * 	tree_map_init() with the trees that a path may name -> tree_map_text(), tree_map_environment() for each plan
 * 	-> tree_map_whose() for the files found -> tree_map_release()
 *
 * A path is mapped if it begins with a tree's folder or leads into one by symbolic links. Paths into /dev and /proc
 * are left alone. With a single tree the map changes nothing.
 */
#ifndef PAWL_MEASURE_GIT_TREE_MAP_H
#define PAWL_MEASURE_GIT_TREE_MAP_H

#include <stddef.h>

#include "base/text.h"

struct arena;

struct tree_map {
	struct strv trees;	/* all trees, absolute, the side's own first */
	struct strv reals;	/* the same trees with links resolved */
	const char *own, *own_real;	/* the first of each list */
};

/* Initialises the map with OWN and the other N folders that a path may name, all absolute. Duplicates are allowed. */
void tree_map_init(struct tree_map *out, const char *own, const char *const *trees, size_t n);
void tree_map_release(struct tree_map *map);

/*
 * Returns TEXT with every absolute path into a tree mapped to the own tree, also behind an option's letters
 * (-I/project/include); for free(). Unchanged if the own tree's path has characters special to a shell.
 */
char *tree_map_text(const struct tree_map *map, const char *text);
/*
 * Maps the variables of pawl's environment that name a tree, but not those of the user and the system (HOME), and appends
 * them to ENVIRONMENT, a list in ARENA. ONLY lists the variables to map; NULL: all. What the own tree lacks stays as it
 * is; in a list of folders (PATH), after the own tree's.
 */
void tree_map_environment(const struct tree_map *map, const struct strv *only, struct arena *arena,
			  struct strv *environment);

enum tree_whose { TREE_OWN, TREE_OTHER, TREE_NONE };
/* Returns the tree that really contains the file at PATH. */
enum tree_whose tree_map_whose(const struct tree_map *map, const char *path);
/* Returns the own tree's folder for that of the file at PATH, if links lead there from outside; or NULL. For free(). */
char *tree_map_folder(const struct tree_map *map, const char *path);

#endif
