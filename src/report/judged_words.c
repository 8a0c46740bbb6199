#include "report/judged_words.h"

#include "base/cleanup.h"
#include "base/strbuf.h"
#include "model/commit.h"

/* Files that are listed; result.json has all. */
enum { LISTED_MOST = 40 };

bool judged_is_loud(const struct result *result)
{
	return result->judged_by.n_edits || result->judged_by.open.n;
}

size_t judged_edits(const struct result *result)
{
	return result->judged_by.n_edits;
}

static void add_base(struct strbuf *out, const struct judged_by *by)
{
	strbuf_adds(out, by->ref);
	if (by->commit && strncmp(by->commit, by->ref, strlen(by->ref)))
		strbuf_addf(out, " (%.*s)", COMMIT_SHOWN, by->commit);
}

/* "edits pawl.yaml and scenarios/a.yaml", or nothing. */
static void add_change(struct strbuf *out, const struct judged_by *by, enum judge_change change, const char *verb, size_t *listed)
{
	size_t n = 0, left = 0;

	for (size_t i = 0; i < by->n_edits; i++) {
		const struct judge_edit *edit = &by->edits[i];

		if (edit->change != change)
			continue;
		if (*listed >= LISTED_MOST) {
			left++;
			continue;
		}
		if (!n)
			strbuf_addf(out, "%s%s ", *listed ? "; " : "", verb);
		strbuf_addf(out, "%s%s", n++ ? ", " : "", edit->path);
		if (change == JUDGE_RENAMED)
			strbuf_addf(out, " to %s", edit->note ?: "?");
		++*listed;
	}
	if (left)
		strbuf_addf(out, "%s%zu more that it %s", *listed ? "; " : "", left, verb);
}

static void add_changes(struct strbuf *out, const struct judged_by *by)
{
	static const struct {
		enum judge_change change;
		const char *verb;
	} verbs[] = {
		{ JUDGE_EDITED, "edits" }, { JUDGE_ADDED, "adds" }, { JUDGE_REMOVED, "removes" }, { JUDGE_RENAMED, "renames" },
	};
	size_t listed = 0;

	for (size_t i = 0; i < sizeof verbs / sizeof verbs[0]; i++)
		add_change(out, by, verbs[i].change, verbs[i].verb, &listed);
}

static void add_who(struct strv *out, const struct judged_by *by)
{
	struct strbuf line = STRBUF_INIT;

	if (by->own && !by->n_edits)
		return;
	if (by->n_edits) {
		strbuf_adds(&line, "this change ");
		add_changes(&line, by);
		strbuf_adds(&line, by->own ? ", compared with " : ": what judged are the files of ");
		add_base(&line, by);
		strbuf_adds(&line, by->own ? "; its own judged" : ", not its own");
	} else {
		strbuf_adds(&line, "pawl.yaml, scenarios, baselines and calibration are those of ");
		add_base(&line, by);
		strbuf_adds(&line, "; this change edits none of them");
	}
	strv_take(out, strbuf_take(&line));
}

void judged_lines(struct strv *out, const struct judged_by *by)
{
	if (by->ref)
		add_who(out, by);
	for (size_t i = 0; i < by->n_edits; i++)
		if (by->edits[i].note && by->edits[i].change != JUDGE_RENAMED)
			strv_pushf(out, "%s: %s", by->edits[i].path, by->edits[i].note);
	for (size_t i = 0; i < by->open.n; i++)
		strv_pushf(out, "not protected: %s", by->open.items[i]);
}
