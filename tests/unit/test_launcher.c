/* Whose time a run's is: a launcher's, or that of the program that it starts. */
#include "unit.h"

#include "measure/perf/launcher.h"

#define PYTHON "/root/.pyenv/versions/3.12.1/bin/python3.12"
#define NAMED(share, by, command) \
	share " % of a run is spent in " by ", which only starts a program: to measure the program alone, name it in target: " command

/* WORDS are separated by blanks; '|' is a blank inside a word. The process is at CPU_MS. */
static void look(struct launcher *l, pid_t pid, double cpu_ms, const char *words, const char *exe)
{
	char text[200];
	size_t len = strlen(words) + 1;

	memcpy(text, words, len);
	for (size_t i = 0; i < len; i++)
		text[i] = text[i] == ' ' ? '\0' : text[i] == '|' ? ' ' : text[i];
	launcher_look(l, &(struct launcher_process){ .pid = pid, .cpu_ms = cpu_ms, .exe = exe, .words = text, .len = len });
}

TEST(a_launcher_that_takes_most_of_the_time_is_named)
{
	static const struct {
		struct { const char *words, *exe; double ms; } seen[5];
		const char *advice;
	} cases[] = {
		/* pyenv execs the program: one process after the other */
		{ { { "bash /root/.pyenv/shims/python x.py", "/usr/bin/bash", 100 }, { "bash /root/.pyenv/libexec/pyenv exec python x.py", "/usr/bin/bash", 280 }, { "sh -c x", "/usr/bin/dash", 20 },
		    { PYTHON " x.py", PYTHON, 100 }, { "readlink -f x", "/usr/bin/readlink", 40 } }, NAMED("74", "bash", PYTHON) },
		{ { { "npm|exec|prettier", "/usr/bin/node", 70 }, { "node /p/node_modules/.bin/prettier x", "/usr/bin/node", 30 } },
		  NAMED("70", "npm", "/usr/bin/node /p/node_modules/.bin/prettier") },
		{ { { "/root/.cargo/bin/cargo run --release", "/root/.rustup/cargo", 60 }, { "target/release/app 3", "/p/target/release/app", 20 } },
		  NAMED("75", "cargo", "/p/target/release/app") },
		/* The program takes most of it. */
		{ { { "sh -c ./app", "/usr/bin/dash", 50 }, { "./app", "/p/app", 50 } }, NULL },
		/* Nothing else, or nothing sure, was seen. */
		{ { { "bash work.sh", "/usr/bin/bash", 500 } }, NULL },
		{ { { "bash work.sh", "/usr/bin/bash", 500 }, { "sed s/a/b/", "/usr/bin/sed", 10 } }, NULL },
		/* A script that is itself the work starts many programs. */
		{ { { "bash work.sh", "/usr/bin/bash", 500 }, { "sed s/a/b/", "/usr/bin/sed", 40 }, { "awk x", "/usr/bin/gawk", 40 }, { "cut x", "/usr/bin/cut", 30 } },
		  NULL },
		{ { { "./app", "/p/app", 50 } }, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(free_ptr) char *advice = NULL;
		struct launcher launcher = { 0 };
		double cpu_ms = 0;

		/* One process that execs: its CPU time goes on. */
		for (size_t k = 0; k < 5 && cases[i].seen[k].words; k++)
			look(&launcher, 7, cpu_ms += cases[i].seen[k].ms, cases[i].seen[k].words, cases[i].seen[k].exe);
		advice = launcher_advice(&launcher);
		if (!cases[i].advice != !advice || (advice && strcmp(advice, cases[i].advice)))
			fail_msg("case %zu: %s", i, advice ?: "none");
	}
}

TEST(processes_are_told_apart)
{
	struct launcher launcher = { 0 };
	CLEANUP(free_ptr) char *advice = NULL;

	for (double ms = 10; ms <= 100; ms += 10) {
		look(&launcher, 7, ms, "bash x", "/usr/bin/bash");
		look(&launcher, 8, ms / 2, "./app", "/p/app");
	}
	advice = launcher_advice(&launcher);
	assert_string_equal(advice, NAMED("67", "bash", "/p/app"));
}

TEST(more_programs_than_it_remembers_are_no_harm)
{
	struct launcher launcher = { 0 };
	char word[] = "a";

	for (pid_t pid = 1; pid < 3 * LAUNCHED_PROCESSES; pid++) {
		*word = (char)('a' + pid % 26);
		look(&launcher, pid, 50, word, word);
	}
	look(&launcher, 1, 60, "", "");
	assert_null(launcher_advice(&launcher));
}
