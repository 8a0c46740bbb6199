#include "measure/perf/launcher.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* A program must be seen so often to be named. */
enum { LOOKS_LEAST = 2 };

/*
 * Returns the launcher that a command line runs, if any. Shells are recognised by its first word, other launchers by the
 * first or second.
 */
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

void launcher_look(struct launcher *l, const char *words, size_t len, const char *exe)
{
	const char *end = memchr(words, '\0', len), *second = end && end + 1 < words + len ? end + 1 : "";
	char first[LAUNCHED_LONGEST], command[LAUNCHED_LONGEST];
	const char *name;

	snprintf(first, sizeof first, "%.*s", (int)(end ? (size_t)(end - words) : len), words);
	/* npm sets its command line to one text: "npm exec prettier". */
	first[strcspn(first, " ")] = '\0';
	name = launcher_of(first, second);
	l->looks++;
	if (name) {
		l->of_launchers++;
		l->name = name;
		return;
	}
	/* An interpreter needs its script, too. */
	snprintf(command, sizeof command, *second == '/' ? "%s %s" : "%s", exe, second);
	for (size_t i = 0; i < LAUNCHED_MOST; i++) {
		if (!l->programs[i].looks)
			snprintf(l->programs[i].command, sizeof command, "%s", command);
		if (strcmp(l->programs[i].command, command))
			continue;
		l->programs[i].looks++;
		return;
	}
}

char *launcher_advice(const struct launcher *l)
{
	unsigned others = l->looks - l->of_launchers;
	size_t most = 0;
	const char *command;

	for (size_t i = 0; i < LAUNCHED_MOST; i++)
		if (l->programs[i].looks > l->programs[most].looks)
			most = i;
	if (l->of_launchers <= others || l->programs[most].looks < LOOKS_LEAST || 2 * l->programs[most].looks < others)
		return NULL;
	command = l->programs[most].command;
	return text_printf("%.0f %% of a run is spent in %s, which only starts a program: to measure the program alone, name it in target: %s",
			   100. * l->of_launchers / l->looks, l->name, command);
}
