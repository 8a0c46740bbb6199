#include "base/parse.h"
#include "cmd/cmd.h"

const struct command_def *const cmd_table[] = {
	&cmd_run, &cmd_ab, &cmd_bisect, &cmd_calibrate, &cmd_baseline, &cmd_compare, &cmd_report, &cmd_flamegraph, &cmd_list,
	&cmd_check, &cmd_doctor, &cmd_help, &cmd_completion,
};

const size_t cmd_table_size = sizeof cmd_table / sizeof cmd_table[0];

const struct command_def *cmd_find(const char *name)
{
	for (size_t i = 0; i < cmd_table_size; i++)
		if (!strcmp(cmd_table[i]->name, name))
			return cmd_table[i];
	return NULL;
}

const struct command_def *cmd_need(const char *name, struct error *err)
{
	const struct command_def *command = cmd_find(name);
	const char *names[16], *near;

	if (command)
		return command;
	for (size_t i = 0; i < cmd_table_size; i++)
		names[i] = cmd_table[i]->name;
	near = nearest(name, names, cmd_table_size);
	if (near)
		error_set(err, ERR_INPUT, "there is no command '%.60s'; did you mean '%s'?", name, near);
	else
		error_set(err, ERR_INPUT, "there is no command '%.60s'; pawl --help lists them", name);
	return NULL;
}
