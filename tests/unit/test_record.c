/* Recordings for the search for a cause: their amount, and results of real recordings. */
#define OWN_MAIN
#include "unit.h"

#include <sys/mman.h>
#include <unistd.h>

#include "cause/ledger/own_code.h"
#include "cause/ledger/samples.h"
#include "cause/readers/offcpu.h"
#include "job/recordings.h"
#include "measure/perf/session.h"
#include "measure/process/child.h"
#include "measure/tools/record.h"
#include "measure/run/system.h"
#include "model/machine.h"
#include "model/measured.h"
#include "model/metrics/metric.h"
#include "model/profile.h"
#include "model/result.h"
#include "profile/stacks.h"
#include "scenario/scenario.h"
#include "perf_fixture.h"
#include "ledger_view.h"

/* -------- amount */

static void counted(struct side_result *side, const struct metric *metric, double value)
{
	size_t column;

	side_result_init(side);
	column = side_result_column(side, metric);
	side_result_add_run(side)->values[column] = value;
}

TEST(the_rate_fits_an_execution)
{
	static const struct {
		double cpu_ms;
		unsigned frequency;
	} cases[] = { { NAN, 4999 }, { 0, 4999 }, { 2, 4999 }, { 200, 4999 }, { 1000, 2500 }, { 60000, 41 }, { 1e7, 19 } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(side_result_release) struct side_result side;
		struct record_wish wish;

		counted(&side, METRIC(CPU_TIME), cases[i].cpu_ms);
		assert_true(record_plan(SAMPLED_CLOCK, TIER_SW, &side, &wish, NULL) == 0);
		assert_string_equal(wish.how.event, "cpu-clock");
		assert_int_equal(wish.how.frequency, cases[i].frequency);
		assert_int_equal(wish.samples, 2500);
		assert_true(wish.how.call_graph == CALL_GRAPH_DWARF);
	}
}

TEST(faults_are_sampled_by_period)
{
	static const struct {
		double faults;
		unsigned period, executions;
	} cases[] = { { NAN, 1, 2000 }, { 0, 1, 2000 }, { 300, 1, 7 }, { 2000, 1, 1 }, { 8001, 5, 1 }, { 1e6, 503, 1 }, { 4e9, 2000003, 1 } };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(side_result_release) struct side_result side;
		struct record_wish wish;

		counted(&side, METRIC(PAGE_FAULTS), cases[i].faults);
		assert_true(record_plan(SAMPLED_FAULTS, TIER_SW_USER, &side, &wish, NULL) == 0);
		assert_string_equal(wish.how.event, "page-faults:u");
		assert_int_equal(wish.how.frequency, 0);
		assert_int_equal(wish.how.period, cases[i].period);
		assert_int_equal(wish.executions, cases[i].executions);
	}
}

TEST(without_perf_nothing_is_sampled)
{
	CLEANUP(side_result_release) struct side_result side = { 0 };
	struct record_wish wish;

	assert_int_equal(record_plan(SAMPLED_CLOCK, TIER_SIM, &side, &wish, NULL), -1);
	assert_int_equal(record_plan(SAMPLED_FAULTS, TIER_NONE, &side, &wish, NULL), -1);
	assert_int_equal(record_plan(SAMPLED_SWITCHES, TIER_SW_USER, &side, &wish, NULL), -1);
}

/* -------- real recordings; this program is the target */

enum { TOUCHED_PAGES = 600, PAGE = 4096 };

/* Sanitizers touch shadow pages for touched pages, and these would count too. */
static __attribute__((noinline, no_sanitize("address"))) unsigned fill_new_pages(void)
{
	char *pages = mmap(NULL, (size_t)TOUCHED_PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned sum = 0;

	if (pages == MAP_FAILED)
		return 0;
	madvise(pages, (size_t)TOUCHED_PAGES * PAGE, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < TOUCHED_PAGES; i++)
		pages[i * PAGE] = (char)i;
	for (size_t i = 0; i < TOUCHED_PAGES; i++)
		sum += (unsigned char)pages[i * PAGE];
	return sum;
}

static __attribute__((noinline)) unsigned burn_time(unsigned rounds)
{
	unsigned sum = 1;

	for (volatile unsigned i = 0; i < rounds; i++)
		sum = sum * 31 + i;
	return sum;
}

/* A slow machine needs 15 ms to load the program, in functions of the loader that may have no names. */
static int be_target(void)
{
	return burn_time(40000000) + fill_new_pages() == 0;
}

static __attribute__((noinline)) int wait_a_while(void)
{
	return usleep(60000);
}

/* This program as a target that does WHAT. Must not move. */
struct subject {
	char path[256], *argv[3];
	struct scenario scenario;
	struct plan plan;
	struct session session;
	struct system system;
};

static void subject_init(struct subject *s, const char *what)
{
	*s = (struct subject){
		.argv = { s->path, (char *)what, NULL }, .scenario = { .target_kind = TARGET_COMMAND, .measure.timeout_ns = PATIENCE_NS },
		.plan = { .scenario = &s->scenario, .target = { s->argv, 2, 3 }, .cwd = root, .root = root },
		.session = { .keeper = &keeper, .perf = perf, .lock_fd = -1, .scratch = root, .machine.tier = TIER_SW },
		.system = { .session = &s->session, .env.plan = &s->plan, .words = STRBUF_INIT, .target = STRBUF_INIT },
	};
	if (readlink("/proc/self/exe", s->path, sizeof s->path - 1) < 0)
		fail();
}

/* Skips the test if nothing was RECORDED. */
static void subject_finish(struct subject *s, bool recorded, const struct error *err)
{
	system_finish(&s->system);
	nothing_left();
	if (recorded)
		return;
	SKIP("perf cannot sample here: %s", perf.path ? err->msg : "there is none");
}

static void sample_this(const char *what, const char *event, unsigned frequency, unsigned executions, struct stacks *out)
{
	const struct record_wish wish = {
		.how = { .event = event, .frequency = frequency, .period = 1, .call_graph = CALL_GRAPH_DWARF },
		.samples = 100000, .executions = executions, .duration_ns = PATIENCE_NS,
	};
	struct error err = ERROR_INIT;
	struct subject subject;

	subject_init(&subject, what);
	subject_finish(&subject, perf.path && recordings_sample(&subject.system, wish, out, &err) == 0, &err);
}

/* Returns the share of EVENT's samples in FUNCTION of this program. */
static double part_of(const struct stacks *stacks, const char *function, struct own_costs *costs)
{
	char self[256] = "";
	const struct own_code own = { .program = self };

	if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
		fail();
	stacks_own_costs(stacks, NULL, &own, costs);
	for (size_t i = 0; i < costs->n; i++)
		if (!strcmp(costs->items[i].code->key, function))
			return costs->items[i].cost / costs->total;
	return 0;
}

TEST_WITH(time_belongs_to_who_spends_it, fixture_up, fixture_down)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };

	sample_this("work", "cpu-clock:u", 4999, 3, &stacks);
	assert_true(part_of(&stacks, "burn_time", &costs) > 0.5);
	assert_true(stacks_whole(&stacks, 0) > 0.8);
}

TEST_WITH(faults_belong_to_who_touches, fixture_up, fixture_down)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };
	double part;

	sample_this("work", "page-faults:u", 0, 2, &stacks);
	part = part_of(&stacks, "fill_new_pages", &costs);
	assert_string_equal(costs.items[0].code->key, "fill_new_pages");
	/* Each page counts once in both executions, whatever the libraries touch. */
	assert_true(fabs(part * costs.total - 2 * TOUCHED_PAGES) < 20);
}

TEST_WITH(waits_belong_to_who_waits, fixture_up, fixture_down)
{
	CLEANUP(stacks_release) struct stacks some = STACKS_INIT, all = STACKS_INIT, waiting = STACKS_INIT;
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };
	CLEANUP(side_result_release) struct side_result counted;
	const struct waits_wish wish = { .counted = &counted, .executions = 2 };
	struct offcpu_times times;
	struct error err = ERROR_INIT;
	struct subject subject;
	uint32_t event;

	/* Where the kernel's events can be sampled at all, waits can be recorded. */
	sample_this("wait", "context-switches", 0, 1, &some);
	side_result_init(&counted);
	subject_init(&subject, "wait");
	MUST(recordings_waits(&subject.system, &wish, &all, &times, &err));
	subject_finish(&subject, true, &err);
	assert_int_equal(stacks_find_event(&all, OFFCPU_WAITING, &event, NULL), 0);
	stacks_merge(&waiting, &all, event, NULL);
	assert_true(part_of(&waiting, "wait_a_while", &costs) > 0.5);
	assert_true(costs.total >= 2 * 60e6);
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "work"))
		return be_target();
	if (argc > 1 && !strcmp(argv[1], "wait"))
		return wait_a_while();
	return run_all();
}
