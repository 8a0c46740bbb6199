#include "base/cli.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "job/project/select.h"
#include "measure/git/git.h"
#include "measure/machine/machine.h"
#include "model/baseline.h"
#include "model/machine.h"
#include "model/result.h"
#include "scenario/scenario.h"

struct repro {
	struct invocation *inv;
	const char *path;		/* of the result, as it was given */
	struct result result;
	struct machine machine;		/* this machine */
	struct project project;
	struct strv names;		/* scenarios to measure again */
	struct strv words;		/* options taken over from the result */
	char *base;			/* full: base of pairs, or commit whose files judge; NULL: the tree's own files judge */
};

static void release(struct repro *r)
{
	result_release(&r->result);
	machine_release(&r->machine);
	project_close(&r->project);
	strv_release(&r->names);
	strv_release(&r->words);
	free(r->base);
}

static void print_difference(const struct repro *r, const char *what, const char *there, const char *here, const char *remedy)
{
	if (!there || !text_same(there, here))
		console_say(&r->inv->request, "  differs  %s: %s there, %s here%s%s\n", what, there ?: "none", here ?: "none", remedy ? "; " : "", remedy ?: "");
}

/* -------- the file may be a stranger's: a commit goes to git, so it must be one */

static int check_commit(const struct repro *r, const char *where, const char *commit, struct error *err)
{
	size_t len = commit ? strspn(commit, "0123456789abcdef") : 0;

	if (!commit || (len >= 4 && len <= 64 && (!commit[len] || (!strcmp(where, "$.commit") && !strcmp(commit + len, "+dirty")))))
		return 0;
	return error_set(err, ERR_INPUT, "%s: %s: expected the id of a commit, found '%.60s'", r->path, where, commit);
}

static int check_commits(const struct repro *r, struct error *err)
{
	if (check_commit(r, "$.commit", r->result.commit, err) < 0 ||
	    check_commit(r, "$.judge.commit", r->result.judged_by.commit, err) < 0)
		return -1;
	for (size_t i = 0; i < r->result.n_scenarios; i++)
		if (check_commit(r, "$.scenarios[].pairing.base.commit", r->result.scenarios[i].base.commit, err) < 0)
			return -1;
	return 0;
}

/* -------- the scenarios, and how they were measured */

static int choose_scenarios(struct repro *r, struct error *err)
{
	const struct result *result = &r->result;

	for (size_t i = 0; i < result->n_scenarios && !r->inv->args.n; i++)
		strv_push(&r->names, result->scenarios[i].name);
	for (size_t k = 0; k < r->inv->args.n; k++) {
		if (!result_scenario(result, r->inv->args.items[k]))
			return error_set(err, ERR_INPUT, "%s has no scenario '%.100s'", r->path, r->inv->args.items[k]);
		strv_push_new(&r->names, r->inv->args.items[k]);
	}
	return r->names.n ? 0 : error_set(err, ERR_INPUT, "%s has no scenario", r->path);
}

/* Options here win. Others of the file are ignored: some are commands, and folders of another machine. */
static int take_options(struct repro *r, struct error *err)
{
	CLEANUP(strv_release) struct strv rest = STRV_INIT;
	const struct option_set set = { cmd_options, cmd_options_size, OPT_RUNS | OPT_BUDGET | OPT_PAIRED, NULL };
	struct request *o = &r->inv->request;
	const struct strv *all = &r->result.options;
	const struct scenario_result *first = result_scenario(&r->result, r->names.items[0]);
	const struct {
		const char *name;
		bool given;
	} taken[] = {
		{ "--runs", o->runs }, { "--budget", o->budget_ns }, { "--seed", o->seed }, { "--pairs", o->pairs },
	};
	bool seeded = o->seed;

	for (size_t i = 0; i < all->n; i++)
		for (size_t k = 0; k < sizeof taken / sizeof *taken; k++) {
			size_t len = strlen(taken[k].name);

			if (taken[k].given || strncmp(all->items[i], taken[k].name, len) || (all->items[i][len] && all->items[i][len] != '='))
				continue;
			strv_push(&r->words, all->items[i]);
			if (!all->items[i][len] && i + 1 < all->n)
				strv_push(&r->words, all->items[i + 1]);
			seeded |= !strcmp(taken[k].name, "--seed");
		}
	if (!seeded && first->paired && first->pairing.seed) {
		strv_push(&r->words, "--seed");
		strv_pushf(&r->words, "%llu", (unsigned long long)first->pairing.seed);
	}
	if (r->words.n && options_parse(&set, r->words.items, r->inv, &rest, err) < 0)
		return error_wrap(err, "%s: $.command", r->path);
	if (r->result.strict && !o->strict) {
		o->strict = true;
		strv_push(&r->words, "--strict");
	}
	return 0;
}

/* -------- what it was compared with */

/* A commit that is named here wins. */
static int find_base(struct repro *r, struct error *err)
{
	const struct scenario_result *s = result_scenario(&r->result, r->names.items[0]);
	bool pairs = r->result.mode == MODE_PAIRED;
	const struct judged_by *by = &r->result.judged_by;
	const char *commit = pairs ? s->base.commit : by->own ? NULL : by->commit;

	if (pairs ? r->inv->request.base : r->inv->request.judge)
		return 0;
	if (pairs && !commit)
		return error_set(err, ERR_INPUT, "%s: its base is not a commit (%s) and cannot be built here; name one with --base REF",
				 r->path, s->base.label ?: "two commands, or a folder");
	if (!commit || git_find(&r->inv->request.git, r->project.root, commit, &r->base, err) == 0)
		return 0;
	return error_set(err, ERR_INPUT, "%s: %s is commit %.12s, which this repository does not have; fetch it (git fetch origin %s), or name "
			 "another one with %s REF", r->path, pairs ? "the base of its pairs" : "the commit that judged it", commit, commit,
			 pairs ? "--base" : "--judge");
}

static int print_differences(struct repro *r, struct error *err)
{
	CLEANUP(free_ptr) char *there = machine_class(&r->result.machine), *here = git_commit(&r->inv->request.git, r->project.root);
	const struct machine *theirs = &r->result.machine;
	const char *commit = r->result.commit;
	CLEANUP(free_ptr) char *checkout = commit ? text_printf("git checkout %.*s has its sources", (int)strcspn(commit, "+"), commit) : NULL;

	console_say(&r->inv->request, "%s: %s of %s\n", r->path, r->result.mode == MODE_PAIRED ? "pairs" : "a stored comparison", r->result.date);
	print_difference(r, "pawl", r->result.pawl, PAWL_VERSION, NULL);
	print_difference(r, "commit", commit, here, checkout);
	if (!text_same(theirs->arch, r->machine.arch) || !text_same(theirs->part, r->machine.part))
		print_difference(r, "machine", theirs->part, r->machine.part, r->result.mode == MODE_PAIRED ? NULL :
				 "times of one mean nothing on the other: pawl run --base REF measures both sides here");
	for (size_t i = 0; i < r->names.n; i++) {
		const struct scenario *s = project_scenario(&r->project, r->names.items[i]);
		CLEANUP(arena_release) struct arena arena = ARENA_INIT;
		struct settings now = { 0 };
		const char *what;

		if (!s)
			return error_set(err, ERR_INPUT, "%s: this project has no scenario '%s'", r->path, r->names.items[i]);
		plan_settings(s, &arena, &now);
		what = settings_difference(&result_scenario(&r->result, s->name)->settings, &now);
		if (what)
			console_say(&r->inv->request, "  differs  scenario %s: its %s\n", s->name, what);
	}
	return 0;
}

/* -------- as if it had been typed */

static void become_command(struct repro *r)
{
	struct invocation *inv = r->inv;
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;
	struct strv words = STRV_INIT, own = STRV_INIT;	/* ARENA owns OWN */
	bool pairs = r->result.mode == MODE_PAIRED;

	strv_push(&words, "pawl");
	strv_push(&words, "run");
	strv_copy(&words, &r->names);
	if (r->base) {
		char **ref = pairs ? &inv->request.base : &inv->request.judge;

		*ref = xstrndup(r->base, COMMIT_SHOWN);
		strv_push(&words, pairs ? "--base" : "--judge");
		strv_push(&words, *ref);
	}
	strv_copy(&words, &r->words);
	cmd_shaping_options(&inv->request.words, &arena, &own);
	strv_copy(&words, &own);
	strv_release(&inv->request.words);
	strv_release(&inv->args);
	inv->request.words = words;
	inv->args = r->names;
	r->names = (struct strv)STRV_INIT;
	cmd_fill_request(inv);
	escape_shell_words(&line, &inv->request.words);
	console_say(&inv->request, "  runs     %s\n", line.buf);
}

int repro_prepare(struct invocation *inv, struct error *err)
{
	CLEANUP(release) struct repro r = { .inv = inv, .path = inv->options.repro };
	int ret;

	if (inv->request.attach || inv->request.keep_env)
		return error_set(err, ERR_INPUT, "--repro runs the command line of the result; leave out %s",
				 inv->request.attach ? "--attach" : "--keep-env");
	if (cmd_read_result(r.path, &r.result, err) < 0 || check_commits(&r, err) < 0 || choose_scenarios(&r, err) < 0)
		return -1;
	facts_read(&r.machine);
	ret = project_open(&r.project, &inv->request, &inv->args, err);
	if (ret == 0 && project_select(&r.project, &r.names, err) < 0)
		ret = error_wrap(err, "%s", r.path);
	if (ret < 0 || print_differences(&r, err) < 0 || find_base(&r, err) < 0 || take_options(&r, err) < 0)
		return -1;
	become_command(&r);
	return 0;
}
