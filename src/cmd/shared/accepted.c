#include "cmd/shared/shared.h"

#include <errno.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/process/process.h"
#include "profile/flame.h"
#include "profile/stacks.h"

enum { STACKS_FILE_LARGEST = 256 << 20, PRUNED_FILE_LARGEST = 8 << 20 };

/* "x.json" to "x.folded", for free(). */
static char *folded_beside(const char *json_path)
{
	return text_printf("%.*s.folded", (int)(strlen(json_path) - strlen(".json")), json_path);
}

static int read_stacks(const struct strbuf *text, struct stacks *out, struct error *err)
{
	if (folded_read(text->buf, text->len, out, err) < 0)
		return -1;
	names_resolve(out);
	return 0;
}

int accepted_stacks_write(const char *out_dir, const char *scenario, const char *json_path, struct error *err)
{
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT, pruned = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = folded_beside(json_path), *dir = out_dir ? file_join(out_dir, scenario) : NULL;
	CLEANUP(free_ptr) char *from = dir ? file_join(dir, "stacks.folded") : NULL;

	if (!from || !file_exists(from)) {
		if (unlink(path) < 0 && errno != ENOENT)
			return error_sys(err, errno, "cannot remove %s, which belongs to an older profile", path);
		return 0;
	}
	if (file_read(from, STACKS_FILE_LARGEST, &text, err) < 0)
		return -1;
	if (read_stacks(&text, &stacks, err) < 0)
		return error_wrap(err, "%s", from);
	flame_tree_prune(&stacks, PRUNED_LEAST_PCT, &pruned);
	strbuf_reset(&text);
	if (folded_write(&pruned, FOLDED_AS_GIVEN, &text, err) < 0)
		return -1;
	return file_write(path, text.buf, text.len, err);
}

/* -------- differences */

/* What brings each side's weight to milliseconds per run, or per unit of work; false where that is unknown. */
static bool find_costs(const struct scenario_result *s, struct flame_options *options)
{
	const struct judgement *clock = NULL;

	for (size_t i = 0; i < s->n_gates; i++)
		if (!strcmp(s->gates[i].gate.metric->name, "task-clock"))
			clock = gate_judgement(&s->gates[i]);
	/* Shares are what is left to compare where it is not known whether it costs more: then the root is grey. */
	if (!clock || clock->verdict == VERDICT_INCONCLUSIVE || !(clock->baseline > 0) || !(clock->current > 0) || !scenario_result_cost_changed(s))
		return false;
	options->side[FLAME_BASE].factor = clock->baseline;
	options->side[FLAME_HEAD].factor = clock->current;
	return true;
}

/* A picture of what nobody calls a change must not look like one. */
static bool has_changed(const struct scenario_result *s)
{
	for (size_t i = 0; i < s->n_gates; i++) {
		enum verdict verdict = gate_judgement(&s->gates[i])->verdict;

		if (verdict == VERDICT_REGRESSION || verdict == VERDICT_IMPROVEMENT)
			return true;
	}
	return false;
}

static double whole(const struct stacks *stacks)
{
	return stacks->n_events ? stacks->events[0].weight : 0;
}

static int leave_difference(const char *out_dir, struct scenario_result *s, const char *base_label,
			    const char *head_label,
			    const struct stacks *base, const struct stacks *head, struct error *err)
{
	struct flame_options options = {
		.title = s->name, .grey = !has_changed(s), .side = { { .label = head_label }, { .label = base_label } },
	};
	CLEANUP(strbuf_release) struct strbuf svg = STRBUF_INIT;
	CLEANUP(free_ptr) char *picture = text_printf("%s/%s/diff.svg", out_dir, s->name);

	if (find_costs(s, &options) && whole(base) > 0 && whole(head) > 0) {
		options.scale = FLAME_ABSOLUTE;
		options.side[FLAME_BASE].factor /= whole(base);
		options.side[FLAME_HEAD].factor /= whole(head);
		options.subtitle = "what a run costs, in milliseconds of task-clock";
		options.count_name = "ms";
	}
	flame_svg(head, base, &options, &svg);
	if (file_write(picture, svg.buf, svg.len, err) < 0)
		return -1;
	s->difference = true;
	return 0;
}

/* What could not be decided, or compared, has no picture that says it is so. */
static bool is_open(const struct scenario_result *s)
{
	bool open = false;

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct gate_result *g = &s->gates[i];
		enum verdict verdict = gate_judgement(g)->verdict;
		bool of_profile = g->gate.metric->kind == KIND_TIME || g->gate.kind != GATE_METRIC;

		open |= of_profile && g->gate.relative && !gate_result_quiet(g) &&
			(verdict == VERDICT_INCONCLUSIVE || verdict == VERDICT_NOT_MEASURED);
		if (verdict == VERDICT_REGRESSION && g->gate.kind != GATE_METRIC)
			return false;
	}
	return open && !scenario_result_cost_changed(s);
}

static int compare(const struct result *result, struct scenario_result *s, const struct stacks *head,
		   struct project *project, struct error *err)
{
	CLEANUP(stacks_release) struct stacks base = STACKS_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(free_ptr) char *path = folded_beside(s->baseline_path);
	CLEANUP(free_ptr) char *now = text_printf("now%s%s", result->commit ? ", commit " : "", result->commit ?: "");
	int got = project_read_beside(project, s->name, path, PRUNED_FILE_LARGEST, &text, err);

	if (got != 1 || !head->n_events)
		return got < 0 ? -1 : 0;
	if (read_stacks(&text, &base, err) < 0)
		return -1;
	return leave_difference(result->out_dir, s, s->baseline_label, now, &base, head, err);
}

static void note_missing(struct scenario_result *s, const struct error *why)
{
	NOTE(&s->head, "there is no picture of the difference (diff.svg): %s", why->msg);
}

void accepted_stacks_compare(struct result *result, const struct stacks *heads, struct project *project)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];
		struct error why = ERROR_INIT;

		/* What pairs were profiled of has its picture, of one machine and one hour. */
		if (!s->baseline_path || s->difference || is_open(s))
			continue;
		if (compare(result, s, &heads[i], project, &why) < 0)
			note_missing(s, &why);
	}
}

void accepted_stacks_compare_sides(const char *out_dir, const struct stacks *base, const struct stacks *head,
				   struct scenario_result *s)
{
	struct error why = ERROR_INIT;

	if (base->n_events && head->n_events && !is_open(s) &&
	    leave_difference(out_dir, s, s->base.label, s->head.label, base, head, &why) < 0)
		note_missing(s, &why);
}
