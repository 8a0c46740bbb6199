#include "scenario/ready.h"

#include "base/cleanup.h"
#include "model/endpoint.h"
#include "scenario/values.h"

enum { STATUS_LOW = 100, STATUS_HIGH = 599 };

static const uint64_t timeout_default_ns = 30ull * 1000000000;

/* From READY_TCP on, in the order of enum ready_kind. */
static const char *const kinds[] = { "tcp", "http", "log", "file", "command", "delay" };

enum { KINDS = sizeof kinds / sizeof *kinds };
_Static_assert(READY_TCP + KINDS == READY_DELAY + 1, "kinds[] has every kind but READY_AT_ONCE");

void ready_init(struct ready *ready)
{
	*ready = (struct ready){ .timeout_ns = timeout_default_ns };
}

static bool is_address(const char *text)
{
	CLEANUP(endpoint_release) struct endpoint endpoint = { 0 };

	return endpoint_parse(text, &endpoint, NULL) == 0;
}

static bool is_url(const char *text)
{
	CLEANUP(endpoint_release) struct endpoint endpoint = { 0 };

	return endpoint_parse_url(text, &endpoint, NULL) == 0;
}

static int parse_tcp(struct source *source, const struct node_entry *entry, void *out)
{
	return value_shaped(source, entry, is_address, "HOST:PORT such as 127.0.0.1:6379", out);
}

static int parse_http(struct source *source, const struct node_entry *entry, void *out)
{
	if (entry->value.kind == NODE_TEXT && !strncmp(entry->value.text, "https:", 6))
		return source_fault(source, entry->value.at,
				    "pawl asks over plain http only; use 'command: [curl, -fsS, URL]' instead");
	return value_shaped(source, entry, is_url, "a URL such as http://127.0.0.1:8080/health", out);
}

static int parse_status(struct source *source, const struct node_entry *entry, void *out)
{
	return value_count(source, &entry->value, STATUS_LOW, STATUS_HIGH, out);
}

/* What does not go with every kind. */
static const struct {
	const char *key;
	enum ready_kind kind;
	bool wanted;	/* it goes with this kind only; else with any but this */
	const char *why;
} companions[] = {
	{ "status", READY_HTTP, true, "status is of http; leave it out" },
	{ "body", READY_HTTP, true, "body is of http; leave it out" },
	{ "timeout", READY_DELAY, false, "timeout and delay exclude each other; keep one" },
};

int ready_check(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *mapping = &entry->value;
	const struct node_entry *found;
	struct ready *ready = out;
	int ret = 0;

	if (fields_one_of(source, mapping, kinds, KINDS, "what tells that it is ready", &found) < 0)
		return -1;
	for (size_t i = 0; i < KINDS; i++)
		if (!strcmp(kinds[i], found->key.text))
			ready->kind = READY_TCP + (enum ready_kind)i;
	for (size_t i = 0; i < sizeof companions / sizeof *companions; i++) {
		found = node_find(mapping, companions[i].key);
		if (found && (ready->kind == companions[i].kind) != companions[i].wanted)
			ret = source_fault(source, found->key.at, "%s", companions[i].why);
	}
	return ret;
}

static const struct field ready_items[] = {
	{ "tcp", .parse = parse_tcp, .offset = offsetof(struct ready, text) },
	{ "http", .parse = parse_http, .offset = offsetof(struct ready, text) },
	{ "log", .parse = value_regex, .offset = offsetof(struct ready, text) },
	{ "file", .parse = value_expanded, .offset = offsetof(struct ready, text) },
	{ "command", .parse = value_command, .offset = offsetof(struct ready, command) },
	{ "delay", .parse = value_duration, .offset = offsetof(struct ready, delay_ns) },
	{ "timeout", .parse = value_duration, .offset = offsetof(struct ready, timeout_ns) },
	{ "status", .parse = parse_status, .offset = offsetof(struct ready, status) },
	{ "body", .parse = value_regex, .offset = offsetof(struct ready, body) },
};

const struct fields ready_fields = FIELDS(ready_items);
