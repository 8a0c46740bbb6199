#include "cmd/cmd.h"

#include "base/mem.h"
#include "base/parse.h"
#include "base/text.h"
#include "job/verdicts.h"
#include "model/result.h"

enum { COMMANDS_MOST = 32 };

const struct command_def *cmd_find(const struct command_def *const *commands, const char *name)
{
	for (; *commands; commands++)
		if (!strcmp((*commands)->name, name))
			return *commands;
	return NULL;
}

const struct command_def *cmd_need(const struct command_def *const *commands, const char *name, struct error *err)
{
	const struct command_def *command = cmd_find(commands, name);
	const char *names[COMMANDS_MOST], *near;
	size_t n = 0;

	if (command)
		return command;
	while (n < COMMANDS_MOST && commands[n]) {
		names[n] = commands[n]->name;
		n++;
	}
	for (const struct gone_key *gone = cmd_gone; gone->key; gone++)
		if (!strcmp(gone->key, name)) {
			error_set(err, ERR_INPUT, "there is no command '%s' any more: %s", name, gone->instead);
			return NULL;
		}
	near = nearest(name, names, n);
	if (near)
		error_set(err, ERR_INPUT, "there is no command '%.60s'; did you mean '%s'?", name, near);
	else
		error_set(err, ERR_INPUT, "there is no command '%.60s'; pawl --help lists them", name);
	return NULL;
}

void cmd_fill_request(struct invocation *inv)
{
	const struct options *o = &inv->options;
	struct request *r = &inv->request;

	r->judges = inv->command->judges;
	r->reads_ref = inv->command->options & OPT_JUDGE;
	r->shows_all_faults = inv->command->goes_on;
	r->calibrates = inv->command->calibrates;
	r->shaping = (struct strv)STRV_INIT;
	cmd_shaping_options(&r->words, &inv->arena, &r->shaping);
	r->tags = o->tags;
	r->shard = o->shard;
	r->judge = o->judge;
	r->pairs = o->pairs;
	r->runs = o->runs;
	r->budget_ns = o->budget_ns;
	r->lock_wait_ns = o->lock_wait_ns;
	r->seed = o->seed;
	r->attach = o->attach;
	r->no_profile = o->no_profile;
	r->no_confirm = o->no_confirm;
	r->explain = o->explain;
	r->no_explain = o->no_explain;
	r->keep_env = o->keep_env;
	r->show_output = o->show_output;
	r->out = o->out;
	r->output = o->output;
	r->strict = o->strict;
	r->accept = o->accept;
	r->json = o->json;
	r->quiet = o->quiet;
	r->verbose = o->verbose;
}

int cmd_read_result(const char *path, struct result *out, struct error *err)
{
	if (verdicts_read(path, out, err) < 0)
		return -1;
	cmd_shaping_options(&out->command, &out->arena, &out->options);
	return 0;
}
