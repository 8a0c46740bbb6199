#include "job/loaded.h"

#include "base/mem.h"
#include "base/text.h"
#include "measure/process/process.h"
#include "profile/evidence.h"

/* PATH, as the program named it in CWD, with what tells its bytes from others. */
static void identify(struct evidence *e, const char *path, const char *cwd)
{
	CLEANUP(free_ptr) char *whole = *path == '/' ? xstrdup(path) : file_join(cwd, path), *id = file_identity(whole);

	if (id)
		arena_pushf(&e->arena, &e->libraries, "%s %s", whole, id);
}

void loaded_identify(struct evidence *evidence, const char *cwd)
{
	const struct system_calls *calls = &evidence->system_calls;

	if (evidence->own.program) {
		CLEANUP(strv_release) struct strv compilers = STRV_INIT;

		file_compilers(evidence->own.program, &compilers);
		arena_push_all(&evidence->arena, &evidence->compilers, &compilers);
	}
	for (size_t i = 0; i < calls->programs.n; i++)
		identify(evidence, calls->programs.items[i], cwd);
	for (size_t i = 0; i < calls->libraries.n; i++)
		identify(evidence, calls->libraries.items[i], cwd);
}
