/* The perf of this machine, found once before all tests. A program that includes this has no other FIXTURE(). */
#ifndef PAWL_TESTS_PERF_FIXTURE_H
#define PAWL_TESTS_PERF_FIXTURE_H

#include "measure/perf/perf_tool.h"
#include "keeper_fixture.h"

static struct perf_tool perf;

static int find_perf(void **state)
{
	if (keeper_start(&keeper, NULL, NULL) < 0)
		return -1;
	perf_tool_find(&keeper, &perf, NULL);
	keeper_stop(&keeper);
	return 0;
}

static int drop_perf(void **state)
{
	perf_tool_release(&perf);
	return 0;
}
FIXTURE(find_perf, drop_perf);

#endif
