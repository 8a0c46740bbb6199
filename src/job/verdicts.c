#include "job/verdicts.h"

#include <math.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "job/project/console.h"
#include "job/project/pictures.h"
#include "job/project/project.h"
#include "job/project/request.h"
#include "judge/gate.h"
#include "judge/judge.h"
#include "measure/files/files.h"
#include "measure/git/file_source.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/profile.h"
#include "model/result.h"
#include "store/store.h"

/* -------- stored results */

char *verdicts_folder(const char *path)
{
	return file_is_dir(path) ? xstrdup(path) : path_parent(path);
}

/* The folder may have been moved or downloaded since it was written. */
static void find_folder(const char *path, struct result *result)
{
	CLEANUP(free_ptr) char *folder = verdicts_folder(path);
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

/* Suggests a result below PATH: each downloaded artifact has a folder of its own. */
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

int verdicts_read(const char *path, struct result *out, struct error *err)
{
	CLEANUP(free_ptr) char *file = NULL;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (read_text(path, &file, &text, err) < 0 || result_parse(text.buf, text.len, file, out, err) < 0)
		return -1;
	if (verdicts_check_duplicates(out, err) == 0) {
		find_folder(path, out);
		return 0;
	}
	result_release(out);
	return error_wrap(err, "%s", file);
}

int verdicts_check_duplicates(const struct result *result, struct error *err)
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

struct baseline_session *verdicts_add_session(const struct result *result, const struct scenario_result *scenario,
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
	arena_push_all(arena, &session->busy, &result->busy);
	for (size_t c = 0; c < side->n_metrics; c++)
		for (size_t i = 0; i < side->n_runs; i++)
			baseline_add_value(to, session, side->metrics[c], side->runs[i].values[c]);
	return session;
}

void verdicts_to_baseline(const struct result *result, const struct scenario_result *scenario,
			 const struct side_result *side, struct baseline *out)
{
	*out = (struct baseline){ .scenario = scenario->name, .settings = scenario->settings, .machine = result->machine };
	out->machine.arena = (struct arena)ARENA_INIT;
	verdicts_add_session(result, scenario, side, out);
	out->profile = profile_view(&side->profile);
}

/* -------- judging by baselines */

static void label(struct scenario_result *s, const struct baseline *base, const char *path)
{
	const struct baseline_session *last = baseline_last(base);
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
	if (!s->paired)
		judge_scenario(s, &result->machine, got ? &accepted->baseline : NULL);
	else if (!got || !judge_beside_pairs(s, &result->machine, &accepted->baseline))
		return 0;
	if (s->head.state == SCENARIO_FAILED && strv_has(&project->gone, s->name) && verdicts_excuses(s))
		judge_excuse(s, verdicts_gone, false);
	if (!got)
		return 0;
	label(s, &accepted->baseline, accepted->path);
	for (size_t i = 0; i < accepted->baseline.gone.n; i++) {
		const char *name = accepted->baseline.gone.items[i];
		const char *note = arena_printf(&s->head.arena, "%s holds %s, which is no longer measured; its values are ignored. Gate on %s instead; "
						"the next pawl baseline update drops them", accepted->path, name, metric_gone(name));

		arena_push_new(&s->head.arena, &s->head.notes, note);
	}
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

/* -------- a change's own baselines */

/* Reads the change's own baseline. Returns 1, 0 if it brings none, -1 if it cannot be read. */
static int read_brought(struct project *project, const char *scenario, const struct machine *machine,
			struct baseline *out, char **path_out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, before = STRBUF_INIT;
	CLEANUP(free_ptr) char *class = machine_class(machine), *full = NULL;
	CLEANUP(free_ptr) char *path = text_printf("%s/%s/%s.json", project->config.baselines, scenario, class);
	int there;

	if (!project->by.ref || project->by.own)
		return 0;
	full = file_join(project->tree.dir, path);
	if (file_refuse_links(project->tree.dir, full, err) < 0)
		return -1;
	there = file_source_read(&project->tree, path, JSON_LARGEST, &text, err);
	if (there == 1 && file_source_read(&project->files, path, JSON_LARGEST, &before, err) < 0)
		return -1;
	if (there != 1 || (text.len == before.len && !memcmp(text.buf, before.buf, text.len)))
		return there < 0 ? -1 : 0;
	if (baseline_parse(text.buf, text.len, path, out, err) < 0)
		return -1;
	*path_out = take_ptr(&path);
	return 1;
}

/* Judges the runs of RESULT's scenario I by BASE alone. Returns a scenario of OUT, for result_release(), or NULL. */
static struct scenario_result *judge_again(const struct result *result, size_t i, const struct baseline *base,
					  struct result *out, struct error *err)
{
	CLEANUP(free_ptr) char *text = result_format(result);

	if (result_parse(text, strlen(text), "result.json", out, err) < 0)
		return NULL;
	scenario_result_unpair(&out->scenarios[i]);
	judge_scenario(&out->scenarios[i], &result->machine, base);
	return &out->scenarios[i];
}

/* True if BASE passes GATE. An improvement does not match: BASE would let the next change get that much worse. */
static bool is_accepted(const struct scenario_result *rejudged, const struct gate_result *gate)
{
	for (size_t i = 0; i < rejudged->n_gates; i++)
		if (!strcmp(gate_name(&rejudged->gates[i]), gate_name(gate)))
			return rejudged->gates[i].stored.verdict == VERDICT_PASS;
	return false;
}

static void accept_one(struct result *result, size_t at, struct project *project)
{
	struct scenario_result *s = &result->scenarios[at];
	CLEANUP(baseline_release) struct baseline base = { 0 };
	CLEANUP(result_release) struct result copy = { 0 };
	CLEANUP(free_ptr) char *path = NULL;
	const struct scenario_result *rejudged = NULL;
	struct error why = ERROR_INIT;
	int got = read_brought(project, s->name, &result->machine, &base, &path, &why);

	if (got == 1 && (strcmp(base.scenario, s->name) || !judge_same_class(&result->machine, &base)))
		got = error_set(&why, ERR_INPUT, "%s is not of this scenario and machine class", path);
	if (got == 1)
		rejudged = judge_again(result, at, &base, &copy, &why);
	if (got && !rejudged) {
		NOTE(&s->head, "this change's own baseline does not count: %s", why.msg);
		return;
	}
	for (size_t i = 0; rejudged && i < s->n_gates; i++) {
		struct gate_result *gate = &s->gates[i];
		struct judgement *j = gate_judgement(gate) == &gate->paired ? &gate->paired : &gate->stored;

		if (j->verdict != VERDICT_REGRESSION || !is_accepted(rejudged, gate))
			continue;
		if (project->request->accept) {
			j->verdict = VERDICT_ACCEPTED;
			judge_reason(s, j, "accepted by this change's own baseline, %s", path);
		} else {
			NOTE(&s->head, "%s: this change's own baseline, %s, accepts it, but counts only with --accept, which is for a "
			     "maintainer to give", gate_name(gate), path);
		}
	}
}

void verdicts_accept(struct result *result, struct project *project)
{
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (scenario_result_regressed(&result->scenarios[i]))
			accept_one(result, i, project);
	result_settle(result);
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
	/* Standard output may be JSON for a script. GitHub reads both. */
	if (fwrite(text.buf, 1, text.len, stderr) != text.len)
		return error_set(err, ERR_SYSTEM, "cannot write annotations");
	return 0;
}

/* True if FOLDER of a run is the one that the link beside it leads to. */
static bool is_latest(const char *folder)
{
	CLEANUP(free_ptr) char *parent = folder ? path_parent(folder) : NULL, *link = parent ? file_join(parent, "latest") : NULL;
	struct stat own, latest;

	return link && stat(folder, &own) == 0 && stat(link, &latest) == 0 && own.st_ino == latest.st_ino && own.st_dev == latest.st_dev;
}

int verdicts_print(struct result *result, const struct request *request, report_fn *render, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct request *o = request;
	bool to_file = console_is_file(o->output);
	struct report_options options = {
		.color = request->color_out && !to_file, .verbose = o->verbose > 0, .width = terminal_width(),
		.whole = to_file || !isatty(STDOUT_FILENO),
	};
	struct report_pictures *pictures = NULL;

	/* Other formats may be read when there are newer runs. */
	result->latest = render == report_text && is_latest(result->out_dir);
	if (render == report_html)
		options.pictures = pictures = pictures_read(result);
	render(result, &options, &text);
	pictures_free(result, pictures);
	if (to_file)
		return file_write(o->output, text.buf, text.len, err);
	return console_print(&text, err) < 0 ? -1 : print_annotations(result, err);
}
