#include "scenario/stop.h"

#include <signal.h>

#include "base/parse.h"
#include "scenario/values.h"

enum { SIGNAL_HIGH = 64 };

static const uint64_t grace_default_ns = 5ull * 1000000000;

static const struct {
	const char *name;
	int number;
} signals[] = {
	{ "TERM", SIGTERM }, { "INT", SIGINT }, { "QUIT", SIGQUIT }, { "HUP", SIGHUP }, { "USR1", SIGUSR1 },
	{ "USR2", SIGUSR2 }, { "ALRM", SIGALRM }, { "WINCH", SIGWINCH }, { "PWR", SIGPWR }, { "KILL", SIGKILL },
};

void stop_init(struct stop *stop)
{
	*stop = (struct stop){ .signal = SIGTERM, .grace_ns = grace_default_ns };
}

/* 0 for what is no signal. */
static int signal_number(const char *text)
{
	const char *name = strncmp(text, "SIG", 3) ? text : text + 3;
	uint64_t number;

	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (!strcmp(signals[i].name, name))
			return signals[i].number;
	return parse_u64(text, &number, NULL) < 0 || number > SIGNAL_HIGH ? 0 : (int)number;
}

static int parse_signal(struct source *source, const struct node_entry *entry, void *out)
{
	int number = entry->value.kind == NODE_TEXT ? signal_number(entry->value.text) : 0;

	if (!number)
		return node_expected(source, &entry->value,
				     "a signal such as TERM, INT, QUIT or a number from 1 to 64");
	*(int *)out = number;
	return 0;
}

int stop_check(struct source *source, const struct node_entry *entry, void *out)
{
	static const char *const ways[] = { "command", "signal" };
	const struct node_entry *found;

	(void)out;
	return fields_one_of(source, &entry->value, ways, 2, NULL, &found);
}

static const struct field stop_items[] = {
	{ "command", .parse = value_command, .offset = offsetof(struct stop, command) },
	{ "signal", .parse = parse_signal, .offset = offsetof(struct stop, signal) },
	{ "grace", .parse = value_duration, .offset = offsetof(struct stop, grace_ns) },
};

const struct fields stop_fields = FIELDS(stop_items);
