/* env: of a scenario */
#include <signal.h>
#include <strings.h>
#include <sys/resource.h>

#include "base/mem.h"
#include "base/parse.h"
#include "scenario/yaml.h"

/* -------- addresses of servers */

enum { HOST_LARGEST = 253, HTTP_PORT = 80, HTTPS_PORT = 443 };
#define SCHEME "http://"
#define SCHEME_TLS "https://"
#define ALNUM "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

void endpoint_release(struct endpoint *endpoint)
{
	free(endpoint->host);
	free(endpoint->path);
	free(endpoint->socket);
	*endpoint = (struct endpoint){ 0 };
}

/* Without a port OUT->port is unchanged. Returns the error, or NULL. */
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

/* Parses /PATH[:/PATH of the request], nginx's notation. */
static const char *take_socket(const char *text, const char **path, struct endpoint *out)
{
	size_t len = strcspn(text, ":");

	*path = text + len + (text[len] == ':');
	out->socket = xstrndup(text, len);
	out->host = xstrdup("localhost");
	return **path && **path != '/' && **path != '?' ? "behind the socket's path a ':' and the path of the request follow" : NULL;
}

static const char *take_url(const char *text, struct endpoint *out)
{
	static const char socket[] = "unix:";
	bool tls = !strncasecmp(text, SCHEME_TLS, strlen(SCHEME_TLS));
	const char *authority = text + strlen(tls ? SCHEME_TLS : SCHEME), *path, *why;
	struct strbuf whole = STRBUF_INIT;

	if (!tls && strncasecmp(text, SCHEME, strlen(SCHEME)))
		return "it does not begin with " SCHEME " or " SCHEME_TLS;
	out->tls = tls;
	out->port = tls ? HTTPS_PORT : HTTP_PORT;
	if (text_starts(authority, socket) && authority[strlen(socket)] == '/') {
		why = take_socket(authority + strlen(socket), &path, out);
	} else {
		path = authority + strcspn(authority, "/?#");
		why = take_authority(authority, (size_t)(path - authority), out);
	}
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
	[READY_AT_ONCE] = "", [READY_TCP] = "tcp", [READY_UNIX] = "unix", [READY_HTTP] = "http", [READY_LOG] = "log",
	[READY_FILE] = "file", [READY_COMMAND] = "command", [READY_DELAY] = "delay", NULL,
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

/* Characters of a field name: RFC 9110, token. */
#define TOKEN ALNUM "!#$%&'*+-.^_`|~"

static int add_header(struct source *source, const struct node_entry *entry, void *headers)
{
	const char *name = entry->key.text, *value;
	size_t mark;
	int ret = -1;

	if (!*name || name[strspn(name, TOKEN)])
		return source_fault(source, entry->key.at, "expected the name of a header such as Authorization, found '%.60s'", name);
	mark = source_enter(source, name);
	value = value_text(source, &entry->value, "text (\"\" for none)");
	if (value && strpbrk(value, "\r\n"))
		source_fault(source, entry->value.at, "a header has one line");
	else if (value && !expand_check(source, &entry->value))
		ret = 0;
	if (ret == 0)
		arena_pushf(source->arena, headers, "%s: %s", name, value);
	source_leave(source, mark);
	return ret;
}

static int parse_headers(struct source *source, const struct node_entry *entry, void *headers)
{
	return node_each(source, &entry->value, NODE_MAPPING, "a mapping of headers to texts", add_header, headers);
}

static void show_headers(struct yaml_writer *w, const struct field *field, const void *member)
{
	(void)field;
	yaml_pairs(w, member, ": ");
}

static const char *ready_unfit(const struct scenario *scenario, const void *record, const char *key)
{
	const struct ready *ready = record;

	(void)scenario;
	if (ready->kind != READY_HTTP && TEXT_IS(key, "status", "body", "method", "headers"))
		return "this goes with http alone; leave it out";
	if (strcmp(key, "timeout"))
		return NULL;
	return ready->kind == READY_DELAY ? "timeout and delay exclude each other; keep one" :
	       ready->kind == READY_AT_ONCE ? "nothing is waited for" : NULL;
}

static const struct field ready_items[] = {
	{ FIELD_AS("tcp", struct ready, text), .names = true, .fits = is_address,
	  .expected = "HOST:PORT such as 127.0.0.1:6379",
	  .help = "`HOST:PORT` accepts a connection. If it does so before the service starts, another program has the "
		  "port, and the scenario fails." },
	{ FIELD_AS("http", struct ready, text), .names = true, .fits = is_url,
	  .expected = "a URL such as http://127.0.0.1:8080/health",
	  .help = "The URL answers with a status from 200 to 399; redirections are not followed. `https://` needs curl, "
		  "and the certificate is not checked. `http://unix:/PATH:/health` asks over a Unix socket. A port that "
		  "is taken fails as with `tcp`.",
	  .schema = "{'type': ['string', 'number'], 'minLength': 1, 'pattern': '^(https?://|.*\\\\$\\\\{)'}" },
	{ FIELD_AS("unix", struct ready, text), .names = true,
	  .help = "The Unix socket of this path accepts a connection. A relative path is below the project's root. A "
		  "socket that is taken fails as with `tcp`." },
	{ REGEX("log", struct ready, text),
	  .help = "Matches a line that the service prints; of a long line the first 4096 bytes. Programs often hold "
		  "back what goes to a pipe: have them flush." },
	{ FIELD_AS("file", struct ready, text), .names = true,
	  .help = "The file exists, and was made or changed since the service started. A relative path is below the "
		  "project's root." },
	{ COMMAND("command", struct ready, command), .help = "The command succeeds. It is repeated until it does." },
	{ FIELD_AS("delay", struct ready, delay_ns),
	  .help = "This time has passed since the start. Prefer any of the others." },
	{ FIELD_AS("timeout", struct ready, timeout_ns),
	  .help = "How long to wait; then the scenario fails (status 3). Not with `delay`. Default: 30s." },
	{ FIELD(struct ready, status), .min = STATUS_LOW, .max = STATUS_HIGH,
	  .help = "With `http`: the status to wait for. Default: any from 200 to 399." },
	{ REGEX("body", struct ready, body), .help = "With `http`: must also match a line of the answer's body." },
	{ FIELD(struct ready, method), .pattern = "^[A-Z]+$", .max = 20, .expected = "a method such as GET or HEAD",
	  .help = "With `http`: the method of the request, such as `HEAD`. It has no body. Default: `GET`." },
	{ FIELD_BY("headers", struct ready, headers, parse_headers), .show = show_headers,
	  .help = "With `http`: a mapping of further headers. `Host` replaces the URL's.",
	  .schema = "{'type': 'object', 'propertyNames': {'pattern': '^[A-Za-z0-9!#$%&*+.^_`|~-]+$'}, "
		    "'additionalProperties': {'type': ['string', 'number', 'boolean']}}" },
};

static const struct fields ready_fields = {
	FIELDS(ready_items), .one_of = ready_kinds + READY_TCP, .what = "what shows that it is ready",
	.kinds = ready_kinds, .kind = offsetof(struct ready, kind), .unfit = ready_unfit,
	.rules = "{'dependencies': {'status': ['http'], 'body': ['http'], 'method': ['http'], 'headers': ['http'], 'delay': {'not': {'required': ['timeout']}}}}",
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

static void show_signal(struct yaml_writer *w, const struct field *field, const void *member)
{
	int number = *(const int *)member;

	(void)field;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (signals[i].number == number) {
			yaml_text(w, signals[i].name);
			return;
		}
	yaml_number(w, number, "");
}

static const char *stop_unfit(const struct scenario *scenario, const void *record, const char *key)
{
	const struct stop *stop = record;

	(void)scenario;
	return stop->command.argv.n && !strcmp(key, "signal") ? "a command stops it" : NULL;
}

static const struct field stop_items[] = {
	{ COMMAND("command", struct stop, command), .help = "A command that ends it." },
	{ FIELD_BY("signal", struct stop, signal, parse_signal), .show = show_signal,
	  .help = "Instead: a signal for its first process, or for its daemons: `TERM`, `INT`, `QUIT`, `HUP`, `USR1`, "
		  "`USR2`, `ALRM`, `WINCH`, `PWR`, `KILL`, or 1 to 64. Default: `TERM`.",
	  .schema = "{'type': ['string', 'integer'], 'minimum': 1, 'maximum': 64, 'pattern': "
		    "'^((SIG)?(TERM|INT|QUIT|HUP|USR1|USR2|ALRM|WINCH|PWR|KILL)|[0-9]+)$'}" },
	{ FIELD_AS("grace", struct stop, grace_ns),
	  .help = "How long it may take to end; then the rest is killed, and the report says so. Default: 5s." },
};

static const struct fields stop_fields = {
	FIELDS(stop_items), .one_of = (const char *const[]){ "command", "signal", NULL }, .unfit = stop_unfit,
};

/* -------- nice value and resource limits */

enum { NICE_LOW = -20, NICE_HIGH = 19 };

int value_nice(struct source *source, const struct node_entry *entry, void *out)
{
	struct confines *confines = out;
	const char *text = entry->value.kind == NODE_TEXT ? entry->value.text : "";
	bool minus = *text == '-';
	uint64_t number;

	if (parse_u64(text + minus, &number, NULL) < 0 || number > (uint64_t)(minus ? -NICE_LOW : NICE_HIGH))
		return node_expected(source, &entry->value, "a whole number from -20, the first in turn, to 19, the last");
	confines->nice = minus ? -(int)number : (int)number;
	confines->niced = true;
	return 0;
}

static const struct {
	const char *name;
	int resource;
	bool bytes;
} resources[] = {
	{ "as", RLIMIT_AS, true }, { "core", RLIMIT_CORE, true }, { "cpu", RLIMIT_CPU, false }, { "data", RLIMIT_DATA, true },
	{ "fsize", RLIMIT_FSIZE, true }, { "memlock", RLIMIT_MEMLOCK, true }, { "nofile", RLIMIT_NOFILE, false },
	{ "nproc", RLIMIT_NPROC, false }, { "stack", RLIMIT_STACK, true },
};

static int add_limit(struct source *source, const struct node_entry *entry, void *out)
{
	struct confines *confines = out;
	const char *name = entry->key.text, *text = entry->value.kind == NODE_TEXT ? entry->value.text : "";
	const char *names[sizeof resources / sizeof *resources];
	uint64_t most = UINT64_MAX;
	size_t i = 0, mark;
	int ret = 0;

	for (size_t k = 0; k < sizeof resources / sizeof *resources; k++)
		names[k] = resources[k].name;
	while (i < sizeof resources / sizeof *resources && strcmp(resources[i].name, name))
		i++;
	if (i == sizeof resources / sizeof *resources) {
		CLEANUP(free_ptr) char *hint = nearest_hint(name, names, i, "; those of limits.conf are known: as, core, cpu, data, fsize, "
								    "memlock, nofile, nproc, stack");

		return source_fault(source, entry->key.at, "unknown limit '%.60s'%s", name, hint);
	}
	mark = source_enter(source, name);
	if (strcmp(text, "unlimited") && (resources[i].bytes ? parse_size : parse_u64)(text, &most, NULL) < 0)
		ret = node_expected(source, &entry->value, resources[i].bytes ? "a size such as 64MiB, or unlimited" :
				    i == 2 ? "seconds of CPU time, or unlimited" : "a whole number, or unlimited");
	else
		confines->limits[confines->n_limits++] = (struct limit){ resources[i].name, resources[i].resource, most };
	source_leave(source, mark);
	return ret;
}

int value_limits(struct source *source, const struct node_entry *entry, void *out)
{
	return node_each(source, &entry->value, NODE_MAPPING, "a mapping of limits such as nofile: 65536", add_limit, out);
}

/* -------- a service */

static const struct field service_items[] = {
	{ NAME("name", struct service, name), .needed = true, .missing = "a name for the service",
	  .help = "What `target` and reports call it; made like a scenario's name." },
	{ COMMAND("command", struct service, command), .needed = true, .missing = "the command that starts it and stays",
	  .help = "Starts the service, which stays. Begin a text with `exec`, so that no shell stays in between." },
	{ ENVIRONMENT("environment", struct service, environment),
	  .help = "Variables added to pawl's own environment." },
	{ FIELD(struct service, cwd), .names = true,
	  .help = "Its working folder, relative to the project's root. Default: the root." },
	{ USER("user", struct service, user),
	  .help = "The user to run it as, which needs root. `${tmp}` then belongs to this user." },
	CONFINES(struct service),
	{ FIELD(struct service, ready), .object = &ready_fields,
	  .help = "How pawl knows that it serves. Default: as soon as it runs." },
	{ FIELD(struct service, stop), .object = &stop_fields, .help = "How it ends. Default: by SIGTERM." },
};

static const uint64_t second_ns = 1000000000;

const struct fields service_fields = { FIELDS(service_items) };

/* A faulty service is kept if its name is valid, so that a target that names it does not cause a second fault. */
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
	*ARENA_ADD(source->arena, scenario->services, scenario->n_services, scenario->cap_services) = service;
	return ret;
}

void services_show(struct yaml_writer *w, const struct field *field, const void *member)
{
	const struct scenario *scenario = w->scenario;

	(void)member;
	strbuf_adds(w->out, scenario->n_services ? "\n" : "");
	for (size_t i = 0; i < scenario->n_services; i++)
		yaml_item(w, field->object, &scenario->services[i]);
}

const struct service *scenario_service(const struct scenario *scenario, const char *name)
{
	for (size_t i = 0; i < scenario->n_services; i++)
		if (!strcmp(scenario->services[i].name, name))
			return &scenario->services[i];
	return NULL;
}
