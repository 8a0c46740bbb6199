#include "job/python.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cause/evidence.h"
#include "cause/work.h"

#include "measure/tools/python.h"
#include "measure/perf/target_run.h"
#include "measure/process/interrupt.h"
#include "measure/run/system.h"

/* Executions. Times differ by a few percent, and the least of several is closest to the undisturbed time. */
enum { EXECUTIONS_LEAST = 3, EXECUTIONS_MOST = 6 };
/* No execution begins after LONG_NS. Below EXECUTIONS_LEAST, not after PATIENCE times that. */
#define LONG_NS (3 * NS_PER_S)
enum { PATIENCE = 4 };

struct reading {
	struct evidence *const *sides;
	struct work works[AT_ONCE_MOST];
};

static void reading_release(struct reading *r)
{
	for (size_t i = 0; i < AT_ONCE_MOST; i++)
		work_release(&r->works[i]);
}

static int feed(void *ctx, size_t side, const char *text, size_t len, struct error *err)
{
	struct reading *r = ctx;

	return python_read(text, len, &r->sides[side]->own, &r->works[side], err);
}

static int execute(struct system *const systems[], unsigned n, uint64_t limit_ns, struct reading *r, struct error *err)
{
	const struct tool_use use = { .limit_ns = limit_ns, .feed = feed, .ctx = r };
	struct target_spec specs[AT_ONCE_MOST];

	if (system_specs(systems, n, specs, err) < 0)
		return -1;
	return tool_run(systems[0]->session, &tool_python, specs, n, &use, err);
}

int python_take(struct system *const systems[], unsigned n, uint64_t limit_ns, struct evidence *const sides[],
		struct error *err)
{
	uint64_t began = clock_now_ns(), turn_began = began;

	for (int turn = 0; turn < EXECUTIONS_MOST; turn++) {
		CLEANUP(reading_release) struct reading reading = { .sides = sides };
		struct error why = ERROR_INIT;
		uint64_t now = clock_now_ns(), took = now - turn_began;

		if (turn && (now > began + (turn < EXECUTIONS_LEAST ? PATIENCE : 1) * LONG_NS || now + took > began + limit_ns))
			break;
		turn_began = now;
		if (execute(systems, n, began + limit_ns - now, &reading, &why) < 0) {
			if (turn && why.kind != ERR_INTERRUPTED)
				break;
			if (err)
				*err = why;
			return -1;
		}
		for (unsigned i = 0; i < n; i++) {
			if (turn) {
				python_least(&sides[i]->work, &reading.works[i]);
			} else {
				sides[i]->work = reading.works[i];
				reading.works[i] = (struct work){ 0 };
			}
		}
	}
	if (n == 2)
		python_settle(&sides[0]->work, &sides[0]->own, &sides[1]->work, &sides[1]->own);
	return 0;
}
