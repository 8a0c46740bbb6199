#include "job/lines.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "judge/source.h"
#include "measure/process/process.h"
#include "model/cause.h"
#include "model/result.h"
#include "report/report.h"

enum { SOURCE_LARGEST = 4 << 20 };

static const struct code *find_code(const struct work *work, const struct cause *cause)
{
	for (size_t i = 0; i < work->n_functions; i++) {
		const struct code *code = &work->functions[i].code;

		if (code->own && !strcmp(code->function, cause->function) && (!cause->object || !strcmp(path_name(code->object), cause->object)))
			return code;
	}
	return NULL;
}

/* The file that CODE's function is in, on this side; NULL where it cannot be read. */
static const char *read_source(const struct evidence *side, const struct code *code, struct strbuf *text)
{
	const char *path = source_path(&side->work, code);
	CLEANUP(free_ptr) char *below = path && *path != '/' && side->own.root ? file_join(side->own.root, path) : NULL;
	struct error why = ERROR_INIT;

	if (!path || file_read(below ?: path, SOURCE_LARGEST, text, &why) < 0)
		return NULL;
	return text->buf;
}

void lines_of_cause(const struct scenario_result *scenario, const struct evidence *base, const struct evidence *head,
		    struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf before = STRBUF_INIT, now = STRBUF_INIT;
	CLEANUP(source_rows_release) struct source_rows rows = { .arena = ARENA_INIT };
	const struct cause *cause = scenario->n_causes ? &scenario->causes[0] : NULL;
	const struct code *code;

	strbuf_addf(out, "\n%s: ", scenario->name);
	if (!cause || !cause->function) {
		strbuf_adds(out, "no function is named, so no source is shown\n");
		return;
	}
	code = find_code(&head->work, cause) ?: find_code(&base->work, cause);
	if (!code || !source_rows_make(code, &base->work, read_source(base, code, &before), &head->work, read_source(head, code, &now), &rows)) {
		escape_terminal(out, cause->function);
		strbuf_adds(out, ": what its lines cost is not known; it takes valgrind, and debug information (build with -g)\n");
		return;
	}
	report_source(&rows, out);
}
