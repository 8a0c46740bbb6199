/* Replies of docker and podman: states, and error messages of several versions. */
#include "unit.h"

#include "measure/perf/target_run.h"
#include "measure/services/replies.h"

TEST(answers_are_understood)
{
	static const struct {
		const char *text; bool failed; enum inspect_outcome outcome; int pid; const char *words;
	} cases[] = {
		{ "pawl-state 123 true running\n", false, INSPECT_RUNNING, 123, "running" },
		{ "WARN[0000] the cgroup manager is odd\npawl-state 9 true running\n", false, INSPECT_RUNNING, 9, "running" },
		{ "pawl-state 0 false exited\n", false, INSPECT_STOPPED, 0, "exited" },
		{ "pawl-state 0 false created", false, INSPECT_STOPPED, 0, "created" },
		{ "pawl-state 55 false paused\n", false, INSPECT_STOPPED, 0, "paused" },
		{ "pawl-state 0 true restarting\n", false, INSPECT_STOPPED, 0, "restarting" },
		{ "[]\nError: No such container: web\n", true, INSPECT_UNKNOWN, 0, "Error: No such container: web" },
		{ "\nError response from daemon: No such container: web\n", true, INSPECT_UNKNOWN, 0,
		  "Error response from daemon: No such container: web" },
		{ "Error: inspecting object: no such container web\n", true, INSPECT_UNKNOWN, 0,
		  "Error: inspecting object: no such container web" },
		{ "Error: no container with name or ID \"web\" found: no such container\n", true, INSPECT_UNKNOWN, 0,
		  "Error: no container with name or ID \"web\" found: no such container" },
		{ "Got permission denied while trying to connect to the Docker daemon socket\n", true, INSPECT_DENIED, 0,
		  "Got permission denied while trying to connect to the Docker daemon socket" },
		{ "[]\nCannot connect to the Docker daemon at unix:///var/run/docker.sock.\n", true, INSPECT_NO_DAEMON, 0,
		  "Cannot connect to the Docker daemon at unix:///var/run/docker.sock." },
		{ "cannot resolve /nonexistent: no such file\nmore\n", true, INSPECT_FAILED, 0,
		  "cannot resolve /nonexistent: no such file" },
		{ "", true, INSPECT_FAILED, 0, "" }, { "", false, INSPECT_FAILED, 0, "" },
		/* An unreadable state is a fault, never a guessed number. */
		{ "pawl-state 12", false, INSPECT_FAILED, 0, "pawl-state 12" },
		{ "pawl-state -1 true running", false, INSPECT_FAILED, 0, "pawl-state -1 true running" },
		{ "pawl-state 12 maybe running", false, INSPECT_FAILED, 0, "pawl-state 12 maybe running" },
		{ "pawl-state 99999999999 true running", false, INSPECT_FAILED, 0, "pawl-state 99999999999 true running" },
		{ "pawl-state 12 true running\n", true, INSPECT_FAILED, 0, "pawl-state 12 true running" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct inspected answer;

		inspected_parse(cases[i].text, cases[i].failed, &answer);
		assert_int_equal(answer.outcome, cases[i].outcome);
		assert_int_equal(answer.pid, cases[i].pid);
		assert_string_equal(answer.words, cases[i].words);
	}
}

TEST(long_words_are_cut)
{
	struct inspected answer;
	char text[1000];

	memset(text, 'x', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	inspected_parse(text, true, &answer);
	assert_int_equal(strlen(answer.words), sizeof answer.words - 1);
}

TEST(only_names_of_containers_are_passed_on)
{
	static const char *const good[] = { "web", "a", "0f3b", "my_app-web.1", "A" };
	static const char *const bad[] = { "", "-web", "--format", "_web", ".web", "we b", "web;ls", "a/b", "{{.}}", "\xc3\xa4" };

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(inspected_name_valid(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(inspected_name_valid(bad[i]));
}
