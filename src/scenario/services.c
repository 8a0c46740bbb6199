/* env: of a scenario: the services it starts, how to tell that they serve, and how they are ended. */
#include <signal.h>

#include "base/mem.h"
#include "base/parse.h"
#include "scenario/endpoint.h"
#include "scenario/scenario.h"
#include "scenario/values.h"

/* -------- readiness */

enum { STATUS_LOW = 100, STATUS_HIGH = 599 };

static const uint64_t second_ns = 1000000000;

static const char *const ready_kinds[] = {
	[READY_AT_ONCE] = "", [READY_TCP] = "tcp", [READY_HTTP] = "http", [READY_LOG] = "log", [READY_FILE] = "file",
	[READY_COMMAND] = "command", [READY_DELAY] = "delay", NULL,
};

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

/* pawl speaks no TLS, which a URL may ask for: that is told otherwise than what is no URL. */
static int parse_http(struct source *source, const struct node_entry *entry, void *out)
{
	static const struct field url = {
		.type = FIELD_TEXT, .names = true, .fits = is_url, .expected = "a URL such as http://127.0.0.1:8080/health",
	};

	if (entry->value.kind == NODE_TEXT && !strncmp(entry->value.text, "https:", 6))
		return source_fault(source, entry->value.at,
				    "pawl asks over plain http only; use 'command: [curl, -fsS, URL]' instead");
	return value_read(source, &url, entry, out);
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

static int check_ready(struct source *source, const struct node_entry *entry, void *out)
{
	struct ready *ready = out;
	int ret = 0;

	for (size_t i = READY_TCP; ready_kinds[i]; i++)
		if (node_find(&entry->value, ready_kinds[i]))
			ready->kind = (enum ready_kind)i;
	for (size_t i = 0; i < sizeof companions / sizeof *companions; i++) {
		const struct node_entry *found = node_find(&entry->value, companions[i].key);

		if (found && (ready->kind == companions[i].kind) != companions[i].wanted)
			ret = source_fault(source, found->key.at, "%s", companions[i].why);
	}
	return ret;
}

static const struct field ready_items[] = {
	{ FIELD_AS("tcp", struct ready, text), .names = true, .fits = is_address,
	  .expected = "HOST:PORT such as 127.0.0.1:6379", .help = "HOST:PORT that accepts a connection." },
	{ FIELD_BY("http", struct ready, text, parse_http), .help = "A URL that answers.",
	  .schema = "{'type': ['string', 'number'], 'minLength': 1, 'pattern': '^(http://|.*\\\\$\\\\{)'}" },
	{ REGEX("log", struct ready, text), .help = "A regular expression that a line of its output matches." },
	{ FIELD_AS("file", struct ready, text), .names = true, .help = "A file that exists." },
	{ COMMAND("command", struct ready, command), .help = "A command that succeeds." },
	{ FIELD_AS("delay", struct ready, delay_ns), .help = "So long after its start." },
	{ FIELD_AS("timeout", struct ready, timeout_ns), .help = "How long to wait for it. Default: 30s." },
	{ FIELD(struct ready, status), .min = STATUS_LOW, .max = STATUS_HIGH,
	  .help = "With http: the status of the answer. Default: any from 200 to 399." },
	{ REGEX("body", struct ready, body), .help = "With http: a regular expression that the answer's body matches." },
};

static const struct fields ready_fields = {
	FIELDS(ready_items), .one_of = ready_kinds + READY_TCP, .what = "what tells that it is ready",
	.rules = "{'dependencies': {'status': ['http'], 'body': ['http'], 'delay': {'not': {'required': ['timeout']}}}}",
};

/* -------- stopping */

enum { SIGNAL_HIGH = 64 };

static const struct {
	const char *name;
	int number;
} signals[] = {
	{ "TERM", SIGTERM }, { "INT", SIGINT }, { "QUIT", SIGQUIT }, { "HUP", SIGHUP }, { "USR1", SIGUSR1 },
	{ "USR2", SIGUSR2 }, { "ALRM", SIGALRM }, { "WINCH", SIGWINCH }, { "PWR", SIGPWR }, { "KILL", SIGKILL },
};

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

static const struct field stop_items[] = {
	{ COMMAND("command", struct stop, command), .help = "A command that ends it." },
	{ FIELD_BY("signal", struct stop, signal, parse_signal), .help = "A signal such as TERM, INT or QUIT, or its number.",
	  .schema = "{'type': ['string', 'integer'], 'minimum': 1, 'maximum': 64, 'pattern': "
		    "'^((SIG)?(TERM|INT|QUIT|HUP|USR1|USR2|ALRM|WINCH|PWR|KILL)|[0-9]+)$'}" },
	{ FIELD_AS("grace", struct stop, grace_ns), .help = "How long it may take; then it is killed. Default: 5s." },
};

static const struct fields stop_fields = { FIELDS(stop_items), .one_of = (const char *const[]){ "command", "signal", NULL } };

/* -------- a service */

static const struct field service_items[] = {
	{ NAME("name", struct service, name), .needed = true, .missing = "a name for the service",
	  .help = "What target: and reports call it." },
	{ COMMAND("command", struct service, command), .needed = true, .missing = "the command that starts it and stays",
	  .help = "What starts it; it stays until it is stopped." },
	{ ENVIRONMENT("environment", struct service, environment), .help = "Variables added to its environment." },
	{ FIELD(struct service, cwd), .names = true, .help = "Working folder, relative to the project's root." },
	{ USER("user", struct service, user), .help = "The user it runs as." },
	{ FIELD(struct service, ready), .object = &ready_fields, .yaml = check_ready,
	  .help = "How to tell that it serves. Default: as soon as it runs." },
	{ FIELD(struct service, stop), .object = &stop_fields,
	  .help = "How it is ended. Default: by SIGTERM." },
};

const struct fields service_fields = { FIELDS(service_items) };

/* A service with faults is kept when it has its name, so that a target that names it is no second fault. */
static int add_service(struct source *source, const struct node_entry *entry, void *out)
{
	const struct node *node = &entry->value;
	struct scenario *scenario = out;
	struct service service = {
		.ready.timeout_ns = 30 * second_ns, .stop = { .signal = SIGTERM, .grace_ns = 5 * second_ns }, .line = node->at.line,
	};
	int ret = fields_parse(source, node, &service_fields, &service);
	const struct service *other;

	if (!service.name)
		return -1;
	other = scenario_service(scenario, service.name);
	if (other)
		return source_fault(source, node->at, "another service is called '%s', on line %u; rename one",
				    service.name, other->line);
	ARENA_GROW(source->arena, scenario->services, scenario->n_services, scenario->cap_services);
	scenario->services[scenario->n_services++] = service;
	return ret;
}

int services_parse(struct source *source, const struct node_entry *entry, void *out)
{
	return fields_each(source, &entry->value, "services", SCENARIO_SERVICES_MAX, add_service, out);
}

const struct service *scenario_service(const struct scenario *scenario, const char *name)
{
	for (size_t i = 0; i < scenario->n_services; i++)
		if (!strcmp(scenario->services[i].name, name))
			return &scenario->services[i];
	return NULL;
}
