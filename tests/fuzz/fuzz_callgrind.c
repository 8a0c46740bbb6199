/* Untrusted callgrind output: read completely, or rejected with the line. Costs add up for any call graph. For Python's
 * functions, also those of several executions and of both sides; for others, as the beginning of both sides. */
#include "cause/ledger/ledger.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/prefix.h"
#include "cause/ledger/work.h"
#include "profile/names.h"
#include "fuzz.h"

static double sum_of(const struct work *work)
{
	double sum = 0;

	for (size_t i = 0; i < work->n_functions; i++)
		sum += work->functions[i].self;
	return sum;
}

static void check_timed(struct work *work, const char *text, size_t size, const struct own_code *own)
{
	struct work again = { 0 };
	struct error err = ERROR_INIT;

	require(callgrind_read(text, size, own, &again, &err) == 0);
	python_least(work, &again);
	require(!isfinite(work->total) || work->total <= again.total * (1 + 1e-9));
	python_settle(work, own, &again, own);
	require(!isfinite(again.total) || fabs(sum_of(&again) - again.total) <= 1e-6 * again.total);
	work_release(&again);
}

/* Both sides are the same, and samples are where instructions are. */
static void check_prefix(struct work *work, const char *text, size_t size, const struct own_code *own)
{
	const struct changes changes = { .known = true };
	struct work again = { 0 };
	struct stacks samples = STACKS_INIT;
	struct error err = ERROR_INIT;

	require(callgrind_read(text, size, own, &again, &err) == 0 && callgrind_read(text, size, own, &again, &err) == 0);
	for (size_t i = 0; i < work->n_functions; i++) {
		const struct code *code = &work->functions[i].code;
		uint32_t frame = stacks_frame_of(&samples, code->function, strlen(code->function), code->object);

		stacks_add(&samples, (struct stack_sample){ stacks_event(&samples, "cpu-clock", 9), 0, &frame, 1, 1, 1 + work->functions[i].self });
	}
	names_resolve(&samples);
	if (prefix_settle((const struct prefix[SIDES]){ { work, own, &samples }, { &again, own, &samples } }, &changes, 1) > 0) {
		require(work->per && again.per && work->total == again.total);
		require(!isfinite(work->total) || fabs(sum_of(work) - work->total) <= 1e-6 * work->total);
	}
	stacks_release(&samples);
	work_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct own_code own = { .root = "/srv/shop" };
	struct ledger ledger = { 0 };
	struct work work = { 0 };
	struct error err = ERROR_INIT;
	double sum;

	if (callgrind_read((const char *)data, size, &own, &work, &err) < 0) {
		require(err.kind == ERR_INPUT && err.msg[0] && !work.n_functions);
	} else {
		/* Reads it again, as the output of a second process. */
		require(callgrind_read((const char *)data, size, &own, &work, &err) == 0);
		for (size_t i = 0; i < work.n_functions; i++)
			require(work.functions[i].code.function && work.functions[i].code.key && work.functions[i].code.object);
		ledger_init(&ledger, &own, &own, NULL);
		ledger_add_work(&ledger, HEAD, &work);
		ledger_settle(&ledger);
		sum = ledger.unowned[COST_INSTRUCTIONS][HEAD];
		for (size_t i = 0; i < ledger.codes.n; i++)
			sum += ledger.entries[i].cost[COST_INSTRUCTIONS][HEAD];
		require(!isfinite(work.total) || fabs(sum - work.total) <= 1e-6 * work.total);
		if (work.timed)
			check_timed(&work, (const char *)data, size, &own);
		else
			check_prefix(&work, (const char *)data, size, &own);
	}
	ledger_release(&ledger);
	work_release(&work);
	return 0;
}
