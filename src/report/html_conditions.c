#include "base/cleanup.h"
#include "report/commands.h"
#include "report/headline.h"
#include "report/html_parts.h"

static void add_machine(struct strbuf *out, const struct machine *machine)
{
	CLEANUP(free_ptr) char *class = machine_class(machine);

	html_code_term(out, "machine class", class);
	html_term(out, "CPU", machine->cpu);
	strbuf_addf(out, "<dt>CPUs</dt><dd>%u</dd>\n", machine->cpus);
	html_term(out, "counter tier", tier_name(machine->tier));
	html_term(out, "why no better tier", machine->tier_reason);
	html_term(out, "remedy", machine->tier_remedy);
	html_term(out, "hypervisor", machine->hypervisor);
	html_term(out, "kernel", machine->kernel);
	html_term(out, "system", machine->os);
	html_term(out, "perf", machine->perf_version);
	html_code_term(out, "perf is", machine->perf_path);
}

void html_conditions(struct strbuf *out, const struct result *result)
{
	CLEANUP(strbuf_release) struct strbuf again = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf status = STRBUF_INIT;

	command_again(&again, result, NULL);
	headline_add_status(&status, result);
	strbuf_adds(out, "<section class=\"card\" aria-labelledby=\"conditions\">\n"
			 "<h2 id=\"conditions\">Machine and run</h2>\n<dl class=\"facts\">\n");
	add_machine(out, &result->machine);
	html_term(out, "pawl", result->pawl);
	html_term(out, "commit", result->commit);
	html_term(out, "date", result->date);
	html_code_term(out, "command", result->command);
	html_code_term(out, "results", result->out_dir);
	html_term(out, "exit status", status.buf);
	strbuf_adds(out, "</dl>\n<h3>Measure all of it again</h3>\n<p>");
	html_command(out, again.buf);
	strbuf_adds(out, "</p>\n</section>\n");
}
