/* pawl ab: the two trees. */
#include "base/cleanup.h"
#include "base/mem.h"
#include "cmd/ab.h"
#include "cmd/event.h"
#include "cmd/select.h"
#include "measure/files.h"
#include "measure/git.h"
#include "measure/runloop.h"

static int need_folder(const char *option, const char *given, char **out, struct error *err)
{
	char *real = file_is_dir(given) ? realpath(given, NULL) : NULL;

	if (!real)
		return error_set(err, ERR_INPUT, "%s: there is no folder %.200s", option, given);
	*out = real;
	return 0;
}

/* "main (1a2b3c4d5e6f)" */
static char *ref_label(const char *ref, const char *commit)
{
	struct strbuf label = STRBUF_INIT;

	if (strncmp(ref, commit, strlen(ref)))
		strbuf_addf(&label, "%s (%.12s)", ref, commit);
	else
		strbuf_addf(&label, "%.12s", commit);
	return strbuf_take(&label);
}

static char *working_label(struct ab *ab)
{
	CLEANUP(free_ptr) char *commit = git_commit(&ab->inv->keeper, ab->own.root);
	struct strbuf label = STRBUF_INIT;

	strbuf_addf(&label, "working tree%s%s%s", commit ? " (" : "", commit ?: "", commit ? ")" : "");
	return strbuf_take(&label);
}

static int find_base(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;

	if (o->base) {
		ab->base_label = xstrdup(o->base);
		return need_folder("--base", o->base, &ab->base_root, err);
	}
	if (builds_resolve(&ab->builds, "--base-ref", o->base_ref, &ab->base_commit, err) < 0)
		return -1;
	ab->base_label = ref_label(o->base_ref, ab->base_commit);
	return 0;
}

/* The base's files. */
static int base_source(struct ab *ab, struct file_source *out, struct error *err)
{
	CLEANUP(free_ptr) char *prefix = NULL;

	if (!ab->base_commit) {
		file_source_folder(out, ab->base_root);
		return 0;
	}
	if (git_prefix(&ab->inv->keeper, ab->own.root, &prefix, err) < 0)
		return -1;
	file_source_commit(out, &ab->inv->keeper, ab->own.root, ab->base_commit, prefix);
	return 0;
}

static const char *base_name(const struct ab *ab)
{
	return ab->inv->options.base_ref ?: ab->base_label;
}

/* Of base and head the base judges where the head is somebody else's change. */
static int judge_by_base(struct ab *ab, struct project *head, struct error *err)
{
	CLEANUP(file_source_release) struct file_source base = { 0 };

	if (!ab->foreign || head->by.ref)
		return 0;
	return base_source(ab, &base, err) < 0 ? -1 : project_judge_by(head, ab->inv, &base, base_name(ab), err);
}

/* Where head's own files judge, a reader must know which of them the base has otherwise. */
static int tell_edits(struct ab *ab, struct error *err)
{
	CLEANUP(file_source_release) struct file_source base = { 0 };

	if (ab->head->by.ref)
		return 0;
	return base_source(ab, &base, err) < 0 ? -1 : project_tell_edits(ab->head, &base, base_name(ab), err);
}

static int find_head(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;

	if (o->head_ref) {
		if (builds_resolve(&ab->builds, "--head-ref", o->head_ref, &ab->head_commit, err) < 0)
			return -1;
		ab->head_label = ref_label(o->head_ref, ab->head_commit);
		return 0;
	}
	if (!o->head) {
		ab->head = &ab->own;
		ab->head_root = xstrdup(ab->own.root);
		ab->head_label = working_label(ab);
		return judge_by_base(ab, ab->head, err);
	}
	ab->head_label = xstrdup(o->head);
	if (need_folder("--head", o->head, &ab->head_root, err) < 0)
		return -1;
	ab->head = &ab->elsewhere;
	if (project_open_at(&ab->elsewhere, ab->inv, ab->head_root, err) < 0)
		return -1;
	return judge_by_base(ab, ab->head, err);
}

/* Of two commands there are no trees: both work where pawl was started. */
static int find_commands(struct ab *ab, struct error *err)
{
	ab->base_root = file_absolute(".");
	ab->head_root = file_absolute(".");
	ab->base_label = xstrdup(ab->inv->options.base_cmd);
	ab->head_label = xstrdup(ab->inv->options.head_cmd);
	return ab_commands(ab, err);
}

static int open_own(struct ab *ab, struct error *err)
{
	static const struct strv none = STRV_INIT;
	CLEANUP(event_release) struct event event = { 0 };
	const struct options *o = &ab->inv->options;
	const struct strv *args = o->head || o->head_ref ? &none : &ab->inv->args;

	/* Two commands have no files that judge them. */
	if (!o->base_cmd)
		event_read(&event);
	ab->foreign = event.foreign;
	if (!ab->foreign || !o->base_ref)
		return project_open(&ab->own, ab->inv, args, err);
	return project_open_ref(&ab->own, ab->inv, args, o->base_ref, o->base_ref, err) < 0 ? error_wrap(err, "--base-ref") : 0;
}

int ab_find_sides(struct ab *ab, struct error *err)
{
	if (open_own(ab, err) < 0)
		return -1;
	builds_init(&ab->builds, &ab->own, ab->inv, NULL, NULL);
	if (ab->inv->options.base_cmd)
		return find_commands(ab, err);
	return find_base(ab, err) < 0 ? -1 : find_head(ab, err);
}

/* -------- scenarios */

/* A relative path is looked for in head first, then from where pawl was started. */
static void find_arguments(const struct ab *ab, struct strv *out)
{
	const struct strv *args = &ab->inv->args;

	for (size_t i = 0; i < args->n; i++) {
		CLEANUP(free_ptr) char *there = file_join(ab->head_root, args->items[i]);

		if (ab->head == &ab->elsewhere && argument_is_path(args->items[i]) && args->items[i][0] != '/' && file_exists(there))
			strv_push(out, there);
		else
			strv_push(out, args->items[i]);
	}
}

int ab_select(struct ab *ab, struct error *err)
{
	CLEANUP(strv_release) struct strv args = STRV_INIT;

	find_arguments(ab, &args);
	if (project_select(ab->head, ab->inv, &args, err) < 0)
		return -1;
	for (size_t i = 0; i < ab->head->n_scenarios; i++)
		if (loop_refuse_pairs(&ab->head->scenarios[i], err) < 0)
			return -1;
	if (tell_edits(ab, err) < 0)
		return -1;
	return pairs_take_floor(&ab->inv->options, ab->head->scenarios, ab->head->n_scenarios, err);
}

/* -------- building */

static int get_tree(struct ab *ab, const char *side, const char *commit, struct tree *tree, char **root, struct error *err)
{
	if (trees_get(&ab->builds.trees, commit, tree, err) < 0)
		return error_wrap(err, "%s", side);
	*root = xstrdup(tree->root);
	if (!tree->reused)
		return 0;
	cmd_say(ab->inv, "%s: %.12s was built before, in %s\n", side, commit, tree->root);
	strv_pushf(&ab->result.notes, "%s: the tree of %.12s was built before and is used again; remove %s to have it built anew",
		   side, commit, tree->top);
	return 0;
}

/* Its tree cannot be had: the scenarios are read from its commit, so that the result names what was to be compared. */
static int open_unbuilt_head(struct ab *ab, struct error *err)
{
	CLEANUP(file_source_release) struct file_source commit = { 0 };
	CLEANUP(free_ptr) char *prefix = NULL;

	if (project_open_at(&ab->elsewhere, ab->inv, ab->own.root, err) < 0)
		return -1;
	if (ab->foreign)
		return judge_by_base(ab, &ab->elsewhere, err);
	if (git_prefix(&ab->inv->keeper, ab->own.root, &prefix, err) < 0)
		return -1;
	file_source_commit(&commit, &ab->inv->keeper, ab->own.root, ab->head_commit, prefix);
	if (project_judge_by(&ab->elsewhere, ab->inv, &commit, ab->head_label, err) < 0)
		return -1;
	/* It is the head that is judged, by itself. */
	judged_by_release(&ab->elsewhere.by);
	return 0;
}

static void read_unbuilt_head(struct ab *ab)
{
	struct error why = ERROR_INIT;

	ab->head_root = xstrdup(ab->own.root);
	ab->head = &ab->elsewhere;
	if (open_unbuilt_head(ab, &why) == 0 && ab_select(ab, &why) == 0)
		return;
	project_close(&ab->elsewhere);
	ab->head = NULL;
}

static int build_head(struct ab *ab, struct error *err)
{
	struct error why = ERROR_INIT;

	if (get_tree(ab, "head", ab->head_commit, &ab->head_tree, &ab->head_root, &why) < 0) {
		if (why.kind != ERR_INTERRUPTED)
			read_unbuilt_head(ab);
		*err = why;
		return -1;
	}
	ab->head = &ab->elsewhere;
	if (project_open_at(&ab->elsewhere, ab->inv, ab->head_root, err) < 0 || judge_by_base(ab, ab->head, err) < 0)
		return -1;
	return ab_select(ab, err) < 0 ? error_wrap(err, "--head-ref %s", ab->head_label) : 0;
}

int ab_build(struct ab *ab, struct error *err)
{
	const struct options *o = &ab->inv->options;

	ab->builds.trees.scratch = ab->rig.scratch;
	ab->builds.trees.logs = ab->result.out_dir;
	if (ab->head_commit && build_head(ab, err) < 0)
		return -1;
	if (!ab->base_commit)
		return 0;
	if (get_tree(ab, "base", ab->base_commit, &ab->base_tree, &ab->base_root, err) < 0)
		return -1;
	if (!o->head && !o->head_ref && builds_working_tree(&ab->builds, ab->head_root, err) < 0)
		return error_wrap(err, "head");
	return 0;
}

void ab_release_sides(struct ab *ab)
{
	trees_put(&ab->builds.trees, &ab->base_tree);
	trees_put(&ab->builds.trees, &ab->head_tree);
	scenario_release(&ab->commands[0]);
	scenario_release(&ab->commands[1]);
	free(ab->base_commit);
	free(ab->head_commit);
	free(ab->base_root);
	free(ab->head_root);
	free(ab->base_label);
	free(ab->head_label);
	project_close(&ab->elsewhere);
	project_close(&ab->own);
}
