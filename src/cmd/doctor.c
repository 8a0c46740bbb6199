/* pawl doctor: can this machine measure, and if not, the command that mends it. */
#include "base/cleanup.h"
#include "cmd/cmd.h"
#include "cmd/doctor_render.h"
#include "measure/doctor.h"

static int render(const struct invocation *inv, const struct findings *findings, const struct machine *machine,
		  struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *json = NULL;

	if (inv->options.json) {
		json = findings_render_json(findings, machine);
		strbuf_adds(&text, json);
	} else {
		findings_render_text(findings, inv->color_out, &text);
	}
	return cmd_print(&text, err);
}

static int doctor(struct invocation *inv, struct error *err)
{
	CLEANUP(findings_release) struct findings findings = { 0 };
	CLEANUP(machine_release) struct machine machine = { 0 };

	if (doctor_examine(&inv->keeper, inv->options.out ?: ".", &machine, &findings, err) < 0 ||
	    render(inv, &findings, &machine, err) < 0)
		return -1;
	return findings_status(&findings);
}

const struct command_def cmd_doctor = {
	.name = "doctor",
	.args = "",
	.summary = "can this machine measure, and what mends it",
	.options = OPT_JSON | OPT_OUT,
	.starts_processes = true,
	.run = doctor,
};
