#include "base/cleanup.h"
#include "base/escape.h"
#include "base/utf8.h"
#include "report/format.h"
#include "report/headline.h"
#include "report/judged_words.h"
#include "report/pairs.h"
#include "report/report.h"
#include "report/table.h"
#include "report/text_scenario.h"

/* The first line is one line however long it is: whoever greps or reads only that sees it all. */
static void add_headline(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(headline_release) struct headline headline;

	headline_build(result, &headline);
	for (size_t i = 0; i < headline.n; i++) {
		const struct headline_part *part = &headline.items[i];

		strbuf_adds(out, i ? "; " : "");
		text_add_styled(out, part->word, text_style(options, part->tone));
		strbuf_adds(out, ": ");
		escape_terminal(out, part->text);
		if (!part->command)
			continue;
		strbuf_adds(out, ": ");
		escape_terminal(out, part->command);
	}
	strbuf_addc(out, '\n');
}

static void add_notes(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(strv_release) struct strv judged = STRV_INIT;

	judged_lines(&judged, &result->judged_by);
	for (size_t i = 0; i < judged.n; i++)
		text_add_labelled(out, "judge", judged.items[i], options);
	for (size_t i = 0; i < result->notes.n; i++)
		text_add_labelled(out, "note", result->notes.items[i], options);
	for (size_t i = 0; i < result->machine.notes.n; i++)
		text_add_labelled(out, "noise", result->machine.notes.items[i], options);
}

/* A scenario that has nothing to explain fits a line. */
static bool is_brief(const struct result *result, const struct scenario_result *scenario,
		     const struct report_options *options)
{
	/* Who compares two programs wants their numbers, whatever the verdict. */
	if (result->n_scenarios == 1 && pairs_only(scenario))
		return false;
	return standing_of(scenario) == STANDING_PASS && !options->verbose && !pairs_screened(scenario);
}

static void add_blocks(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(free_ptr) size_t *order = standing_order(result);

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *scenario = &result->scenarios[order[i]];

		if (is_brief(result, scenario, options))
			continue;
		strbuf_addc(out, '\n');
		text_scenario(result, scenario, options, out);
	}
}

/* "task-clock +0.4 %, page-faults 0 %", as many as fit. */
static void add_findings(const struct scenario_result *scenario, size_t room, struct strbuf *out)
{
	for (size_t i = 0; i < scenario->n_gates; i++) {
		CLEANUP(strbuf_release) struct strbuf finding = STRBUF_INIT;
		CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;

		if (gate_result_quiet(&scenario->gates[i]))
			continue;
		if (scenario->gates[i].pairs)
			format_words(&finding, scenario, &scenario->gates[i]);
		else
			format_finding(&finding, scenario, &scenario->gates[i]);
		escape_terminal(&shown, finding.buf);
		if (i && utf8_width(out->buf) + utf8_width(shown.buf) + 2 > room) {
			strbuf_addf(out, " and %zu more", scenario->n_gates - i);
			return;
		}
		strbuf_addf(out, "%s%s", i ? ", " : "", shown.buf);
	}
}

static void add_brief_row(const struct scenario_result *scenario, const struct report_options *options,
			  struct table *table)
{
	const struct gate_result *gate = standing_gate(scenario, STANDING_PASS);
	const char *word = gate ? format_verdict(gate) : standing_word(STANDING_PASS);
	size_t width = options->width ? options->width : TEXT_WIDTH, used = 24 + sizeof " and 99 more";
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf findings = STRBUF_INIT;

	escape_terminal(&name, scenario->name);
	add_findings(scenario, width > used ? width - used : 0, &findings);
	table_add(table, word, text_style(options, TONE_GOOD));
	table_add(table, name.buf, NULL);
	table_add(table, findings.buf, NULL);
}

static void add_briefs(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(table_release) struct table table;

	table_init(&table, "lll");
	for (size_t i = 0; i < result->n_scenarios; i++)
		if (is_brief(result, &result->scenarios[i], options))
			add_brief_row(&result->scenarios[i], options, &table);
	if (table.n)
		strbuf_addc(out, '\n');
	table_render(&table, 0, out);
}

/* "sw, no hardware counters: ...; to mend it: ..." */
static void add_tier(const struct machine *machine, bool remedy, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, tier_name(machine->tier));
	if (machine->tier_reason)
		strbuf_addf(&text, ": %s", machine->tier_reason);
	if (machine->tier_remedy && remedy)
		strbuf_addf(&text, "; remedy: %s", machine->tier_remedy);
	text_add_labelled(out, "tier", text.buf, options);
}

/* Two commands that are compared have no file, and none of their gates needs a counter. */
static bool is_of_commands(const struct result *result)
{
	return result->n_scenarios == 1 && pairs_only(&result->scenarios[0]) && !result->scenarios[0].path;
}

static void add_machine(const struct machine *machine, bool remedy, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(free_ptr) char *class = machine_class(machine);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_addc(out, '\n');
	text_add_labelled(out, "machine", class, options);
	strbuf_addf(&text, "%s, %u %s", machine->cpu ? machine->cpu : "unknown CPU", machine->cpus,
		    machine->cpus == 1 ? "CPU" : "CPUs");
	if (machine->hypervisor)
		strbuf_addf(&text, ", hypervisor %s", machine->hypervisor);
	if (machine->kernel)
		strbuf_addf(&text, ", kernel %s", machine->kernel);
	if (machine->perf_version)
		strbuf_addf(&text, ", perf %s", machine->perf_version);
	if (machine->perf_version && machine->perf_path)
		strbuf_addf(&text, " (%s)", machine->perf_path);
	text_add_labelled(out, "", text.buf, options);
	add_tier(machine, remedy, options, out);
}

static void add_run(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(strbuf_release) struct strbuf status = STRBUF_INIT;

	strbuf_addf(&text, "%s comparison, ", result->mode ? result->mode : "no");
	format_elapsed(&text, result->elapsed_s);
	if (result->date)
		strbuf_addf(&text, ", %s", result->date);
	if (result->commit)
		strbuf_addf(&text, ", commit %s", result->commit);
	if (result->pawl)
		strbuf_addf(&text, ", pawl %s", result->pawl);
	text_add_labelled(out, "run", text.buf, options);
	text_add_command(out, "command", result->command);
	text_add_labelled(out, "results", result->out_dir, options);
	headline_add_status(&status, result);
	text_add_labelled(out, "status", status.buf, options);
}

void report_text(const struct result *result, const struct report_options *options, struct strbuf *out)
{
	add_headline(result, options, out);
	add_notes(result, options, out);
	add_blocks(result, options, out);
	add_briefs(result, options, out);
	add_machine(&result->machine, !is_of_commands(result), options, out);
	add_run(result, options, out);
}
