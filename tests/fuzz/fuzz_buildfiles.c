/* Any bytes as each kind of build file: every name that comes out needs no quoting and stays in its folder. */
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/text.h"
#include "cmd/buildfiles.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_names(const struct strv *names)
{
	for (size_t i = 0; i < names->n; i++)
		if (!buildfiles_plain(names->items[i]))
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT, known = STRV_INIT, entries = STRV_INIT;
	CLEANUP(buildfiles_cargo_release) struct cargo_file cargo = { 0 };
	CLEANUP(free_ptr) char *text = xstrndup((const char *)data, size);

	buildfiles_make(text, &names);
	buildfiles_cmake(text, &known, &names);
	buildfiles_meson(text, &known, &names);
	buildfiles_cargo(text, &cargo);
	buildfiles_python(text, &entries);
	check_names(&names);
	check_names(&cargo.programs);
	check_names(&cargo.members);
	for (size_t i = 0; i < entries.n; i++)
		if (strpbrk(entries.items[i], "\n\"' ;"))
			abort();
	return 0;
}
