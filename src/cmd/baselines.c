/* The baselines of a project: finding and reading them, from the working tree or from a commit. */
#include <inttypes.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "cmd/project.h"
#include "store/baseline.h"
#include "store/json.h"
#include "measure/files.h"

char *project_baseline_path(const struct project *project, const char *scenario, const char *class)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s/%s.json", project->baselines_dir, scenario, class);
	return strbuf_take(&path);
}

/* SCENARIO's baselines, or FILE of them, as project->accepted knows them. For free(). */
static char *accepted_path(const struct project *project, const char *scenario, const char *file)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s%s%s%s%s", project->accepted_in, *project->accepted_in ? "/" : "", scenario, file ? "/" : "", file ?: "");
	return strbuf_take(&path);
}

int project_baseline_files(struct project *project, const char *scenario, struct strv *out, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	CLEANUP(free_ptr) char *folder = accepted_path(project, scenario, NULL);

	if (file_source_list(project->accepted, folder, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		size_t len = strlen(names.items[i]);

		if (names.items[i][0] != '.' && len > 5 && !strcmp(names.items[i] + len - 5, ".json"))
			strv_push(out, names.items[i]);
	}
	return 0;
}

int project_read_baseline(struct project *project, const char *scenario, const char *file, struct baseline *out,
			  struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *in = accepted_path(project, scenario, file);
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;
	int got;

	strbuf_addf(&path, "%s/%s/%s", project->baselines_dir, scenario, file);
	got = file_source_read(project->accepted, in, JSON_LARGEST, &text, err);
	if (got <= 0)
		return got;
	if (baseline_parse(text.buf, text.len, path.buf, out, err) < 0)
		return -1;
	if (strcmp(out->scenario, scenario)) {
		error_set(err, ERR_INPUT, "%s: $.scenario: this is the baseline of '%s', not of '%s'", path.buf,
			  out->scenario, scenario);
		baseline_release(out);
		return -1;
	}
	return 1;
}

int project_read_beside(struct project *project, const char *scenario, const char *path, size_t limit, struct strbuf *out,
			struct error *err)
{
	const char *slash = strrchr(path, '/');
	CLEANUP(free_ptr) char *in = accepted_path(project, scenario, slash ? slash + 1 : path);

	if (!project->accepted->commit && file_refuse_link(path, err) < 0)
		return -1;
	return file_source_read(project->accepted, in, limit, out, err);
}

static const char *last_date(const struct baseline *baseline)
{
	return baseline->n_sessions ? baseline->sessions[baseline->n_sessions - 1].date : "";
}

/* Another class's baseline still serves gates that do not depend on the CPU, and names itself in the report. */
static int newest_of_arch(struct project *project, const char *scenario, const struct machine *machine, struct baseline *out,
			  char **file_out, struct error *err)
{
	CLEANUP(strv_release) struct strv files = STRV_INIT;
	bool found = false;

	if (project_baseline_files(project, scenario, &files, err) < 0)
		return -1;
	for (size_t i = 0; i < files.n; i++) {
		struct baseline one;

		if (project_read_baseline(project, scenario, files.items[i], &one, err) != 1)
			return -1;
		if (strcmp(one.machine.arch, machine->arch) || (found && strcmp(last_date(&one), last_date(out)) <= 0)) {
			baseline_release(&one);
			continue;
		}
		if (found)
			baseline_release(out);
		free(*file_out);
		*out = one;
		*file_out = xstrdup(files.items[i]);
		found = true;
	}
	return found;
}

int project_baseline(struct project *project, const char *scenario, const struct machine *machine, struct baseline *out,
		     char **path_out, struct error *err)
{
	CLEANUP(free_ptr) char *class = machine_class(machine);
	CLEANUP(free_ptr) char *file = NULL;
	struct strbuf own = STRBUF_INIT;
	int got;

	strbuf_addf(&own, "%s.json", class);
	file = strbuf_take(&own);
	got = project_read_baseline(project, scenario, file, out, err);
	if (got == 0)
		got = newest_of_arch(project, scenario, machine, out, &file, err);
	if (got == 1) {
		file[strlen(file) - 5] = '\0';
		*path_out = project_baseline_path(project, scenario, file);
	}
	return got;
}
