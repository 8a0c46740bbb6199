/*
 * Output folders of runs. By default, a folder named after time and commit, the link `latest` to it, and old folders
 * pruned. A folder that the user names is used as it is.
 */
#ifndef PAWL_MEASURE_RUN_OUTDIR_H
#define PAWL_MEASURE_RUN_OUTDIR_H

struct error;

enum { OUTDIRS_KEPT = 20 };

/* Makes PARENT/<time>-<commit> and points PARENT/latest to it. COMMIT may be NULL. *OUT is for free(). */
int outdir_make(const char *parent, const char *commit, char **out, struct error *err);
/* Removes all but the newest OUTDIRS_KEPT folders made by outdir_make(). */
void outdir_prune(const char *parent);

/* Returns the current UTC time as 2026-11-20T10:05:54Z. For free(). */
char *utc_now(void);

#endif
