#include "scenario/ready.h"

#include "base/mem.h"
#include "scenario/command.h"
#include "scenario/values.h"

enum { STATUS_LOW = 100, STATUS_HIGH = 599, PORT_HIGH = 65535 };

static const uint64_t timeout_default_ns = 30ull * 1000000000;

/* From READY_TCP on, in the order of enum ready_kind. */
static const char *const kinds[] = { "tcp", "http", "log", "file", "command", "delay" };

enum { KINDS = sizeof kinds / sizeof *kinds };
_Static_assert(READY_TCP + KINDS == READY_DELAY + 1, "kinds[] has every kind but READY_AT_ONCE");

void ready_init(struct ready *ready)
{
	*ready = (struct ready){ .timeout_ns = timeout_default_ns };
}

void ready_release(struct ready *ready)
{
	free(ready->text);
	command_release(&ready->command);
	free(ready->body);
	*ready = (struct ready){ 0 };
}

/* The LEN bytes at TEXT are a port. */
static bool is_port(const char *text, size_t len)
{
	unsigned long port;

	if (!len || len > 5 || strspn(text, "0123456789") < len)
		return false;
	port = strtoul(text, NULL, 10);
	return port >= 1 && port <= PORT_HIGH;
}

/* A name or an address, LEN bytes long; one with colons stands in brackets. */
static bool is_host(const char *text, size_t len)
{
	if (len > 2 && text[0] == '[' && text[len - 1] == ']')
		return strspn(text + 1, "0123456789abcdefABCDEF:.") == len - 2;
	return len && strcspn(text, " \t\r\n:/?#@[]\"<>\\") >= len;
}

static bool is_host_and_port(const char *text, size_t len)
{
	const char *colon = memrchr(text, ':', len);

	return colon && is_host(text, (size_t)(colon - text)) && is_port(colon + 1, len - (size_t)(colon + 1 - text));
}

static bool is_address(const char *text)
{
	return is_host_and_port(text, strlen(text));
}

/* http://HOST[:PORT][/PATH][?QUERY], in characters that may stand in the first line of a request. */
static bool is_url(const char *text)
{
	static const char scheme[] = "http://";
	size_t len;

	if (strncmp(text, scheme, sizeof scheme - 1))
		return false;
	for (const char *c = text; *c; c++)
		if (*c <= ' ' || *c > '~' || *c == '#')
			return false;
	text += sizeof scheme - 1;
	len = strcspn(text, "/?");
	return is_host(text, len) || is_host_and_port(text, len);
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
