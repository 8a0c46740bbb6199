/*
 * Runs pawl's commands one after the other in one process, for mutate.py: starting a program with sanitizers takes
 * longer than most commands. Reads lines from standard input, with fields separated by \x1f: 1 for a job of GitHub or
 * 0, then the arguments. Writes `out` and `err` in the folder argv[1], and answers with the status. An empty line asks
 * for leaks; the answer is 0 or 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARGUMENTS_MOST = 32, LINE_MOST = 1 << 16 };

/* main() of src/main.c, renamed. */
int pawl_main(int argc, char **argv);
__attribute__((weak)) int __lsan_do_recoverable_leak_check(void);

static void begin_file(const char *name, int fd)
{
	int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);

	if (file < 0 || dup2(file, fd) < 0)
		exit(98);
	close(file);
}

static int run(const char *folder, char *line)
{
	static char name[] = "pawl";
	char *argv[ARGUMENTS_MOST + 2] = { name }, *rest = line, *field = strsep(&rest, "\x1f");
	char out[4096], err[4096];
	int argc = 1, status;

	if (*field == '1')
		setenv("GITHUB_ACTIONS", "true", 1);
	else
		unsetenv("GITHUB_ACTIONS");
	while (argc <= ARGUMENTS_MOST && (field = strsep(&rest, "\x1f")))
		argv[argc++] = field;
	snprintf(out, sizeof out, "%s/out", folder);
	snprintf(err, sizeof err, "%s/err", folder);
	begin_file(out, STDOUT_FILENO);
	begin_file(err, STDERR_FILENO);
	errno = 0;
	status = pawl_main(argc, argv);
	fflush(stdout);
	fflush(stderr);
	return status;
}

int main(int argc, char **argv)
{
	static char line[LINE_MOST];
	FILE *answers = fdopen(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 10), "w");

	if (argc != 2 || !answers)
		return 2;
	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		fprintf(answers, "%d\n", line[0] ? run(argv[1], line) :
					   __lsan_do_recoverable_leak_check ? __lsan_do_recoverable_leak_check() : 0);
		fflush(answers);
	}
	/* Skips the leak check at exit: the loop above answers for leaks. */
	_exit(0);
}
