#include "model/judged_by.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void judged_by_release(struct judged_by *by)
{
	for (size_t i = 0; i < by->n_edits; i++) {
		free(by->edits[i].path);
		free(by->edits[i].note);
	}
	free(by->edits);
	free(by->ref);
	free(by->commit);
	strv_release(&by->open);
	*by = (struct judged_by){ 0 };
}

static bool has_path(const struct judged_by *by, const char *path)
{
	for (size_t i = 0; i < by->n_edits; i++)
		if (!strcmp(by->edits[i].path, path) ||
		    (by->edits[i].change == JUDGE_RENAMED && by->edits[i].note && !strcmp(by->edits[i].note, path)))
			return true;
	return false;
}

void judged_by_add(struct judged_by *by, const char *path, enum judge_change change, const char *note)
{
	if (by->n_edits == JUDGE_EDITS_MOST || has_path(by, path))
		return;
	VEC_GROW(by->edits, by->n_edits, by->cap_edits);
	by->edits[by->n_edits++] = (struct judge_edit){ xstrdup(path), change, xstrdup(note) };
}

void judged_by_merge(struct judged_by *into, const struct judged_by *from)
{
	if (!into->ref) {
		into->ref = xstrdup(from->ref);
		into->commit = xstrdup(from->commit);
		into->own = from->own;
	}
	for (size_t i = 0; i < from->n_edits; i++)
		judged_by_add(into, from->edits[i].path, from->edits[i].change, from->edits[i].note);
	for (size_t i = 0; i < from->open.n; i++)
		if (!strv_has(&into->open, from->open.items[i]))
			strv_push(&into->open, from->open.items[i]);
}

void judged_by_copy(struct judged_by *out, const struct judged_by *from)
{
	*out = (struct judged_by){ 0 };
	judged_by_merge(out, from);
}

const char *const judge_change_names[] = {
	[JUDGE_EDITED] = "edited", [JUDGE_ADDED] = "added", [JUDGE_REMOVED] = "removed", [JUDGE_RENAMED] = "renamed", NULL,
};

const char *judge_change_name(enum judge_change change)
{
	return judge_change_names[change];
}
