/* pawl compare: judge two stored results; measures nothing. */
#include "base/mem.h"
#include "cmd/cmd.h"
#include "cmd/shared/shared.h"
#include "judge/judge.h"

/* The one like S, of another program by the name that the program gave it. */
static const struct scenario_result *find(const struct result *result, const struct scenario_result *s, enum foreign program)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *other = &result->scenarios[i];

		if (program == FOREIGN_PAWL ? !strcmp(other->name, s->name) : text_same(other->description, s->description))
			return other;
	}
	return NULL;
}

/*
 * What was measured in pairs is compared as any other two results are: the head's runs of one with the head's of the
 * other. Its pairs, and the tolerances of pairs, belong to another comparison.
 */
static void forget_pairs(struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++) {
		struct gate_result *g = &s->gates[i];

		if (g->gate.by_default && g->paired.done && !g->stored.done)
			g->gate.tolerance_pct = g->gate.metric->stored_tolerance_pct;
	}
	scenario_result_unpair(s);
}

/* Noted once, since nothing else shows that the verdicts are weaker ones. */
static void note_pairs(struct result *head, const struct result *base)
{
	if (head->mode == MODE_STORED && base->mode == MODE_STORED)
		return;
	NOTE(head, "results in pairs are compared by their heads' runs, as stored ones are: times that were not "
	     "measured next to each other cannot decide small changes; pawl ab measures both again");
	head->mode = MODE_STORED;
}

static void compare_scenario(struct scenario_result *s, const struct result *head, const struct result *base,
			     const char *base_path, enum foreign program)
{
	const struct scenario_result *before = find(base, s, program);
	struct baseline baseline;
	CLEANUP(strbuf_release) struct strbuf label = STRBUF_INIT;

	/* HEAD's picture is of another base. */
	s->difference = false;
	forget_pairs(s);
	if (!before || !before->head.n_runs) {
		scenario_result_set_baseline(s, NULL, NULL, NULL);
		judge_scenario(s, &head->machine, NULL);
		return;
	}
	s->base_folder = arena_strdup(&s->arena, before->folder);
	results_to_baseline(base, before, &before->head, &baseline);
	judge_scenario(s, &head->machine, &baseline);
	strbuf_adds(&label, base_path);
	if (program == FOREIGN_PAWL)
		strbuf_addf(&label, ", %.10s%s%s", base->date ?: "?", base->commit ? ", commit " : "", base->commit ?: "");
	scenario_result_set_baseline(s, base_path, label.buf, machine_class(&base->machine));
	baseline_release(&baseline);
}

/* A scenario that vanished is not measured: it must be said, and is undecided when strict. */
static void note_vanished(struct result *head, const struct result *base, enum foreign program)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < base->n_scenarios; i++)
		if (!find(head, &base->scenarios[i], program))
			strbuf_addf(&names, "%s%s", names.len ? ", " : "", base->scenarios[i].name);
	if (!names.len)
		return;
	NOTE(head, "only BASE has these scenarios, so they were not compared: %s", names.buf);
	if (head->strict)
		head->status = status_worse(head->status, STATUS_UNDECIDED);
}

static int check_programs(const struct strv *args, const enum foreign programs[2], struct error *err)
{
	if (programs[0] == programs[1])
		return 0;
	return error_set(err, ERR_INPUT, "%s is a file of %s, %s one of %s: only files of one program can be compared", args->items[0],
			 foreign_names[programs[0]], args->items[1], foreign_names[programs[1]]);
}

/* Who compares files of other programs must know what they do not tell. */
static void note_foreign(struct result *head, enum foreign program)
{
	if (program == FOREIGN_PAWL)
		return;
	NOTE(head, "%s does not write which machine it measured on: the runs are compared as stored ones of one machine, which shows "
	     "large changes only; pawl ab 'OLD' 'NEW' measures both again", foreign_names[program]);
}

static int compare(struct invocation *inv, struct error *err)
{
	struct result base = { 0 }, head = { 0 };
	enum foreign programs[2] = { FOREIGN_PAWL };
	int status = -1;

	if (inv->args.n != 2)
		return error_set(err, ERR_INPUT, "compare takes two results, BASE and HEAD");
	if (results_read_any(inv->args.items[0], &programs[0], &base, err) == 0 &&
	    results_read_any(inv->args.items[1], &programs[1], &head, err) == 0 && check_programs(&inv->args, programs, err) == 0) {
		head.strict = inv->options.strict;
		for (size_t i = 0; i < head.n_scenarios; i++)
			compare_scenario(&head.scenarios[i], &head, &base, inv->args.items[0], programs[1]);
		head.notes = (struct strv)STRV_INIT;
		note_pairs(&head, &base);
		judge_together(&head);
		result_settle(&head);
		note_vanished(&head, &base, programs[1]);
		note_foreign(&head, programs[1]);
		if (verdicts_print(&head, inv, inv->options.json ? "json" : inv->options.format, err) == 0)
			status = head.status;
	}
	result_release(&base);
	result_release(&head);
	return status;
}

const struct command_def cmd_compare = {
	.name = "compare",
	.args = "BASE HEAD",
	.summary = "judge two stored results",
	.details =
		"BASE and HEAD are result.json files or the folders that hold them. HEAD's gates judge.\n\n"
		"They may be files of another program, both of the same one: hyperfine's --export-json, judged\n"
		"by time, or Google Benchmark's --benchmark_format=json, judged by CPU time. Such files do not\n"
		"say on which machine they were made, so only large changes are seen: the tolerance is 25 %.",
	.options = OPT_FORMAT | OPT_OUTPUT | OPT_STRICT | OPT_JSON,
	.run = compare,
};
