/* pawl compare: judges two stored results. Measures nothing. */
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/verdicts.h"
#include "judge/judge.h"
#include "model/baseline.h"
#include "model/gate.h"
#include "model/machine.h"
#include "model/result.h"

/* Pairs and their limits belong to another comparison. Only the heads' runs are compared. */
static void forget_pairs(struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++) {
		struct gate_result *g = &s->gates[i];

		if (g->gate.by_default && g->paired.done && !g->stored.done)
			g->gate.tolerance_pct = g->gate.metric->stored_tolerance_pct;
	}
	scenario_result_unpair(s);
}

/* Notes that verdicts on results in pairs are weaker, since nothing else shows it. */
static void note_pairs(struct result *head, const struct result *base)
{
	if (head->mode == MODE_STORED && base->mode == MODE_STORED)
		return;
	NOTE(head, "results in pairs are compared by their heads' runs, as stored ones are: times that were not "
	     "measured next to each other cannot decide small changes; pawl run --base measures both again");
	head->mode = MODE_STORED;
}

static void forget_own(struct result *head, const struct invocation *inv)
{
	struct arena *arena = &head->arena;

	judged_by_release(&head->judged_by);
	head->notes = head->options = head->command = (struct strv)STRV_INIT;
	head->out_dir = NULL;
	arena_push(arena, &head->command, "pawl");
	arena_push(arena, &head->command, "compare");
	if (inv->request.strict)
		arena_push(arena, &head->command, "--strict");
	arena_push_all(arena, &head->command, &inv->args);
	for (size_t i = 0; i < head->n_scenarios; i++) {
		struct scenario_result *s = &head->scenarios[i];

		s->n_causes = 0;
		s->evidence = (struct strv)STRV_INIT;
	}
}

static void compare_scenario(struct scenario_result *s, const struct result *head, const struct result *base,
			     const char *base_path)
{
	const struct scenario_result *before = result_scenario(base, s->name);
	struct baseline baseline;
	CLEANUP(strbuf_release) struct strbuf label = STRBUF_INIT;

	/* HEAD's picture compares with another base. */
	s->difference = false;
	forget_pairs(s);
	if (!before || !before->head.n_runs) {
		scenario_result_set_baseline(s, NULL, NULL, NULL);
		judge_scenario(s, &head->machine, NULL);
		return;
	}
	s->base_folder = arena_strdup(&s->arena, before->folder);
	verdicts_to_baseline(base, before, &before->head, &baseline);
	judge_scenario(s, &head->machine, &baseline);
	strbuf_addf(&label, "%s, %.10s%s%s", base_path, base->date ?: "?", base->commit ? ", commit " : "", base->commit ?: "");
	scenario_result_set_baseline(s, base_path, label.buf, machine_class(&base->machine));
	baseline_release(&baseline);
}

/* They are not measured, and undecided with --strict. */
static void note_vanished(struct result *head, const struct result *base)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	for (size_t i = 0; i < base->n_scenarios; i++)
		if (!result_scenario(head, base->scenarios[i].name))
			strbuf_addf(&names, "%s%s", names.len ? ", " : "", base->scenarios[i].name);
	if (!names.len)
		return;
	NOTE(head, "only BASE has these scenarios, so they were not compared: %s", names.buf);
	if (head->strict)
		head->status = status_worse(head->status, STATUS_UNDECIDED);
}

static int compare(struct invocation *inv, struct error *err)
{
	CLEANUP(result_release) struct result base = { 0 }, head = { 0 };

	if (inv->args.n != 2)
		return error_set(err, ERR_INPUT, "compare takes two results, BASE and HEAD");
	if (cmd_read_result(inv->args.items[0], &base, err) < 0 || cmd_read_result(inv->args.items[1], &head, err) < 0)
		return -1;
	head.strict = inv->request.strict;
	forget_own(&head, inv);
	for (size_t i = 0; i < head.n_scenarios; i++)
		compare_scenario(&head.scenarios[i], &head, &base, inv->args.items[0]);
	note_pairs(&head, &base);
	judge_together(&head);
	result_settle(&head);
	note_vanished(&head, &base);
	return cmd_print_result(inv, &head, err) < 0 ? -1 : head.status;
}

const struct command_def cmd_compare = {
	.name = "compare",
	.args = "BASE HEAD",
	.summary = "judge two stored results",
	.examples =
		"pawl compare before after\n"
		"pawl compare before/result.json after/result.json --strict\n"
		"pawl compare before after --format markdown -o report.md",
	.details =
		"BASE and HEAD are result.json files or the folders that hold them. HEAD's gates judge.",
	.options = OPT_FORMAT | OPT_OUTPUT | OPT_STRICT | OPT_JSON,
	.run = compare,
};
