#include "measure/pair_work.h"

#include <math.h>

void pair_work_note(const struct scenario *scenario, const struct scenario_result *base,
		    const struct scenario_result *head, struct strv *notes)
{
	const char *unit = scenario->load.unit ?: "unit";
	double base_work, head_work;

	if (scenario->load.as != WORK_COUNT)
		return;
	base_work = scenario_result_median(base, METRIC_WORK);
	head_work = scenario_result_median(head, METRIC_WORK);
	if (isnan(base_work) || isnan(head_work) || base_work == head_work)
		return;
	strv_pushf(notes,
		   "the sides do different work: %.15g %ss a window of the base, %.15g of the head (%+.2g %%); compare values per %s",
		   base_work, unit, head_work, (head_work / base_work - 1) * 100, unit);
}
