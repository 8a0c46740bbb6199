#include "job/project/pictures.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "job/project/project.h"
#include "measure/files/files.h"
#include "model/gate.h"
#include "model/metrics/metric.h"
#include "model/result.h"
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/names.h"
#include "profile/stacks.h"
#include "report/formats/report.h"
#include "store/store.h"

/* -------- options of the drawing */

/* Finds the factors that turn weights into milliseconds per run, or per unit of work. False if unknown. */
static bool find_costs(const struct scenario_result *s, struct flame_options *options)
{
	const struct judgement *clock = NULL;

	for (size_t i = 0; i < s->n_gates; i++)
		if (s->gates[i].gate.metric == METRIC(TASK_CLOCK) || s->gates[i].gate.metric == METRIC(CPU_TIME))
			clock = gate_judgement(&s->gates[i]);
	/* If it is unknown whether it costs more, only shares can be compared. The root is grey then. */
	if (!clock || clock->verdict == VERDICT_INCONCLUSIVE || !(clock->baseline > 0) || !(clock->current > 0) || !scenario_result_cost_changed(s))
		return false;
	options->side[FLAME_BASE].factor = clock->baseline;
	options->side[FLAME_HEAD].factor = clock->current;
	return true;
}

/* True if a gate changed. Otherwise the picture must not look like a change. */
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

static void find_options(const struct scenario_result *s, const struct stacks *base, const struct stacks *head,
			 struct flame_options *options)
{
	options->grey = !has_changed(s);
	if (!find_costs(s, options) || !(whole(base) > 0) || !(whole(head) > 0))
		return;
	options->scale = FLAME_ABSOLUTE;
	options->side[FLAME_BASE].factor /= whole(base);
	options->side[FLAME_HEAD].factor /= whole(head);
	options->subtitle = "what a run costs, in milliseconds of CPU time";
	options->count_name = "ms";
}

static bool is_drawn(const struct scenario_result *s)
{
	bool open = false;

	for (size_t i = 0; i < s->n_gates; i++) {
		const struct gate_result *g = &s->gates[i];
		enum verdict verdict = gate_judgement(g)->verdict;
		bool of_profile = g->gate.metric->kind == KIND_TIME || g->gate.kind != GATE_METRIC;

		open |= of_profile && g->gate.relative && !gate_result_quiet(g) &&
			(verdict == VERDICT_INCONCLUSIVE || verdict == VERDICT_NOT_MEASURED);
		if (verdict == VERDICT_REGRESSION && g->gate.kind != GATE_METRIC)
			return true;
	}
	return !open || scenario_result_cost_changed(s);
}

/* -------- the files */

static const char *const side_files[] = { [FLAME_HEAD] = "diff.head.folded", [FLAME_BASE] = "diff.base.folded" };

struct labelled {
	const char *label;
	const struct stacks *stacks;
};

static int leave(const char *out_dir, struct scenario_result *s, const struct labelled *base, const struct labelled *head,
		 struct error *err)
{
	struct flame_options options = {
		.title = s->name, .side = { [FLAME_HEAD] = { .label = head->label }, [FLAME_BASE] = { .label = base->label } },
	};
	CLEANUP(free_ptr) char *folder = file_join(out_dir, s->name), *picture = file_join(folder, "diff.svg");
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	find_options(s, base->stacks, head->stacks, &options);
	flame_svg(head->stacks, base->stacks, &options, &text);
	if (file_write(picture, text.buf, text.len, err) < 0)
		return -1;
	for (int i = 0; i < FLAME_SIDES; i++) {
		CLEANUP(free_ptr) char *path = file_join(folder, side_files[i]);

		strbuf_reset(&text);
		if (folded_write((i == FLAME_HEAD ? head : base)->stacks, FOLDED_AS_GIVEN, &text, err) < 0 ||
		    file_write(path, text.buf, text.len, err) < 0)
			return -1;
	}
	s->difference = true;
	return 0;
}

/* -------- the stacks of a baseline */

enum { STACKS_FILE_LARGEST = 256 << 20, PRUNED_FILE_LARGEST = 8 << 20 };

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

int pictures_accept(const char *out_dir, const char *scenario, const char *json_path, struct error *err)
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

/* -------- differences from what was accepted */

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
	return leave(result->out_dir, s, &(struct labelled){ s->baseline_label, &base }, &(struct labelled){ now, head }, err);
}

static void note_missing(struct scenario_result *s, const struct error *why)
{
	NOTE(&s->head, "there is no picture of the difference (diff.svg): %s", why->msg);
}

void pictures_compare(struct result *result, const struct stacks *heads, struct project *project)
{
	for (size_t i = 0; i < result->n_scenarios; i++) {
		struct scenario_result *s = &result->scenarios[i];
		struct error why = ERROR_INIT;

		/* One profiled in pairs has its picture already, of one machine and one hour. */
		if (!s->baseline_path || s->difference || !is_drawn(s))
			continue;
		if (compare(result, s, &heads[i], project, &why) < 0)
			note_missing(s, &why);
	}
}

void pictures_compare_sides(const char *out_dir, const struct stacks *base, const struct stacks *head,
				   struct scenario_result *s)
{
	struct error why = ERROR_INIT;

	if (base->n_events && head->n_events && is_drawn(s) &&
	    leave(out_dir, s, &(struct labelled){ s->base.label, base }, &(struct labelled){ s->head.label, head }, &why) < 0)
		note_missing(s, &why);
}

/* -------- the same for the page */

enum { STACKS_READ_LARGEST = 64 << 20 };

/* A stranger may have made the file, so no link is followed. */
static bool read_folded(const char *folder, const char *name, struct stacks *out)
{
	CLEANUP(free_ptr) char *path = file_join(folder, name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (file_refuse_link(folder, NULL) < 0 || file_refuse_link(path, NULL) < 0 || !file_exists(path) ||
	    file_read(path, STACKS_READ_LARGEST, &text, NULL) < 0 || folded_read(text.buf, text.len, out, NULL) < 0)
		return false;
	names_resolve(out);
	return out->n > 0;
}

static bool read_pruned(const char *folder, struct stacks *out)
{
	CLEANUP(stacks_release) struct stacks all = STACKS_INIT;

	if (!read_folded(folder, "stacks.folded", &all))
		return false;
	flame_tree_prune(&all, PRUNED_LEAST_PCT, out);
	return true;
}

/* Returns the heaviest first frame: in folded text the thread of the program. */
static struct frame *main_thread(const struct stacks *stacks)
{
	CLEANUP(free_ptr) double *weights = xcalloc(stacks->n_frames + 1, sizeof *weights);
	size_t most = 0;

	for (size_t i = 0; i < stacks->n; i++)
		if (stacks->items[i].n)
			weights[stacks->pool[stacks->items[i].first]] += stacks->items[i].weight;
	for (size_t i = 1; i < stacks->n_frames; i++)
		most = weights[i] > weights[most] ? i : most;
	return &stacks->frames[most];
}

static void name_alike(struct stacks *base, const struct stacks *head)
{
	const char *name = stacks_text(head, main_thread(head)->name);
	uint32_t alike = stacks_string(base, name, strlen(name));
	struct frame *thread = main_thread(base);

	thread->name = thread->shown = thread->key = alike;
}

static void draw_difference(const struct scenario_result *s, struct strbuf *out)
{
	CLEANUP(stacks_release) struct stacks head = STACKS_INIT, base = STACKS_INIT;
	CLEANUP(free_ptr) char *title = text_printf("Flame graph of %s, coloured by what changed", s->name);
	struct flame_options options = {
		.title = title,
		.side = {
			[FLAME_HEAD] = { .label = s->paired && !s->pairing.confirming ? s->head.label : "now" },
			[FLAME_BASE] = { .label = s->paired && !s->pairing.confirming ? s->base.label : s->baseline_label },
		},
	};

	if (!is_drawn(s))
		return;
	if (s->base_folder ? !read_pruned(s->base_folder, &base) || !read_pruned(s->folder, &head) :
	    !s->difference || !read_folded(s->folder, side_files[FLAME_BASE], &base) ||
		    !read_folded(s->folder, side_files[FLAME_HEAD], &head))
		return;
	find_options(s, &base, &head, &options);
	if (!s->path && head.n_frames && base.n_frames)
		name_alike(&base, &head);
	flame_piece(&head, &base, &options, out);
}

struct report_pictures *pictures_read(const struct result *result)
{
	struct report_pictures *pictures = xcalloc(result->n_scenarios + 1, sizeof *pictures);

	for (size_t i = 0; i < result->n_scenarios; i++) {
		const struct scenario_result *s = &result->scenarios[i];
		CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
		struct strbuf flame = STRBUF_INIT, difference = STRBUF_INIT;

		if (!s->folder)
			continue;
		if (read_folded(s->folder, "stacks.folded", &stacks)) {
			CLEANUP(free_ptr) char *title = text_printf("Flame graph of %s", s->name);

			flame_piece(&stacks, NULL, &(struct flame_options){ .title = title }, &flame);
		}
		draw_difference(s, &difference);
		pictures[i].flame = flame.len ? strbuf_take(&flame) : NULL;
		pictures[i].difference = difference.len ? strbuf_take(&difference) : NULL;
		strbuf_release(&flame);
		strbuf_release(&difference);
	}
	return pictures;
}

void pictures_free(const struct result *result, struct report_pictures *pictures)
{
	for (size_t i = 0; pictures && i < result->n_scenarios; i++) {
		free(pictures[i].flame);
		free(pictures[i].difference);
	}
	free(pictures);
}
