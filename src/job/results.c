#include "job/results.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "measure/process/files.h"
#include "model/baseline.h"
#include "model/profile.h"
#include "model/result.h"
#include "store/store.h"

char *results_folder(const char *path)
{
	return file_is_dir(path) ? xstrdup(path) : path_parent(path);
}

/* Finds the run's folder, which may have been moved or downloaded since it was written. */
static void find_folder(const char *path, struct result *result)
{
	CLEANUP(free_ptr) char *folder = results_folder(path);
	CLEANUP(free_ptr) char *first = result->n_scenarios ? file_join(folder, result->scenarios[0].name) : NULL;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];
		char *own = file_join(folder, s->name);

		if (file_is_dir(own))
			s->folder = arena_strdup(&s->arena, own);
		free(own);
	}
	if ((result->out_dir && file_is_dir(result->out_dir)) || !first || !file_is_dir(first))
		return;
	result->out_dir = arena_take(&result->arena, file_absolute(folder));
}

/* Reports a missing FILE, and suggests a result below folder PATH: each downloaded artifact has a folder of its own. */
static int not_there(const char *path, const char *file, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (file_is_dir(path))
		file_list(path, &names, NULL);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *folder = file_join(path, names.items[i]), *below = file_join(folder, "result.json");

		if (file_exists(below))
			return error_set(err, ERR_INPUT, "there is no result %s; do you mean %s?", file, below);
	}
	return error_set(err, ERR_INPUT, "there is no result %s", file);
}

/* Reads the file that PATH means. FILE_OUT is its path, for free(). */
static int read_text(const char *path, char **file_out, struct strbuf *out, struct error *err)
{
	*file_out = file_is_dir(path) ? file_join(path, "result.json") : xstrdup(path);
	if (!file_exists(*file_out))
		return not_there(path, *file_out, err);
	if (file_read(*file_out, JSON_LARGEST, out, err) < 0)
		return -1;
	if (text_starts(out->buf, "PK\003\004"))
		return error_set(err, ERR_INPUT, "%s is a zip archive: unzip it into a folder, and give that", *file_out);
	return 0;
}

int results_read(const char *path, struct result *out, struct error *err)
{
	CLEANUP(free_ptr) char *file = NULL;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (read_text(path, &file, &text, err) < 0 || result_parse(text.buf, text.len, file, out, err) < 0)
		return -1;
	if (results_check_duplicates(out, err) == 0) {
		find_folder(path, out);
		return 0;
	}
	result_release(out);
	return error_wrap(err, "%s", file);
}

int results_check_duplicates(const struct result *result, struct error *err)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		for (size_t k = i + 1; k < result->n_scenarios; k++) {
			const struct scenario_result *a = &result->scenarios[i], *b = &result->scenarios[k];

			if (!strcmp(a->name, b->name) && text_same(a->class, b->class))
				return error_set(err, ERR_INPUT, "scenario '%s' is there twice%s%s; shards must not overlap", a->name,
						 a->class ? ", both times of " : "", a->class ?: "");
		}
	return 0;
}

struct baseline_session *results_add_session(const struct result *result, const struct scenario_result *scenario,
					     const struct side_result *side, struct baseline *to)
{
	struct baseline_session *session = baseline_add_session(to);
	struct arena *arena = &to->arena;

	session->date = arena_strdup(arena, result->date);
	session->commit = arena_strdup(arena, result->commit);
	session->pawl = arena_strdup(arena, result->pawl);
	session->perf = arena_strdup(arena, result->machine.perf_version);
	session->kernel = arena_strdup(arena, result->machine.kernel);
	session->executable = arena_strdup(arena, side->executable);
	session->simulator = arena_strdup(arena, side->simulator);
	session->measurement = arena_strdup(arena, scenario->measurement);
	arena_push_all(arena, &session->notes, &result->machine.notes);
	for (size_t c = 0; c < side->n_metrics; c++)
		for (size_t i = 0; i < side->n_runs; i++)
			baseline_add_value(to, session, side->metrics[c], side->runs[i].values[c]);
	return session;
}

void results_to_baseline(const struct result *result, const struct scenario_result *scenario,
			 const struct side_result *side, struct baseline *out)
{
	*out = (struct baseline){ .scenario = scenario->name, .settings = scenario->settings, .machine = result->machine };
	out->machine.arena = (struct arena)ARENA_INIT;
	results_add_session(result, scenario, side, out);
	out->profile = profile_view(&side->profile);
}
