/* Recorded Python calls, from untrusted files: valid and read completely, or rejected with the line. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/work.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
	if (!holds)
		abort();
}

static void check(const struct work *work)
{
	double total = 0;

	for (size_t i = 0; i < work->n_functions; i++) {
		const struct work_function *f = &work->functions[i];

		require(f->code.function && f->code.key && f->code.object && f->self >= 0 && f->calls >= 0);
		require(!f->code.own || *f->code.object);
		total += f->self;
	}
	require(fabs(total - work->total) <= 1e-9 * total);
	for (size_t i = 0; i < work->n_calls; i++)
		require(work->calls[i].caller < work->n_functions && work->calls[i].callee < work->n_functions);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct own_code own = { .root = "/srv" };
	struct work work = { 0 }, again = { 0 };
	struct error err = ERROR_INIT;

	if (python_read((const char *)data, size, &own, &work, &err) == 0) {
		size_t n = work.n_functions;

		check(&work);
		/* A second process that did the same adds no function. */
		require(python_read((const char *)data, size, &own, &work, &err) == 0 && work.n_functions == n);
		check(&work);
		require(python_read((const char *)data, size, &own, &again, &err) == 0);
		python_least(&work, &again);
		check(&work);
		require(work.total <= again.total * (1 + 1e-9));
		python_settle(&work, &own, &again, &own);
		check(&again);
	} else {
		require(err.kind == ERR_INPUT && err.msg[0] && !work.n_functions);
	}
	arena_release(&work.arena);
	arena_release(&again.arena);
	return 0;
}
