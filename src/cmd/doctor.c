/* pawl doctor: checks whether this machine can measure, and names the command that fixes each problem. */
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/doctor.h"
#include "job/project/console.h"
#include "model/gate.h"
#include "store/store.h"

enum { DOCTOR_SCHEMA = 1 };

static const struct {
	const char *name, *color;
} levels[] = {
	[FINDING_OK] = { "ok", "\x1b[32m" },
	[FINDING_WARNING] = { "warning", "\x1b[33m" },
	[FINDING_PROBLEM] = { "problem", "\x1b[1;31m" },
};

enum { N_LEVELS = sizeof levels / sizeof levels[0] };

static void add_text(const struct findings *findings, const size_t *counts, bool color, struct strbuf *out)
{
	size_t problems = counts[FINDING_PROBLEM], warnings = counts[FINDING_WARNING];

	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *f = &findings->items[i];

		strbuf_addf(out, "%s%-7s%s  %-10s  ", color ? levels[f->level].color : "", levels[f->level].name,
			    color ? "\x1b[0m" : "", f->check);
		escape_terminal(out, f->what);
		if (f->remedy) {
			strbuf_addf(out, "\n%21s-> ", "");
			escape_terminal(out, f->remedy);
		}
		strbuf_addc(out, '\n');
	}
	if (problems)
		strbuf_addf(out, "\nThis machine cannot measure: %zu problem%s, ", problems, problems == 1 ? "" : "s");
	else
		strbuf_adds(out, "\nThis machine can measure: ");
	strbuf_addf(out, "%zu warning%s.\n", warnings, warnings == 1 ? "" : "s");
}

static void add_json(const struct findings *findings, const struct machine *machine, int status, struct strbuf *out)
{
	cJSON *root = json_new_object(), *list;

	json_add_number(root, "schema", DOCTOR_SCHEMA);
	json_add_number(root, "status", status);
	json_write(json_add_object(root, "machine"), &machine_fields, machine);
	list = json_add_array(root, "findings");
	for (size_t i = 0; i < findings->n; i++) {
		const struct finding *finding = &findings->items[i];
		cJSON *item = json_add_object(list, NULL);

		json_add_string(item, "check", finding->check);
		json_add_string(item, "level", levels[finding->level].name);
		json_add_string(item, "what", finding->what);
		json_add_string(item, "remedy", finding->remedy);
	}
	json_append(out, root);
}

int doctor_report(const struct findings *findings, const struct machine *machine, bool json, bool color,
		  struct strbuf *out)
{
	size_t counts[N_LEVELS] = { 0 };
	int status;

	for (size_t i = 0; i < findings->n; i++)
		counts[findings->items[i].level]++;
	status = counts[FINDING_PROBLEM] ? STATUS_NOT_MEASURED : STATUS_OK;
	if (json)
		add_json(findings, machine, status, out);
	else
		add_text(findings, counts, color, out);
	return status;
}

static int doctor(struct invocation *inv, struct error *err)
{
	CLEANUP(findings_release) struct findings findings = { 0 };
	CLEANUP(machine_release) struct machine machine = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	int status;

	if (doctor_examine(&inv->request.keeper, inv->request.out ?: ".", &machine, &findings, err) < 0)
		return -1;
	status = doctor_report(&findings, &machine, inv->request.json, inv->request.color_out, &text);
	return console_print(&text, err) < 0 ? -1 : status;
}

const struct command_def cmd_doctor = {
	.name = "doctor",
	.args = "",
	.summary = "check this machine and suggest fixes",
	.examples =
		"pawl doctor\n"
		"pawl doctor --json\n"
		"pawl doctor --out /srv/results    # can results be written there?",
	.options = OPT_JSON | OPT_OUT,
	.starts_processes = true,
	.first = true,
	.run = doctor,
};
