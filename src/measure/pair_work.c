#include "measure/pair_work.h"

#include <stdlib.h>

#include "base/cleanup.h"
#include "stats/order.h"

struct works {
	double least, median, most;
};

static bool read_works(const struct scenario_result *result, struct works *out)
{
	size_t n;
	CLEANUP(free_ptr) double *values = scenario_result_values(result, METRIC_WORK, &n);

	if (!n)
		return false;
	stats_sort(values, n);
	*out = (struct works){ values[0], stats_median_sorted(values, n), values[n - 1] };
	return true;
}

/* Work that is limited by time varies from window to window; that is no difference of the sides. */
void pair_work_note(const struct scenario *scenario, const struct scenario_result *base,
		    const struct scenario_result *head, struct strv *notes)
{
	const char *unit = scenario->load.unit ?: "unit";
	struct works b, h;

	if (scenario->load.as != WORK_COUNT || !read_works(base, &b) || !read_works(head, &h))
		return;
	if (b.least <= h.most && h.least <= b.most)
		return;
	strv_pushf(notes,
		   "the sides do different work: the base %.15g %ss a window, the head %.15g (%+.1f %%); compare values per %s",
		   b.median, unit, h.median, (h.median / b.median - 1) * 100, unit);
}
