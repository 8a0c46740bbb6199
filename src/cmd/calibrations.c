#include "cmd/calibrations.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/files.h"

static int parse(struct project *project, const struct strbuf *text, struct error *err)
{
	if (calibration_parse(text->buf, text->len, project->config.calibration, &project->calibration, &project->diags) == 0)
		return 0;
	return error_set(err, ERR_INPUT, "%zu fault%s in %s; nothing was measured", project->diags.n,
			 project->diags.n == 1 ? "" : "s", project->config.calibration);
}

static int missing(const struct project *project, const struct invocation *inv, struct error *err)
{
	if (inv->command->calibrates)
		return 0;
	return error_set(err, ERR_INPUT, "pawl.yaml: calibration: there is no file %s; `pawl calibrate --write` makes it",
			 project->config.calibration);
}

/* Where what judges has none, none counts: one that is here could be the change's own. */
int calibrations_read(struct project *project, struct invocation *inv, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	int got;

	calibration_release(&project->calibration);
	if (!project->config.calibration)
		return 0;
	got = file_source_read(&project->files, project->config.calibration, CALIBRATION_LARGEST, &text, err);
	if (got < 0)
		return -1;
	if (got)
		return parse(project, &text, err);
	return project->by.ref ? 0 : missing(project, inv, err);
}

void calibrations_apply(struct project *project, const struct machine *machine)
{
	CLEANUP(free_ptr) char *class = machine_class(machine);

	for (size_t i = 0; i < project->n_scenarios; i++)
		calibration_apply(&project->calibration, class, &project->scenarios[i]);
}

void calibrations_note(const struct project *project, struct result *result)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];

		for (size_t k = 0; k < s->n_gates; k++) {
			const struct gate *gate = &s->gates[k].gate;

			if (gate_judgement(&s->gates[k])->pairs && gate->by_default && gate->calibrated_pct > 0)
				strv_pushf(&s->notes, "%s: tolerance %g %% as calibrated (%s)", gate->metric->name,
					   gate->calibrated_pct, project->config.calibration);
		}
	}
}

/* What is there already; OUT is for calibration_release(). */
static int read_old(const char *root, const char *file, const char *path, struct calibration *out, struct error *err)
{
	CLEANUP(diags_release) struct diags diags = DIAGS_INIT;
	CLEANUP(strbuf_release) struct strbuf old = STRBUF_INIT;

	if (file_refuse_links(root, file, err) < 0)
		return -1;
	if (file_exists(file) && file_read(file, CALIBRATION_LARGEST, &old, err) < 0)
		return -1;
	if (old.len && calibration_parse(old.buf, old.len, path, out, &diags) < 0)
		return error_set(err, ERR_INPUT, "%s is faulty (line %u: %s); mend or remove it, then write again", path,
				 diags.items[0].line, diags.items[0].message);
	return 0;
}

int calibrations_check(const struct project *project, const char *path, struct error *err)
{
	CLEANUP(calibration_release) struct calibration old = { 0 };
	CLEANUP(free_ptr) char *file = file_join(project->root, path);

	return read_old(project->root, file, path, &old, err);
}

int calibrations_write(const struct project *project, const char *path, const struct calibration *entries,
		       struct error *err)
{
	CLEANUP(calibration_release) struct calibration all = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *file = file_join(project->root, path);

	if (read_old(project->root, file, path, &all, err) < 0)
		return -1;
	for (size_t i = 0; i < entries->n; i++)
		calibration_put(&all, &entries->entries[i]);
	if (all.n > CALIBRATION_ENTRIES_MAX)
		return error_set(err, ERR_INPUT, "%s would have %zu entries, and %d is the most; remove old machines", path, all.n,
				 CALIBRATION_ENTRIES_MAX);
	calibration_print(&all, &text);
	return file_write(file, text.buf, text.len, err);
}
