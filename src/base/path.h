/* The parts of a path, as text: nothing looks at what lies there, and no link is followed. */
#ifndef PAWL_BASE_PATH_H
#define PAWL_BASE_PATH_H

/* The last part; the whole PATH when it ends in a slash. */
const char *path_name(const char *path);
/* The folder that PATH lies in: "." for a bare name, "/" for what lies there; for free(). */
char *path_parent(const char *path);
/*
 * What follows FOLDER in PATH, "" for FOLDER itself; NULL when PATH does not lie below it.
 * Both are absolute, FOLDER without a final slash.
 */
const char *path_below(const char *path, const char *folder);

#endif
