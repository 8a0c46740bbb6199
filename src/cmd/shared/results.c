#include "cmd/shared/shared.h"

#include <math.h>

#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "measure/process/process.h"
#include "store/store.h"

char *results_folder(const char *path)
{
	return file_is_dir(path) ? xstrdup(path) : path_parent(path);
}

/* A run's folder may have been moved, or downloaded, since it was written. */
static void find_folder(const char *path, struct result *result)
{
	CLEANUP(free_ptr) char *folder = results_folder(path);
	CLEANUP(free_ptr) char *first = result->n_scenarios ? file_join(folder, result->scenarios[0].name) : NULL;

	if ((result->out_dir && file_is_dir(result->out_dir)) || !first || !file_is_dir(first))
		return;
	free(result->out_dir);
	result->out_dir = file_absolute(folder);
}

int results_read(const char *path, struct result *out, struct error *err)
{
	CLEANUP(free_ptr) char *file = file_is_dir(path) ? file_join(path, "result.json") : xstrdup(path);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (!file_exists(file))
		return error_set(err, ERR_INPUT, "there is no result %s", file);
	if (file_read(file, JSON_LARGEST, &text, err) < 0)
		return -1;
	if (result_parse(text.buf, text.len, file, out, err) < 0)
		return -1;
	cmd_shaping_options(&out->command, &out->options);
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
		for (size_t k = i + 1; k < result->n_scenarios; k++)
			if (!strcmp(result->scenarios[i].name, result->scenarios[k].name))
				return error_set(err, ERR_INPUT, "scenario '%s' is there twice; shards must not overlap",
						 result->scenarios[i].name);
	return 0;
}

/* The session that accepting a side's runs would add. */
static void to_session(const struct result *result, const struct scenario_result *scenario, const struct side_result *side,
		       struct baseline_session *out)
{
	*out = (struct baseline_session){
		.date = xstrdup(result->date),
		.commit = xstrdup(result->commit),
		.pawl = xstrdup(result->pawl),
		.perf = xstrdup(result->machine.perf_version),
		.kernel = xstrdup(result->machine.kernel),
		.executable = xstrdup(side->executable),
		.measurement = xstrdup(scenario->measurement),
	};
	strv_copy(&out->notes, &result->machine.notes);
	for (size_t c = 0; c < side->n_metrics; c++)
		for (size_t i = 0; i < side->n_runs; i++)
			series_add(&out->series, side->metrics[c], side->runs[i].values[c]);
}

void results_to_baseline(const struct result *result, const struct scenario_result *scenario,
			 const struct side_result *side, struct baseline *out)
{
	struct baseline_session session;

	*out = (struct baseline){ .scenario = xstrdup(scenario->name) };
	machine_copy(&out->machine, &result->machine);
	settings_copy(&out->settings, &scenario->settings);
	to_session(result, scenario, side, &session);
	baseline_add_session(out, &session);
	out->profile = profile_view(&side->profile);
}
