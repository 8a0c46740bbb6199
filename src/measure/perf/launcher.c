#include "measure/perf/launcher.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Least CPU time of a launcher, and of a program. The kernel counts in ticks of 10 ms. */
#define LEAST_MS 20.0

/* Shells are known by the first word, other launchers by the first or second. */
static const char *launcher_of(const char *first, const char *second)
{
	static const char *const shells[] = { "sh", "bash", "dash", "zsh", "ksh", "env" };
	static const char *const launchers[] = {
		"pyenv", "npx", "npm", "pnpm", "yarn", "cargo", "rustup", "uv", "poetry", "pipenv", "rbenv", "bundle", "mise", "asdf", "go",
	};
	const char *const words[] = { first, second };

	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (!strcmp(path_name(first), shells[i]))
			return shells[i];
	for (size_t k = 0; k < sizeof words / sizeof *words; k++)
		for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
			if (!strcmp(path_name(words[k]), launchers[i]))
				return launchers[i];
	return NULL;
}

static void count(struct launched *all, const char *command, double ms)
{
	for (size_t i = 0; i < LAUNCHED_MOST; i++) {
		if (!*all[i].command)
			snprintf(all[i].command, sizeof all[i].command, "%s", command);
		if (strcmp(all[i].command, command))
			continue;
		all[i].ms += ms;
		return;
	}
}

static const struct launched *most_of(const struct launched *all)
{
	const struct launched *most = all;

	for (size_t i = 1; i < LAUNCHED_MOST; i++)
		if (all[i].ms > most->ms)
			most = &all[i];
	return most;
}

static double since_last(struct launcher *l, pid_t pid, double ms)
{
	size_t i = 0;
	double before;

	while (i < l->n && l->processes[i].pid != pid)
		i++;
	if (i == LAUNCHED_PROCESSES)
		return 0;
	before = i < l->n ? l->processes[i].ms : 0;
	l->processes[i].pid = pid;
	l->processes[i].ms = ms;
	l->n += i == l->n;
	return ms > before ? ms - before : 0;
}

void launcher_look(struct launcher *l, const struct launcher_process *process)
{
	const char *end = process->words + process->len, *second = process->words + strlen(process->words) + 1;
	double ms = since_last(l, process->pid, process->cpu_ms);
	char first[LAUNCHED_LONGEST], command[LAUNCHED_LONGEST];
	const char *name;

	second = second < end ? second : "";
	/* npm sets its command line to one text: "npm exec prettier". */
	snprintf(first, sizeof first, "%.*s", (int)strcspn(process->words, " "), process->words);
	name = launcher_of(first, second);
	l->all_ms += ms;
	l->launchers_ms += name ? ms : 0;
	snprintf(command, sizeof command, "%s%s%s", process->exe, *second == '/' ? " " : "", *second == '/' ? second : "");
	count(name ? l->launchers : l->programs, name ?: command, ms);
}

char *launcher_advice(const struct launcher *l)
{
	const struct launched *program = most_of(l->programs);
	double others_ms = l->all_ms - l->launchers_ms;

	if (l->launchers_ms < LEAST_MS || program->ms < LEAST_MS || l->launchers_ms <= others_ms || 2 * program->ms < others_ms)
		return NULL;
	return text_printf("%.0f %% of a run is spent in %s, which only starts a program: to measure the program alone, name it in target: %s",
			   100 * l->launchers_ms / l->all_ms, most_of(l->launchers)->command, program->command);
}
