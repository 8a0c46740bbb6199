/* The scripts of share/completion ask the hidden command __complete, which reads words off the tables. */
#include "base/cli.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "job/project/console.h"
#include "job/project/project.h"
#include "job/project/select.h"
#include "measure/git/git.h"
#include "model/gate.h"

static const struct {
	const char *name, *script;
} shells[] = {
	{ "bash",
#include <embedded/pawl.bash.inc>
	},
	{ "zsh",
#include <embedded/pawl.zsh.inc>
	},
	{ "fish",
#include <embedded/pawl.fish.inc>
	},
};

enum { N_SHELLS = sizeof shells / sizeof shells[0] };

static int completion(struct invocation *inv, struct error *err)
{
	CLEANUP(free_ptr) char *hint = NULL;
	const char *names[N_SHELLS], *word;

	if (inv->args.n != 1)
		return error_set(err, ERR_INPUT, "completion takes one shell: bash, zsh or fish");
	word = inv->args.items[0];
	for (size_t i = 0; i < N_SHELLS; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		names[i] = shells[i].name;
		if (strcmp(word, shells[i].name))
			continue;
		strbuf_adds(&text, shells[i].script);
		return console_print(&text, err) < 0 ? -1 : STATUS_OK;
	}
	hint = nearest_hint(word, names, N_SHELLS, "");
	return error_set(err, ERR_INPUT, "completion: expected bash, zsh or fish, found '%.60s'%s", word, hint);
}

const struct command_def cmd_completion = {
	.name = "completion",
	.args = "bash|zsh|fish",
	.summary = "print the script with which a shell completes commands",
	.examples =
		"source <(pawl completion bash)\n"
		"source <(pawl completion zsh)\n"
		"pawl completion fish | source",
	.details =
		"`make install` puts these where the shells look. By hand, for the running shell, as above.",
	.run = completion,
};

/* -------- candidates for each position */

struct position {
	const struct command_def *command;	/* NULL: not given yet, or unknown */
	const struct option_spec *option;	/* its value comes next */
	size_t n_words;				/* the command and its arguments so far */
	bool ended;				/* by "--": no more options */
};

/* Candidates so far for WORD, each behind PREFIX ("--color=" of "--color=al"). */
struct offer {
	const char *word, *prefix;
	struct strbuf out;
};

static uint64_t taken_by(const struct position *at)
{
	return OPT_COMMON | (at->command ? at->command->options : 0);
}

static struct position position_after(const struct invocation *inv, const struct strv *words, size_t n)
{
	struct position at = { 0 };

	for (size_t i = 0; i < n; i++) {
		const char *word = words->items[i];

		if (at.option)
			at.option = NULL;
		else if (!at.ended && !strcmp(word, "--"))
			at.ended = true;
		else if (!at.ended && word[0] == '-' && word[1])
			at.option = options_awaiting(cmd_options, cmd_options_size, taken_by(&at), word);
		else if (!at.n_words++)
			at.command = cmd_find(inv->commands, word);
	}
	return at;
}

static void offer(struct offer *o, const char *candidate, const char *description)
{
	if (!text_starts(candidate, o->word))
		return;
	strbuf_addf(&o->out, "%s%s", o->prefix, candidate);
	if (description) {
		strbuf_addc(&o->out, '\t');
		escape_terminal(&o->out, description);
	}
	strbuf_addc(&o->out, '\n');
}

static void offer_options(struct offer *o, uint64_t taken)
{
	for (size_t i = 0; i < cmd_options_size; i++) {
		const struct option_spec *spec = &cmd_options[i];
		const char letter[] = { '-', spec->letter, '\0' };
		CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

		if (!(spec->id & taken))
			continue;
		if (spec->letter)
			offer(o, letter, spec->help);
		strbuf_addf(&name, "--%s", spec->name);
		offer(o, name.buf, spec->help);
	}
}

enum { REFS_OFFERED = 500 };

static void offer_refs(struct offer *o, struct invocation *inv)
{
	CLEANUP(free_ptr) char *count = text_printf("--count=%d", REFS_OFFERED);
	const char *const args[] = {
		"for-each-ref", "--sort=-creatordate", "--format=%(refname:short)%09%(contents:subject)", count, "refs/heads", "refs/tags",
		"refs/remotes", NULL,
	};
	CLEANUP(strbuf_release) struct strbuf out = STRBUF_INIT;

	if (git_run_there(&inv->request.git, ".", args, 0, &out, NULL) < 0)
		return;
	offer(o, "HEAD", "what is checked out");
	for (char *line = out.buf, *end; (end = strchr(line, '\n')); line = end + 1) {
		char *subject = strchr(line, '\t');

		*end = '\0';
		if (!subject)
			continue;
		*subject++ = '\0';
		offer(o, line, *subject ? subject : NULL);
	}
}

static bool open_scenarios(struct project *project, struct invocation *inv)
{
	struct strv none = STRV_INIT;

	return project_open(project, &inv->request, &none, NULL) == 0 && project_select(project, &none, NULL) == 0;
}

static void offer_tags(struct offer *o, struct invocation *inv)
{
	CLEANUP(project_close) struct project project = { 0 };
	CLEANUP(strv_release) struct strv tags = STRV_INIT;

	if (!open_scenarios(&project, inv))
		return;
	for (size_t i = 0; i < project.n_scenarios; i++)
		for (size_t k = 0; k < project.scenarios[i]->tags.n; k++)
			strv_push_new(&tags, project.scenarios[i]->tags.items[k]);
	strv_sort(&tags);
	for (size_t i = 0; i < tags.n; i++)
		offer(o, tags.items[i], NULL);
}

static void offer_value(struct offer *o, struct invocation *inv, const struct option_spec *spec)
{
	for (const char *const *c = spec->choices; c && *c; c++)
		offer(o, *c, NULL);
	if (text_starts(spec->value, "REF"))
		offer_refs(o, inv);
	if (!strcmp(spec->value, "TAG"))
		offer_tags(o, inv);
	else if (text_ends(spec->value, strlen(spec->value), "DIR"))
		strbuf_adds(&o->out, ":folders\n");
	else if (!strcmp(spec->value, "FILE") || !strcmp(spec->value, "RESULT") || !strcmp(spec->value, "BASE"))
		strbuf_adds(&o->out, ":files\n");
}

static void offer_commands(struct offer *o, const struct command_def *const *commands)
{
	for (; *commands; commands++)
		offer(o, (*commands)->name, (*commands)->summary);
}

static void offer_scenarios(struct offer *o, struct invocation *inv)
{
	CLEANUP(project_close) struct project project = { 0 };

	if (open_scenarios(&project, inv))
		for (size_t i = 0; i < project.n_scenarios; i++)
			offer(o, project.scenarios[i]->name, project.scenarios[i]->description);
	strbuf_adds(&o->out, ":scenarios\n");
}

static void offer_argument(struct offer *o, struct invocation *inv, const struct position *at)
{
	const char *args = at->command->args;
	size_t len = strcspn(args, " ");
	bool fixed = memchr(args, '|', len);

	if (fixed && at->n_words == 1) {
		for (const char *one = args, *end = args + len; one < end; one += strcspn(one, "| ") + 1) {
			CLEANUP(free_ptr) char *word = xstrndup(one, strcspn(one, "| "));

			offer(o, word, NULL);
		}
		return;
	}
	args += fixed ? len : 0;
	if (strstr(args, "SCENARIO"))
		offer_scenarios(o, inv);
	else if (strstr(args, "COMMAND"))
		offer_commands(o, inv->commands);
	else if (*args)
		strbuf_adds(&o->out, ":files\n");
}

static int complete(struct invocation *inv, struct error *err)
{
	size_t before = inv->args.n ? inv->args.n - 1 : 0;
	const char *word = inv->args.n ? inv->args.items[before] : "", *equals = strchr(word, '=');
	CLEANUP(free_ptr) char *prefix = equals ? xstrndup(word, (size_t)(equals + 1 - word)) : NULL;
	struct position at = position_after(inv, &inv->args, before);
	struct offer o = { .word = word, .prefix = "", .out = STRBUF_INIT };
	int ret;

	if (!at.option && !at.ended && text_starts(word, "--") && equals) {
		CLEANUP(free_ptr) char *name = xstrndup(word, (size_t)(equals - word));

		at.option = options_awaiting(cmd_options, cmd_options_size, taken_by(&at), name);
		o.prefix = prefix;
		o.word = equals + 1;
	}
	if (at.option)
		offer_value(&o, inv, at.option);
	else if (!at.ended && word[0] == '-')
		offer_options(&o, taken_by(&at));
	else if (!at.n_words)
		offer_commands(&o, inv->commands);
	else if (at.command)
		offer_argument(&o, inv, &at);
	ret = console_print(&o.out, err);
	strbuf_release(&o.out);
	return ret < 0 ? -1 : STATUS_OK;
}

/* In no table, so that help does not list what only the scripts use. */
const struct command_def cmd_complete = {
	.name = "__complete",
	.args = "[WORD...]",
	.starts_processes = true,
	.run = complete,
};
