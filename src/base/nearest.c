#include "base/nearest.h"

enum { LONGEST = 64 };

static size_t min3(size_t a, size_t b, size_t c)
{
	size_t m = a < b ? a : b;

	return m < c ? m : c;
}

/* Optimal string alignment over three rolling rows; longer words than LONGEST are never near. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb)
{
	size_t rows[3][LONGEST + 1];

	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= na; i++) {
		size_t *now = rows[i % 3], *prev = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];

		now[0] = i;
		for (size_t j = 1; j <= nb; j++) {
			now[j] = min3(prev[j] + 1, now[j - 1] + 1, prev[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
	}
	return rows[na % 3][nb];
}

const char *nearest(const char *word, const char *const *candidates, size_t n)
{
	size_t len = strlen(word), best = LONGEST;
	const char *found = NULL;

	if (!len || len > LONGEST)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t other = strlen(candidates[i]), d;

		if (other > LONGEST)
			continue;
		d = distance(word, len, candidates[i], other);
		if (d < best && d * 3 <= (len > other ? len : other)) {
			best = d;
			found = candidates[i];
		}
	}
	return found;
}
