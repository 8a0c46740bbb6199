#include "cmd/shared/shared.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "judge/judge.h"
#include "measure/process/process.h"
#include "report/report.h"

static void label(struct scenario_result *s, const struct baseline *base, const char *path)
{
	const struct baseline_session *last = &base->sessions[base->n_sessions - 1];
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%.10s", last->date ?: "?");
	if (last->commit)
		strbuf_addf(&text, ", commit %s", last->commit);
	strbuf_addf(&text, ", %zu session%s", base->n_sessions, base->n_sessions == 1 ? "" : "s");
	scenario_result_set_baseline(s, path, text.buf, machine_class(&base->machine));
}

const char verdicts_gone[] = "the change removes this scenario, and it cannot be run any more";

bool verdicts_excuses(const struct scenario_result *s)
{
	return !s->head.n_runs && !scenario_result_pairs(s) && !s->head.timed_out_ms && !strstr(s->head.failure, "did not end within");
}

static int judge_one(struct scenario_result *s, struct result *result, struct project *project, struct error *err)
{
	struct project_baseline *accepted;
	int got = project_baseline(project, s->name, &result->machine, &accepted, err);

	if (got < 0)
		return -1;
	scenario_result_set_baseline(s, NULL, NULL, NULL);
	judge_scenario(s, &result->machine, got ? &accepted->baseline : NULL);
	if (s->head.state == SCENARIO_FAILED && strv_has(&project->gone, s->name) && verdicts_excuses(s))
		judge_excuse(s, verdicts_gone, false);
	if (got)
		label(s, &accepted->baseline, accepted->path);
	return 0;
}

int verdicts_stored(struct result *result, struct project *project, struct error *err)
{
	int ret = 0;

	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct error why = ERROR_INIT;

		if (judge_one(&result->scenarios[i], result, project, &why) == 0 || ret < 0)
			continue;
		*err = why;
		ret = -1;
	}
	judge_together(result);
	result_settle(result);
	return ret;
}

static unsigned terminal_width(void)
{
	struct winsize size;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static int print_annotations(const struct result *result, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *github = getenv("GITHUB_ACTIONS");

	if (!github || strcmp(github, "true"))
		return 0;
	report_annotations(result, &text);
	/* Standard error: standard output may be JSON for a script. GitHub reads both. */
	if (fwrite(text.buf, 1, text.len, stderr) != text.len)
		return error_set(err, ERR_SYSTEM, "cannot write annotations");
	return 0;
}

int verdicts_print(const struct result *result, const struct invocation *inv, const char *format, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct options *o = &inv->options;
	bool to_file = o->output && strcmp(o->output, "-");
	struct report_options options = {
		.color = inv->color_out && !to_file, .verbose = o->verbose > 0, .width = terminal_width(),
	};
	struct report_pictures *pictures = NULL;

	if (format && !strcmp(format, "html"))
		options.pictures = pictures = pictures_read(result);
	report_format_find(format ?: "text")->render(result, &options, &text);
	pictures_free(result, pictures);
	if (to_file)
		return file_write(o->output, text.buf, text.len, err);
	return cmd_print(&text, err) < 0 ? -1 : print_annotations(result, err);
}
