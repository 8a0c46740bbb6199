/*
 * Where a run leaves its files: a folder named after the time and commit, `latest` beside it
 * pointing to it, old ones pruned; or the very folder that was asked for, without either.
 */
#ifndef PAWL_MEASURE_RUN_OUTDIR_H
#define PAWL_MEASURE_RUN_OUTDIR_H

struct error;

enum { OUTDIRS_KEPT = 20 };

/* Makes PARENT/<time>-<commit> and moves PARENT/latest to it. COMMIT may be NULL. For free(). */
int outdir_make(const char *parent, const char *commit, char **out, struct error *err);
/* Removes all but the newest OUTDIRS_KEPT folders that outdir_make() named. */
void outdir_prune(const char *parent);

/* UTC now as 2026-11-20T10:05:54Z; for free(). */
char *utc_now(void);

#endif
