#include "measure/services/ready.h"

#include <ctype.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "base/mem.h"
#include "base/regex.h"
#include "measure/files/files.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/process/processes.h"
#include "measure/services/attach.h"
#include "model/metrics/numbers.h"

/* -------- connecting */

int dial_resolve(const struct endpoint *endpoint, struct addrinfo **out, struct error *err)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV };
	char port[8];
	int ret;

	snprintf(port, sizeof port, "%u", endpoint->port);
	ret = getaddrinfo(endpoint->host, port, &hints, out);
	if (ret)
		return error_set(err, ERR_TARGET, "cannot find the host '%s': %s", endpoint->host,
				 ret == EAI_SYSTEM ? strerrordesc_np(errno) : gai_strerror(ret));
	return 0;
}

bool dial_is_local(const struct addrinfo *address)
{
	struct sockaddr_storage any_port = { 0 };
	CLEANUP(close_fd) int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memcpy(&any_port, address->ai_addr, address->ai_addrlen);
	if (address->ai_family == AF_INET6)
		((struct sockaddr_in6 *)&any_port)->sin6_port = 0;
	else
		((struct sockaddr_in *)&any_port)->sin_port = 0;
	/* bind() fails for addresses of other machines. */
	return fd >= 0 && bind(fd, (struct sockaddr *)&any_port, address->ai_addrlen) == 0;
}

/* A connection to an unused port, of the kernel's range for clients, may get that same port and meet itself. */
static bool met_itself(int fd)
{
	struct sockaddr_storage own = { 0 }, peer = { 0 };
	socklen_t own_len = sizeof own, peer_len = sizeof peer;

	return getsockname(fd, (struct sockaddr *)&own, &own_len) == 0 &&
	       getpeername(fd, (struct sockaddr *)&peer, &peer_len) == 0 && own_len == peer_len &&
	       !memcmp(&own, &peer, own_len);
}

/* Returns 1 if connected; 0 with the errno in *WHY. */
static int connect_one(struct keeper *keeper, const struct addrinfo *address, uint64_t deadline_ns, int *fd_out,
		       int *why, struct error *err)
{
	/* A reset frees the port for the service at once. */
	const struct linger reset = { .l_onoff = 1 };
	CLEANUP(close_fd) int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	socklen_t len = sizeof *why;
	int came;

	if (fd < 0 || (connect(fd, address->ai_addr, address->ai_addrlen) < 0 && errno != EINPROGRESS)) {
		*why = errno;
		return 0;
	}
	came = keeper_poll(keeper, fd, POLLOUT, deadline_ns, err);
	*why = ETIMEDOUT;
	if (came <= 0)
		return came;
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, why, &len) < 0)
		*why = errno;
	if (!*why && met_itself(fd)) {
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
		*why = ECONNREFUSED;
	}
	if (*why)
		return 0;
	*fd_out = fd;
	fd = -1;
	return 1;
}

/* Each address gets an equal part of the time left. */
int dial_connect(struct keeper *keeper, const struct addrinfo *addresses, uint64_t deadline_ns, int *fd, int *why,
		 struct error *err)
{
	unsigned left = 0;
	int got = 0;

	*why = ETIMEDOUT;
	for (const struct addrinfo *a = addresses; a; a = a->ai_next)
		left++;
	for (; addresses && !got; addresses = addresses->ai_next, left--) {
		uint64_t now = clock_now_ns();

		if (now >= deadline_ns)
			break;
		got = connect_one(keeper, addresses, now + (deadline_ns - now) / left, fd, why, err);
	}
	return got;
}

/* The addresses of a name, or a Unix socket. */
struct dialled {
	struct addrinfo *found, *addresses;	/* of a name; those or `socket` */
	struct addrinfo socket;
	struct sockaddr_un path;
};

static void dialled_release(struct dialled *dialled)
{
	if (dialled->found)
		freeaddrinfo(dialled->found);
	dialled->found = dialled->addresses = NULL;
}

static int dial_socket(const char *path, struct dialled *out, struct error *err)
{
	*out = (struct dialled){ .path.sun_family = AF_UNIX };
	if (strlen(path) >= sizeof out->path.sun_path)
		return error_set(err, ERR_INPUT, "the path of a socket has at most %zu bytes, not %zu: %s",
				 sizeof out->path.sun_path - 1, strlen(path), path);
	memcpy(out->path.sun_path, path, strlen(path) + 1);
	out->socket = (struct addrinfo){
		.ai_family = AF_UNIX, .ai_socktype = SOCK_STREAM, .ai_addr = (struct sockaddr *)&out->path, .ai_addrlen = sizeof out->path,
	};
	out->addresses = &out->socket;
	return 0;
}

/* -------- observations of a try */

/*
 * One try. Each kind of probe returns 1 if the service serves, 0 if not yet (see saw()), -1 if trying again is useless.
 */
struct ready_try {
	const struct ready_check *check;
	uint64_t deadline_ns;		/* of the probe */
	uint64_t try_deadline_ns;	/* of this try, not after it */
	struct endpoint endpoint;	/* of tcp and http */
	struct dialled dialled;
	struct regex *body;		/* of http, or NULL */
	struct strbuf saw;		/* "Connection refused" */
};

enum { SHORT = 200 };

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void add_short(struct strbuf *out, const char *text)
{
	size_t line = strcspn(text, "\n"), len = utf8_clip(text, SHORT);

	len = line < len ? line : len;
	strbuf_add(out, text, len);
	if (text[len])
		strbuf_adds(out, "...");
}

/* Always returns 0. */
static PRINTF_LIKE(2, 3) int saw(struct ready_try *try, const char *fmt, ...)
{
	va_list args;

	strbuf_reset(&try->saw);
	va_start(args, fmt);
	strbuf_vaddf(&try->saw, fmt, args);
	va_end(args);
	return 0;
}

/* If the probe's end cut the try short, the last observation stays. */
static int saw_nothing(struct ready_try *try, const char *words)
{
	if (try->saw.len && try->try_deadline_ns >= try->deadline_ns)
		return 0;
	return saw(try, "%s", words);
}

/* -------- command probes: a program that exits with status 0 once the service serves */

#define LOOK_NS (200 * NS_PER_MS)
#define END_GRACE_NS (100 * NS_PER_MS)

/* Returns 1 if it still runs at the try's end. */
static int wait_for(struct ready_try *try, struct child *child, struct error *err)
{
	const struct ready_check *check = try->check;

	for (;;) {
		int waited = child_wait(check->keeper, child, earlier(clock_now_ns() + LOOK_NS, try->try_deadline_ns), err);

		if (waited <= 0)
			return waited;
		if (check->alive(check->ctx, err) < 0)
			return -1;
		if (clock_now_ns() >= try->try_deadline_ns)
			return 1;
	}
}

/*
 * Runs ARGV, which WHAT of the scenario asks for, in the service's environment. 1: it still runs. Always call
 * end_program().
 */
static int run_program(struct ready_try *try, const char *what, const struct strv *argv, size_t keep_bytes, struct child *child, struct error *err)
{
	const struct ready_check *check = try->check;
	const struct plan_service *service = check->service;
	const struct child_spec spec = {
		.argv = argv, .environment = &service->environment, .cwd = service->cwd, .user = service->service->user,
		.keep_bytes = keep_bytes,
	};

	if (child_start(check->keeper, &spec, child, err) < 0)
		return error_wrap(err, "%s", what);
	if (child_release(child, err) < 0) {
		if (err)
			err->kind = ERR_TARGET;
		return error_wrap(err, "%s %s", what, argv->items[0]);
	}
	return wait_for(try, child, err);
}

static void end_program(struct ready_try *try, struct child *child)
{
	struct keeper *keeper = try->check->keeper;

	if (!child->pid)
		return;
	child_end(keeper, child, END_GRACE_NS);
	child_dispose(keeper, child);
	keeper_sweep(keeper, 0, NULL, NULL);
}

static int try_command(struct ready_try *try, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT, line = STRBUF_INIT;
	struct child child = { 0 };
	int got;

	try->try_deadline_ns = try->deadline_ns;
	got = run_program(try, "ready.command", &try->check->service->ready, 0, &child, err);
	if (got < 0) {
		end_program(try, &child);
		return -1;
	}
	if (got > 0)
		strbuf_adds(&words, "it was still running");
	else
		child_describe_status(child.status, &words);
	tail_lines(&child.output, 1, &line);
	strbuf_adds(&words, line.len ? ": " : "");
	add_short(&words, line.buf);
	if (got > 0)
		got = saw_nothing(try, words.buf);
	else
		got = child.status ? saw(try, "%s", words.buf) : 1;
	end_program(try, &child);
	return got;
}

/* -------- http and tcp probes */

/*
 * libcurl loads thirty libraries, and pawl's size is part of each measurement, because a child's peak memory begins
 * there. HTTP/1.0 answers are not chunked and end with the connection. For https the program curl is run.
 */

static int open_endpoint(const struct plan_service *service, struct endpoint *endpoint, struct dialled *out, struct error *err)
{
	enum ready_kind kind = service->service->ready.kind;
	const char *what = kind == READY_HTTP ? "http" : kind == READY_TCP ? "tcp" : "unix";
	int ret = 0;

	if (kind == READY_HTTP)
		ret = endpoint_parse_url(service->ready_text, endpoint, err);
	else if (kind == READY_TCP)
		ret = endpoint_parse(service->ready_text, endpoint, err);
	if (ret == 0 && (kind == READY_UNIX || endpoint->socket))
		ret = dial_socket(endpoint->socket ?: service->ready_text, out, err);
	else if (ret == 0) {
		ret = dial_resolve(endpoint, &out->found, err);
		out->addresses = out->found;
		return ret;
	}
	return ret < 0 ? error_wrap(err, "ready.%s", what) : 0;
}

static int refuse_body(const char *regex, struct error *err)
{
	return error_wrap(err, "ready.body: the regular expression '%.60s' cannot be used", regex);
}

static int open_probe(struct ready_try *try, struct error *err)
{
	const char *body = try->check->service->ready_body;

	if (body && regex_compile(body, REGEX_LINES, &try->body, err) < 0)
		return refuse_body(body, err);
	return open_endpoint(try->check->service, &try->endpoint, &try->dialled, err);
}

static int connect_to(struct ready_try *try, int *fd, struct error *err)
{
	int why, got = dial_connect(try->check->keeper, try->dialled.addresses, try->try_deadline_ns, fd, &why, err);

	if (got)
		return got;
	return why == ETIMEDOUT ? saw_nothing(try, strerrordesc_np(why)) :
				  saw(try, "%s", strerrordesc_np(why) ?: "unknown error");
}

static int try_connect(struct ready_try *try, struct error *err)
{
	int fd, got = connect_to(try, &fd, err);

	if (got > 0)
		close(fd);
	return got;
}

static bool has_host(const struct strv *headers)
{
	for (size_t i = 0; i < headers->n; i++)
		if (!strncasecmp(headers->items[i], "Host:", 5))
			return true;
	return false;
}

static const char *method_of(const struct ready_try *try)
{
	return try->check->service->service->ready.method ?: "GET";
}

static bool has_empty_body(const char *method)
{
	return strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0;
}

static int send_request(struct ready_try *try, int fd, struct error *err)
{
	const struct strv *headers = &try->check->service->ready_headers;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t sent = 0;

	strbuf_addf(&text, "%s %s HTTP/1.0\r\n", method_of(try), try->endpoint.path);
	if (!has_host(headers)) {
		strbuf_adds(&text, "Host: ");
		endpoint_add_host(&try->endpoint, &text);
		strbuf_adds(&text, "\r\n");
	}
	strbuf_adds(&text, "User-Agent: pawl/" PAWL_VERSION "\r\nConnection: close\r\n");
	if (has_empty_body(method_of(try)))
		strbuf_adds(&text, "Content-Length: 0\r\n");
	for (size_t i = 0; i < headers->n; i++)
		strbuf_addf(&text, "%s\r\n", headers->items[i]);
	strbuf_adds(&text, "\r\n");
	while (sent < text.len) {
		ssize_t n = send(fd, text.buf + sent, text.len - sent, MSG_NOSIGNAL);
		int came = 1;

		if (n < 0 && errno == EAGAIN)
			came = keeper_poll(try->check->keeper, fd, POLLOUT, try->try_deadline_ns, err);
		else if (n < 0 && errno != EINTR)
			return saw(try, "%s", strerrordesc_np(errno));
		if (came <= 0)
			return came < 0 ? -1 : saw_nothing(try, "it accepted the connection but read nothing");
		sent += n > 0 ? (size_t)n : 0;
	}
	return 1;
}

static int refuse_line(const char *text, const char *line, size_t len, struct error *err)
{
	enum { QUOTED = 30 };
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;
	const char *end = memchr(line, '\n', len);

	strbuf_add(&shown, line, end ? (size_t)(end - line) : len);
	if (strbuf_ends_with(&shown, "\r"))
		strbuf_truncate(&shown, shown.len - 1);
	return error_set(err, ERR_TARGET, "%s '%.*s'", text, (int)utf8_clip(shown.buf, QUOTED), shown.buf);
}

int ready_http_head(const char *text, size_t len, struct ready_answer *out, struct error *err)
{
	static const char version[] = "HTTP/1.";
	enum { CODE = sizeof version + 1, LINE = CODE + 3 };	/* "HTTP/1.1 200" and the rest of the line */
	const char *end, *lf, *crlf;

	/* A server of another protocol may wait for input. */
	if (strncmp(text, version, len < sizeof version - 1 ? len : sizeof version - 1))
		return refuse_line("it does not speak HTTP/1, its answer begins with", text, len, err);
	end = memchr(text, '\n', len);
	if (end && (end - text < LINE || !isdigit((unsigned char)text[CODE - 2]) || text[CODE - 1] != ' ' ||
		    strspn(text + CODE, "0123456789") != 3 || text[CODE] == '0' || !strchr(" \r\n", text[LINE])))
		return refuse_line("its answer has no status but", text, len, err);
	lf = end ? memmem(end, len - (size_t)(end - text), "\n\n", 2) : NULL;
	crlf = end ? memmem(end, len - (size_t)(end - text), "\n\r\n", 3) : NULL;
	if (!lf && !crlf)
		return len < HTTP_HEAD_LARGEST ? 0 : error_set(err, ERR_TARGET, "its answer has more than %d KiB of fields",
							       HTTP_HEAD_LARGEST >> 10);
	out->status = (unsigned)strtoul(text + CODE, NULL, 10);
	out->body = (size_t)((!crlf || (lf && lf < crlf) ? lf + 2 : crlf + 3) - text);
	return 1;
}

static int receive(struct ready_try *try, int fd, struct strbuf *text, struct ready_answer *answer, struct error *err)
{
	struct error fault = ERROR_INIT;
	char buf[16384];
	int headed = 0;

	while (!headed || text->len - answer->body < HTTP_BODY_LARGEST) {
		int came = keeper_poll(try->check->keeper, fd, POLLIN, try->try_deadline_ns, err);
		ssize_t n;

		if (came < 0)
			return -1;
		/* An event stream has no end. */
		if (!came && headed && !try->body)
			return 1;
		if (!came)
			return saw_nothing(try, text->len ? "its answer did not end" :
								  "it accepted the connection but did not answer");
		n = recv(fd, buf, sizeof buf, 0);
		/* A server that answers before it reads the request resets the connection. */
		if (n < 0 && errno == ECONNRESET && headed)
			n = 0;
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return saw(try, "%s", strerrordesc_np(errno));
		if (n == 0 && !headed)
			return saw(try, text->len ? "its answer ends too early" : "it closed the connection without an answer");
		if (n == 0)
			return 1;
		if (n > 0)
			strbuf_add(text, buf, (size_t)n);
		if (!headed && (headed = ready_http_head(text->buf, text->len, answer, &fault)) < 0)
			return saw(try, "%s", fault.msg);
	}
	return 1;
}

static int judge_answer(struct ready_try *try, unsigned status, char *body, size_t len, struct error *err)
{
	int got;
	unsigned wanted = try->check->service->service->ready.status;

	if (wanted ? status != wanted : status < 200 || status > 399)
		return saw(try, "status %u", status);
	if (!try->body)
		return 1;
	for (size_t i = 0; i < len; i++)
		if (!body[i])
			body[i] = ' ';
	got = regex_find(try->body, (struct regex_text){ .s = body, .len = len }, NULL, err);
	if (got < 0)
		return refuse_body(try->check->service->ready_body, err);
	return got ? got : saw(try, "its body does not match '%s'", try->check->service->ready_body);
}

/* A handshake, and starting curl, takes longer on a busy machine. */
#define TLS_TRY_NS (5 * NS_PER_S)
#define CURL_STATUS "\npawl-status "

static void curl_command(const struct ready_try *try, struct strv *argv)
{
	const struct strv *headers = &try->check->service->ready_headers;
	const struct endpoint *endpoint = &try->endpoint;

	/* Ignores the user's configuration and proxy. A certificate on this machine is self-made. */
	strv_push_all(argv, ARGV("curl", "--disable", "--silent", "--show-error", "--insecure", "--noproxy", "*", "--globoff", "--user-agent",
				 "pawl/" PAWL_VERSION, "--write-out", CURL_STATUS "%{http_code}\n", "--max-time"));
	strv_pushf(argv, "%llu", TLS_TRY_NS / NS_PER_S);
	if (!strcmp(method_of(try), "HEAD"))
		strv_push(argv, "--head");
	else
		strv_push_all(argv, ARGV("--request", method_of(try)));
	for (size_t i = 0; i < headers->n; i++)
		strv_push_all(argv, ARGV("--header", headers->items[i]));
	if (has_empty_body(method_of(try)))
		strv_push_all(argv, ARGV("--header", "Content-Length: 0"));
	if (endpoint->socket)
		strv_push_all(argv, ARGV("--unix-socket", endpoint->socket));
	strv_push(argv, "--url");
	if (endpoint->socket)
		strv_pushf(argv, "https://localhost%s", endpoint->path);
	else
		strv_push(argv, try->check->service->ready_text);
}

/* TEXT is the body, the status, and curl's messages. */
static int judge_curl(struct ready_try *try, struct strbuf *text, const struct child *child, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	const char *fault = NULL, *at = NULL;
	unsigned status = 0;

	for (const char *p = text->buf; p && (p = strstr(p, CURL_STATUS)); p++)
		at = p;
	if (at)
		status = (unsigned)strtoul(at + strlen(CURL_STATUS), NULL, 10);
	/* An event stream has no end. */
	if (status && (!child->status || !try->body)) {
		size_t body = (size_t)(at - text->buf);

		strbuf_truncate(text, body);
		return judge_answer(try, status, text->buf, body, err);
	}
	for (const char *p = text->buf; p && (p = strstr(p, "curl: ")); p++)
		fault = p;
	if (fault)
		add_short(&words, fault);
	else
		strbuf_adds(&words, "curl "), child_describe_status(child->status, &words);
	return saw(try, "%s", words.buf);
}

static int try_https(struct ready_try *try, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct child child = { 0 };
	int got;

	curl_command(try, &argv);
	try->try_deadline_ns = earlier(clock_now_ns() + TLS_TRY_NS + NS_PER_S, try->deadline_ns);
	got = run_program(try, "ready.http", &argv, HTTP_HEAD_LARGEST + HTTP_BODY_LARGEST, &child, err);
	if (got == 0) {
		tail_text(&child.output, &text);
		for (size_t i = 0; i < text.len; i++)
			if (!text.buf[i])
				text.buf[i] = ' ';
		got = judge_curl(try, &text, &child, err);
	} else if (got > 0) {
		got = saw_nothing(try, "curl was still running");
	}
	end_program(try, &child);
	return got;
}

static int try_http(struct ready_try *try, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct ready_answer answer = { 0 };
	int fd, got;

	if (try->endpoint.tls)
		return try_https(try, err);
	got = connect_to(try, &fd, err);
	if (got <= 0)
		return got;
	got = send_request(try, fd, err);
	if (got > 0)
		got = receive(try, fd, &text, &answer, err);
	close(fd);
	return got <= 0 ? got : judge_answer(try, answer.status, text.buf + answer.body, text.len - answer.body, err);
}

/* -------- before a service starts: its probe must get no answer yet */

/* A local connection is accepted or refused at once. */
#define ANSWER_NS NS_PER_S
enum { NAMED = 3 };

int ready_refuse_stranger(const struct plan_service *service, struct error *err)
{
	CLEANUP(processes_release) struct processes listeners = { 0 };
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;
	CLEANUP(endpoint_release) struct endpoint endpoint = { 0 };
	enum ready_kind kind = service->service->ready.kind;
	CLEANUP(dialled_release) struct dialled dialled = { 0 };
	int got = 0;

	if (kind != READY_TCP && kind != READY_HTTP && kind != READY_UNIX)
		return 0;
	if (open_endpoint(service, &endpoint, &dialled, err) < 0)
		return -1;
	for (const struct addrinfo *a = dialled.addresses; a && !got; a = a->ai_next) {
		struct addrinfo alone = *a;
		int fd, why;

		alone.ai_next = NULL;
		if (a->ai_family == AF_UNIX || dial_is_local(&alone))
			got = dial_connect(NULL, &alone, clock_now_ns() + ANSWER_NS, &fd, &why, err);
		if (got > 0)
			close(fd);
	}
	if (got <= 0)
		return got;
	if (dialled.addresses->ai_family == AF_UNIX)
		return error_set(err, ERR_TARGET, "somebody listens on the socket %s already; stop them, or use a path below ${tmp}",
				 dialled.path.sun_path);
	port_listeners((int)endpoint.port, &listeners);
	if (listeners.n)
		processes_name(&listeners, NAMED, &names);
	else
		strbuf_adds(&names, "a process of another user");
	return error_set(err, ERR_TARGET, "port %u is already taken by %s; stop it, or use ${port} for a free one",
			 endpoint.port, names.buf);
}

/* -------- log and file probes, and trying again */

/* A server may accept and never answer, and a later try may succeed. */
#define TRY_NS NS_PER_S
#define FIRST_REST_NS (5 * NS_PER_MS)
#define LONGEST_REST_NS (200 * NS_PER_MS)
/* Resolution of the kernel's file times. */
#define FILE_CLOCK_NS (10 * NS_PER_MS)

static void try_release(struct ready_try *try)
{
	dialled_release(&try->dialled);
	regex_free(try->body);
	endpoint_release(&try->endpoint);
	strbuf_release(&try->saw);
}

static int try_log(struct ready_try *try, struct error *err)
{
	const struct line_watch *watch = try->check->watch;

	return watch->fault.kind ? error_set(err, ERR_INPUT, "ready.log: %s", watch->fault.msg) : watch->seen;
}

/* Programs cannot set the change time. */
static int try_file(struct ready_try *try, struct error *err)
{
	const char *path = try->check->service->ready_text;
	uint64_t changed_ns;
	struct stat st;

	(void)err;
	if (stat(path, &st) < 0)
		return 0;
	changed_ns = (uint64_t)st.st_ctim.tv_sec * NS_PER_S + (uint64_t)st.st_ctim.tv_nsec;
	if (changed_ns + FILE_CLOCK_NS >= try->check->since_ns)
		return 1;
	return saw(try, "it is there, but from before the service started");
}

static const struct kind {
	const char *before, *after;
	int (*open)(struct ready_try *try, struct error *err);
	int (*try)(struct ready_try *try, struct error *err);
	bool instant;			/* it always fits */
} kinds[] = {
	[READY_TCP] = { "tcp ", " was not ready", open_probe, try_connect, false },
	[READY_HTTP] = { "http ", " was not ready", open_probe, try_http, false },
	[READY_UNIX] = { "unix ", " was not ready", open_probe, try_connect, false },
	[READY_LOG] = { "log: no line matched '", "'", NULL, try_log, true },
	[READY_FILE] = { "file ", " did not appear", NULL, try_file, true },
	[READY_COMMAND] = { "command ", " did not succeed", NULL, try_command, false },
};

static int timed_out(const struct ready_try *try, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, command = STRBUF_INIT;
	const struct plan_service *service = try->check->service;
	const struct ready *ready = &service->service->ready;
	const struct kind *kind = &kinds[ready->kind];

	strbuf_adds(&text, kind->before);
	if (ready->kind != READY_COMMAND) {
		strbuf_adds(&text, service->ready_text);
	} else {
		/* The command is quoted as written. */
		if (ready->command.shell)
			strbuf_adds(&command, service->ready.items[service->ready.n - 1]);
		else
			escape_shell_words(&command, &service->ready);
		add_short(&text, command.buf);
	}
	strbuf_addf(&text, "%s within %s", kind->after, format_duration(ready->timeout_ns).s);
	if (try->saw.len)
		strbuf_addf(&text, " (%s)", try->saw.buf);
	return error_set(err, ERR_TARGET, "%s", text.buf);
}

/* The end of a child, perhaps the service, wakes it. */
static int rest(const struct ready_check *check, uint64_t until_ns, struct error *err)
{
	int got;

	do
		got = keeper_pump(check->keeper, until_ns, err);
	while (got == 1 && check->alive(check->ctx, err) == 0);
	return got ? -1 : 0;
}

int ready_wait(const struct ready_check *check, struct error *err)
{
	const struct ready *ready = &check->service->service->ready;
	CLEANUP(try_release) struct ready_try try = { .check = check, .saw = STRBUF_INIT };
	const struct kind *kind = &kinds[ready->kind];
	uint64_t start = clock_now_ns();

	if (ready->kind == READY_AT_ONCE)
		return check->alive(check->ctx, err);
	if (ready->kind == READY_DELAY) {
		if (check->alive(check->ctx, err) < 0 || rest(check, start + ready->delay_ns, err) < 0)
			return -1;
		return check->alive(check->ctx, err);
	}
	try.deadline_ns = start + ready->timeout_ns;
	if (kind->open && kind->open(&try, err) < 0)
		return -1;
	for (uint64_t pause = FIRST_REST_NS;; pause = earlier(pause * 2, LONGEST_REST_NS)) {
		uint64_t now = clock_now_ns();
		bool last = now >= try.deadline_ns;
		int got = 0;

		if (check->alive(check->ctx, err) < 0)
			return -1;
		try.try_deadline_ns = earlier(now + TRY_NS, try.deadline_ns);
		if (!last || kind->instant)
			got = kind->try(&try, err);
		if (got)
			return got < 0 ? -1 : 0;
		if (last)
			return timed_out(&try, err);
		if (rest(check, earlier(clock_now_ns() + pause, try.deadline_ns), err) < 0)
			return -1;
	}
}
