/* Any bytes as a stored search: a fault with words, or a value that is written and read back the same. */
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "store/store.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_written(const struct bisection *bisection)
{
	CLEANUP(bisection_release) struct bisection again = { 0 };
	CLEANUP(free_ptr) char *text = bisection_format(bisection), *twice = NULL;
	struct error err = ERROR_INIT;

	if (bisection_parse(text, strlen(text), "written", &again, &err) < 0)
		abort();
	twice = bisection_format(&again);
	if (strcmp(text, twice))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(bisection_release) struct bisection bisection = { 0 };
	struct error err = ERROR_INIT;

	if (!bisection_parse((const char *)data, size, "fuzz", &bisection, &err))
		check_written(&bisection);
	else if (err.kind != ERR_INPUT || !err.msg[0] || strcmp(err.at.path, "fuzz"))
		abort();
	return 0;
}
