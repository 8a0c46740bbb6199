#include "measure/services/replies.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>

#include "base/regex.h"
#include "base/text.h"

static const struct {
	const char *printed;
	enum inspect_outcome outcome;
} faults[] = {
	{ "no such container", INSPECT_UNKNOWN },
	{ "no such object", INSPECT_UNKNOWN },
	{ "no container with name or id", INSPECT_UNKNOWN },
	{ "permission denied", INSPECT_DENIED },
	{ "cannot connect to", INSPECT_NO_DAEMON },
	{ "is the docker daemon running", INSPECT_NO_DAEMON },
};

static void keep_words(const char *from, struct inspected *out)
{
	snprintf(out->words, sizeof out->words, "%.*s", (int)strcspn(from, "\n"), from);
}

/* Parses "PID true running". */
static bool read_state(const char *state, struct inspected *out)
{
	bool running, stopped;
	char *end;
	long pid;

	if (!isdigit((unsigned char)*state))
		return false;
	errno = 0;
	pid = strtol(state, &end, 10);
	running = text_starts(end, " true ");
	stopped = text_starts(end, " false ");
	if (errno || pid > INT_MAX || (!running && !stopped))
		return false;
	running = running && pid;
	out->outcome = running ? INSPECT_RUNNING : INSPECT_STOPPED;
	out->pid = running ? (int)pid : 0;
	keep_words(strchr(end + 1, ' ') + 1, out);
	return true;
}

void inspected_parse(const char *text, bool failed, struct inspected *out)
{
	static const char mark[] = "pawl-state ";
	const char *at = text, *end = text + strlen(text), *line;
	size_t len;

	*out = (struct inspected){ 0 };
	while (!failed && (line = text_next_line(&at, end, &len)))
		if (text_starts(line, mark) && read_state(line + sizeof mark - 1, out))
			return;
	out->outcome = INSPECT_FAILED;
	for (size_t i = 0; i < sizeof faults / sizeof faults[0] && out->outcome == INSPECT_FAILED; i++)
		if (strcasestr(text, faults[i].printed))
			out->outcome = faults[i].outcome;
	/* Docker prints an empty list before the error. */
	for (line = text; *line == '\n' || text_starts(line, "[]\n") ;)
		line += strcspn(line, "\n") + 1;
	keep_words(line, out);
}

bool inspected_name_valid(const char *name)
{
	return regex_matches("^[0-9A-Za-z][0-9A-Za-z_.-]*$", name);
}
