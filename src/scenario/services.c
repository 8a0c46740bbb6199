/* env: of a scenario: the services it starts, how to know that they serve, and how they are ended. */
#include <signal.h>
#include <strings.h>

#include "base/mem.h"
#include "base/parse.h"
#include "scenario/yaml.h"

/* -------- where a server is asked */

enum { HOST_LARGEST = 253, HTTP_PORT = 80 };
#define SCHEME "http://"
#define ALNUM "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

void endpoint_release(struct endpoint *endpoint)
{
	free(endpoint->host);
	free(endpoint->path);
	*endpoint = (struct endpoint){ 0 };
}

/* HOST[:PORT]; without one OUT->port stays. Returns what is wrong, or NULL. */
static const char *take_authority(const char *text, size_t len, struct endpoint *out)
{
	CLEANUP(free_ptr) char *all = xstrndup(text, len);
	char *host = all, *port = strrchr(all, ':'), *close;
	uint64_t number;

	if (strchr(all, '@'))
		return "user names and passwords are not sent";
	if (*all == '[') {
		close = strchr(all, ']');
		if (!close)
			return "the ] is missing";
		if (close[1] && close[1] != ':')
			return "only a port may follow the ]";
		port = close[1] ? close + 1 : NULL;
		*close = '\0';
		host++;
		if (!strchr(host, ':') || strlen(host) > HOST_LARGEST || host[strspn(host, "0123456789abcdefABCDEF:.")])
			return "brackets hold an IPv6 address, as in [::1]:80";
	} else {
		if (port)
			*port = '\0';
		if (!*host)
			return "the host is missing";
		if (strlen(host) > HOST_LARGEST)
			return "the host is longer than 253 characters";
		if (host[strspn(host, ALNUM ".-_")] == ':')
			return "an IPv6 address stands in brackets, as in [::1]:80";
		if (host[strspn(host, ALNUM ".-_")])
			return "a host consists of letters, digits, dots and dashes";
	}
	if (port && (parse_u64(port + 1, &number, NULL) < 0 || !number || number > 65535))
		return "a port is a number from 1 to 65535";
	if (port)
		out->port = (uint16_t)number;
	out->host = xstrdup(host);
	return NULL;
}

static const char *take_url(const char *text, struct endpoint *out)
{
	const char *authority = text + strlen(SCHEME), *path, *why;
	struct strbuf whole = STRBUF_INIT;

	if (!strncasecmp(text, "https://", 8))
		return "only plain http is spoken; for https let ready.command run curl";
	if (strncasecmp(text, SCHEME, strlen(SCHEME)))
		return "it does not begin with " SCHEME;
	path = authority + strcspn(authority, "/?#");
	out->port = HTTP_PORT;
	why = take_authority(authority, (size_t)(path - authority), out);
	if (why)
		return why;
	for (const char *p = path; *p && *p != '#'; p++)
		if (*p <= ' ' || *p > '~')
			return "spaces, control characters and those beyond ASCII are written as %20 and the like";
	if (*path != '/')
		strbuf_addc(&whole, '/');
	strbuf_add(&whole, path, strcspn(path, "#"));
	out->path = strbuf_take(&whole);
	return NULL;
}

static const char *take_host_port(const char *text, struct endpoint *out)
{
	const char *why;

	if (strstr(text, "://"))
		return "that is a URL, which ready.http takes";
	if (!strchr(text, ':'))
		return "the port is missing";
	why = take_authority(text, strlen(text), out);
	return why || out->port ? why : "the port is missing";
}

static int parse_endpoint(const char *text, const char *(*take)(const char *text, struct endpoint *out), const char *expected,
			  struct endpoint *out, struct error *err)
{
	CLEANUP(endpoint_release) struct endpoint endpoint = { 0 };
	const char *why = take(text, &endpoint);

	if (why)
		return error_set(err, ERR_INPUT, "expected %s, found '%.60s': %s", expected, text, why);
	*out = endpoint;
	endpoint = (struct endpoint){ 0 };
	return 0;
}

int endpoint_parse(const char *text, struct endpoint *out, struct error *err)
{
	return parse_endpoint(text, take_host_port, "HOST:PORT such as 127.0.0.1:6379", out, err);
}

int endpoint_parse_url(const char *text, struct endpoint *out, struct error *err)
{
	return parse_endpoint(text, take_url, "a URL such as http://127.0.0.1:8080/health", out, err);
}

void endpoint_add_host(const struct endpoint *endpoint, struct strbuf *out)
{
	strbuf_addf(out, strchr(endpoint->host, ':') ? "[%s]" : "%s", endpoint->host);
	if (endpoint->port != HTTP_PORT)
		strbuf_addf(out, ":%u", endpoint->port);
}

/* -------- readiness */

enum { STATUS_LOW = 100, STATUS_HIGH = 599 };

static const char *const ready_kinds[] = {
	[READY_AT_ONCE] = "", [READY_TCP] = "tcp", [READY_HTTP] = "http", [READY_LOG] = "log", [READY_FILE] = "file",
	[READY_COMMAND] = "command", [READY_DELAY] = "delay", NULL,
};

static bool is_address(const char *text)
{
	CLEANUP(endpoint_release) struct endpoint endpoint = { 0 };

	return endpoint_parse(text, &endpoint, NULL) == 0;
}

/* One of https fits, too: that pawl speaks no TLS is reported otherwise than what is no URL. */
static bool is_url(const char *text)
{
	CLEANUP(endpoint_release) struct endpoint endpoint = { 0 };

	return text_starts(text, "https:") || endpoint_parse_url(text, &endpoint, NULL) == 0;
}

static int check_url(struct source *source, const struct node_entry *entry, void *out)
{
	(void)out;
	if (!text_starts(entry->value.text, "https:"))
		return 0;
	return source_fault(source, entry->value.at,
			    "pawl asks over plain http only; use 'command: [curl, -fsS, URL]' instead");
}

static int check_ready(struct source *source, const struct node_entry *entry, void *out)
{
	struct ready *ready = out;
	int ret = 0;

	for (size_t i = READY_TCP; ready_kinds[i]; i++)
		if (node_find(&entry->value, ready_kinds[i]))
			ready->kind = (enum ready_kind)i;

	const struct {
		const char *key;
		bool refused;
		const char *why;
	} rules[] = {
		{ "status", ready->kind != READY_HTTP, "status is of http; leave it out" },
		{ "body", ready->kind != READY_HTTP, "body is of http; leave it out" },
		{ "timeout", ready->kind == READY_DELAY, "timeout and delay exclude each other; keep one" },
	};

	for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
		const struct node_entry *found = node_find(&entry->value, rules[i].key);

		if (found && rules[i].refused)
			ret = source_fault(source, found->key.at, "%s", rules[i].why);
	}
	return ret;
}

static const struct field ready_items[] = {
	{ FIELD_AS("tcp", struct ready, text), .names = true, .fits = is_address,
	  .expected = "HOST:PORT such as 127.0.0.1:6379", .help = "HOST:PORT that accepts a connection." },
	{ FIELD_AS("http", struct ready, text), .names = true, .fits = is_url, .yaml = check_url,
	  .expected = "a URL such as http://127.0.0.1:8080/health", .help = "A URL that answers.",
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
	FIELDS(ready_items), .one_of = ready_kinds + READY_TCP, .what = "what shows that it is ready",
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

static int parse_signal(struct source *source, const struct node_entry *entry, void *out)
{
	const char *text = entry->value.kind == NODE_TEXT ? entry->value.text : "";
	uint64_t number = 0;

	if (parse_u64(text, &number, NULL) < 0)
		for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
			if (!strcmp(signals[i].name, text + (text_starts(text, "SIG") ? 3 : 0)))
				number = (uint64_t)signals[i].number;
	if (!number || number > SIGNAL_HIGH)
		return node_expected(source, &entry->value, "a signal such as TERM, INT, QUIT or a number from 1 to 64");
	*(int *)out = (int)number;
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
	  .help = "How to know that it serves. Default: as soon as it runs." },
	{ FIELD(struct service, stop), .object = &stop_fields,
	  .help = "How it is ended. Default: by SIGTERM." },
};

static const uint64_t second_ns = 1000000000;

const struct fields service_fields = { FIELDS(service_items) };

/* A service with faults is kept when it has its name, so that a target that names it is no second fault. */
int services_add(struct source *source, const struct node_entry *entry, void *out)
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

const struct service *scenario_service(const struct scenario *scenario, const char *name)
{
	for (size_t i = 0; i < scenario->n_services; i++)
		if (!strcmp(scenario->services[i].name, name))
			return &scenario->services[i];
	return NULL;
}
