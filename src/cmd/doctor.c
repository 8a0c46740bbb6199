/* pawl doctor: can this machine measure, and if not, the command that mends it. */
#include "cmd/doctor.h"

#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "measure/doctor.h"
#include "model/gate.h"
#include "store/store.h"

/* -------- what was found, for people and for scripts */

enum { DOCTOR_SCHEMA = 1 };

static const struct {
	const char *name, *color;
} levels[] = {
	[FINDING_OK] = { "ok", "\x1b[32m" },
	[FINDING_WARNING] = { "warning", "\x1b[33m" },
	[FINDING_PROBLEM] = { "problem", "\x1b[1;31m" },
};

enum { N_LEVELS = sizeof levels / sizeof levels[0] };

int findings_status(const struct findings *findings)
{
	return findings_worst(findings) == FINDING_PROBLEM ? STATUS_NOT_MEASURED : STATUS_OK;
}

static void add_finding(const struct finding *finding, bool color, struct strbuf *out)
{
	strbuf_addf(out, "%s%-7s%s  %-10s  ", color ? levels[finding->level].color : "", levels[finding->level].name,
		    color ? "\x1b[0m" : "", finding->check);
	escape_terminal(out, finding->what);
	strbuf_addc(out, '\n');
	if (!finding->remedy)
		return;
	strbuf_addf(out, "%21s-> ", "");
	escape_terminal(out, finding->remedy);
	strbuf_addc(out, '\n');
}

static void add_summary(const struct findings *findings, struct strbuf *out)
{
	size_t counts[N_LEVELS] = { 0 };

	for (size_t i = 0; i < findings->n; i++)
		counts[findings->items[i].level]++;
	strbuf_addc(out, '\n');
	if (counts[FINDING_PROBLEM])
		strbuf_addf(out, "This machine cannot measure: %zu problem%s, ", counts[FINDING_PROBLEM],
			    counts[FINDING_PROBLEM] == 1 ? "" : "s");
	else
		strbuf_adds(out, "This machine can measure: ");
	strbuf_addf(out, "%zu warning%s.\n", counts[FINDING_WARNING], counts[FINDING_WARNING] == 1 ? "" : "s");
}

void findings_render_text(const struct findings *findings, bool color, struct strbuf *out)
{
	for (size_t i = 0; i < findings->n; i++)
		add_finding(&findings->items[i], color, out);
	add_summary(findings, out);
}

char *findings_render_json(const struct findings *findings, const struct machine *machine)
{
	cJSON *root = json_new_object();
	cJSON *list;

	json_add_number(root, "schema", DOCTOR_SCHEMA);
	json_add_number(root, "status", findings_status(findings));
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
	return json_print(root);
}

/* -------- the command */

static int doctor(struct invocation *inv, struct error *err)
{
	CLEANUP(findings_release) struct findings findings = { 0 };
	CLEANUP(machine_release) struct machine machine = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *json = NULL;

	if (doctor_examine(&inv->keeper, inv->options.out ?: ".", &machine, &findings, err) < 0)
		return -1;
	if (inv->options.json) {
		json = findings_render_json(&findings, &machine);
		strbuf_adds(&text, json);
	} else {
		findings_render_text(&findings, inv->color_out, &text);
	}
	return cmd_print(&text, err) < 0 ? -1 : findings_status(&findings);
}

const struct command_def cmd_doctor = {
	.name = "doctor",
	.args = "",
	.summary = "check this machine and suggest fixes",
	.options = OPT_JSON | OPT_OUT,
	.starts_processes = true,
	.run = doctor,
};
