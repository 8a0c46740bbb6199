/* Whose time a run's is: a launcher's, or that of the program that it starts. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "measure/perf/launcher.h"

#define PYTHON "/root/.pyenv/versions/3.12.1/bin/python3.12"
#define NAMED(share, by, command) \
	share " % of a run is spent in " by ", which only starts a program: to measure the program alone, name it in target: " command

/* WORDS are separated by blanks, or by '|' inside a word that has blanks. */
static void look(struct launcher *l, const char *words, const char *exe, unsigned times)
{
	char text[200];
	size_t len = strlen(words) + 1;

	memcpy(text, words, len);
	for (size_t i = 0; i < len; i++)
		text[i] = text[i] == ' ' ? '\0' : text[i] == '|' ? ' ' : text[i];
	while (times--)
		launcher_look(l, text, len, exe);
}

TEST(a_launcher_that_takes_most_of_the_time_is_named)
{
	static const struct {
		struct { const char *words, *exe; unsigned times; } seen[4];
		const char *advice;
	} cases[] = {
		/* pyenv execs the program: one process after the other */
		{ { { "bash /root/.pyenv/shims/python x.py", "/usr/bin/bash", 10 }, { "bash /root/.pyenv/libexec/pyenv exec python x.py", "/usr/bin/bash", 30 },
		    { PYTHON " x.py", PYTHON, 10 }, { "readlink -f x", "/usr/bin/readlink", 4 } }, NAMED("74", "bash", PYTHON) },
		{ { { "npm|exec|prettier", "/usr/bin/node", 7 }, { "node /p/node_modules/.bin/prettier x", "/usr/bin/node", 3 } },
		  NAMED("70", "npm", "/usr/bin/node /p/node_modules/.bin/prettier") },
		{ { { "/root/.cargo/bin/cargo run --release", "/root/.rustup/cargo", 6 }, { "target/release/app 3", "/p/target/release/app", 2 } },
		  NAMED("75", "cargo", "/p/target/release/app") },
		/* The program takes most of it. */
		{ { { "sh -c ./app", "/usr/bin/dash", 5 }, { "./app", "/p/app", 5 } }, NULL },
		/* Nothing else, or nothing sure, was seen. */
		{ { { "bash work.sh", "/usr/bin/bash", 50 } }, NULL },
		{ { { "bash work.sh", "/usr/bin/bash", 50 }, { "sed s/a/b/", "/usr/bin/sed", 1 } }, NULL },
		/* A script that is itself the work starts many programs. */
		{ { { "bash work.sh", "/usr/bin/bash", 50 }, { "sed s/a/b/", "/usr/bin/sed", 4 }, { "awk x", "/usr/bin/gawk", 4 }, { "cut x", "/usr/bin/cut", 3 } },
		  NULL },
		{ { { "./app", "/p/app", 5 } }, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *advice = NULL;
		struct launcher launcher = { 0 };

		for (size_t k = 0; k < 4 && cases[i].seen[k].words; k++)
			look(&launcher, cases[i].seen[k].words, cases[i].seen[k].exe, cases[i].seen[k].times);
		advice = launcher_advice(&launcher);
		if (!cases[i].advice != !advice || (advice && strcmp(advice, cases[i].advice)))
			fail_msg("case %zu: %s", i, advice ?: "none");
	}
}

TEST(more_programs_than_it_remembers_are_no_harm)
{
	struct launcher launcher = { 0 };
	char word[] = "a";

	for (; *word < 'z'; ++*word)
		look(&launcher, word, word, 1);
	look(&launcher, "", "", 1);
	assert_null(launcher_advice(&launcher));
	assert_int_equal(launcher.looks, 26);
}
