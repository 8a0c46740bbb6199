/*
 * Several p values at once: Holm's step-down correction, which keeps the chance that any true null hypothesis is
 * rejected at the level, whatever their dependence.
 *
 * Holm (1979), A simple sequentially rejective multiple test procedure, Scand. J. Statist. 6, 65-70.
 */
#ifndef PAWL_STATS_HOLM_H
#define PAWL_STATS_HOLM_H

#include <stddef.h>

/*
 * ADJUSTED_OUT[i] belongs to P[i]; comparing it with a level is Holm's test at that level. NaN stays NaN and counts for
 * none. Both may be the same array.
 */
void holm_adjust(const double *p, size_t n, double *adjusted_out);

#endif
