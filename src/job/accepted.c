#include "job/accepted.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "job/pictures.h"
#include "job/project.h"
#include "measure/process/files.h"
#include "model/result.h"
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/names.h"
#include "profile/stacks.h"
#include "store/store.h"

enum { STACKS_FILE_LARGEST = 256 << 20, PRUNED_FILE_LARGEST = 8 << 20 };

/* Returns "x.folded" for "x.json", for free(). */
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
	return pictures_leave(result->out_dir, s, s->baseline_label, now, &base, head, err);
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

		/* A scenario profiled in pairs has its picture already, of one machine and one hour. */
		if (!s->baseline_path || s->difference || !pictures_drawn(s))
			continue;
		if (compare(result, s, &heads[i], project, &why) < 0)
			note_missing(s, &why);
	}
}

void accepted_stacks_compare_sides(const char *out_dir, const struct stacks *base, const struct stacks *head,
				   struct scenario_result *s)
{
	struct error why = ERROR_INIT;

	if (base->n_events && head->n_events && pictures_drawn(s) &&
	    pictures_leave(out_dir, s, s->base.label, s->head.label, base, head, &why) < 0)
		note_missing(s, &why);
}
