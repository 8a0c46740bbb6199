#include "measure/services/services.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

static const struct {
	const char *said;
	enum inspect_outcome outcome;
} faults[] = {
	{ "no such container", INSPECT_UNKNOWN },
	{ "no such object", INSPECT_UNKNOWN },
	{ "no container with name or id", INSPECT_UNKNOWN },
	{ "permission denied", INSPECT_DENIED },
	{ "cannot connect to", INSPECT_NO_DAEMON },
	{ "is the docker daemon running", INSPECT_NO_DAEMON },
};

/* Docker prints an empty list before it tells the fault. */
static const char *first_words(const char *text, size_t *len_out)
{
	for (;;) {
		size_t len = strcspn(text, "\n");

		if (!text[len] || (len && strncmp(text, "[]", len))) {
			*len_out = len;
			return text;
		}
		text += len + 1;
	}
}

static void keep_words(const char *from, size_t len, struct inspected *out)
{
	if (len >= sizeof out->words)
		len = sizeof out->words - 1;
	memcpy(out->words, from, len);
	out->words[len] = '\0';
}

static void read_fault(const char *text, struct inspected *out)
{
	size_t len;
	const char *line = first_words(text, &len);

	out->outcome = INSPECT_FAILED;
	for (size_t i = 0; i < sizeof faults / sizeof faults[0] && out->outcome == INSPECT_FAILED; i++)
		if (strcasestr(text, faults[i].said))
			out->outcome = faults[i].outcome;
	keep_words(line, len, out);
}

/* "PID true running", behind the mark. */
static bool read_state(const char *state, struct inspected *out)
{
	char *end;
	long pid;

	if (!isdigit((unsigned char)*state))
		return false;
	errno = 0;
	pid = strtol(state, &end, 10);
	if (errno || pid > INT_MAX || *end != ' ')
		return false;
	out->outcome = pid && !strncmp(end + 1, "true ", 5) ? INSPECT_RUNNING : INSPECT_STOPPED;
	if (out->outcome == INSPECT_STOPPED && strncmp(end + 1, "true ", 5) && strncmp(end + 1, "false ", 6))
		return false;
	out->pid = out->outcome == INSPECT_RUNNING ? (int)pid : 0;
	state = strchr(end + 1, ' ') + 1;
	keep_words(state, strcspn(state, "\n"), out);
	return true;
}

void inspected_parse(const char *text, bool failed, struct inspected *out)
{
	static const char mark[] = "pawl-state ";
	const char *line = text;

	*out = (struct inspected){ 0 };
	while (!failed && *line) {
		if (!strncmp(line, mark, sizeof mark - 1) && read_state(line + sizeof mark - 1, out))
			return;
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	read_fault(text, out);
}

bool inspected_name_valid(const char *name)
{
	if (!isalnum((unsigned char)*name))
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("_.-", *name))
			return false;
	return true;
}
