/*
 * http and tcp probes. Why not libcurl: it brings some thirty libraries into a process whose size is
 * part of what it measures, since a forked child's peak memory begins at what its parent holds (see
 * keeper.h); and all that a probe needs is one GET over plain http to a server on this machine. It asks
 * with HTTP/1.0, to which nobody answers in chunks, and the answer ends with the connection.
 */
#include <ctype.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/regex.h"
#include "base/utf8.h"
#include "measure/ready_try.h"

int ready_open_endpoint(const struct plan_service *service, struct endpoint *endpoint, struct addrinfo **addresses,
			struct error *err)
{
	CLEANUP(endpoint_release) struct endpoint parsed = { 0 };
	bool http = service->service->ready.kind == READY_HTTP;
	int ret = http ? endpoint_parse_url(service->ready_text, &parsed, err) :
			 endpoint_parse(service->ready_text, &parsed, err);

	if (ret < 0)
		return error_wrap(err, "ready.%s", http ? "http" : "tcp");
	if (dial_resolve(&parsed, addresses, err) < 0)
		return -1;
	*endpoint = parsed;
	parsed = (struct endpoint){ 0 };
	return 0;
}

int ready_open_http(struct ready_try *try, struct error *err)
{
	const char *body = try->check->service->ready_body;

	if (!body)
		return 0;
	if (regex_compile(&try->body, body, REG_NOSUB | REG_NEWLINE, err) < 0)
		return error_wrap(err, "ready.body: the regular expression '%.60s' cannot be used", body);
	try->has_body = true;
	return 0;
}

/* 1: *FD is connected. */
static int connect_to(struct ready_try *try, int *fd, struct error *err)
{
	int why, got = dial_connect(try->check->keeper, try->addresses, try->try_deadline_ns, fd, &why, err);

	if (got)
		return got;
	return why == ETIMEDOUT ? ready_saw_nothing(try, strerrordesc_np(why)) :
				  ready_saw(try, "%s", strerrordesc_np(why) ?: "unknown error");
}

int ready_try_tcp(struct ready_try *try, struct error *err)
{
	int fd, got = connect_to(try, &fd, err);

	if (got > 0)
		close(fd);
	return got;
}

static int send_request(struct ready_try *try, int fd, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	size_t sent = 0;

	strbuf_addf(&text, "GET %s HTTP/1.0\r\nHost: ", try->endpoint.path);
	endpoint_add_host(&try->endpoint, &text);
	strbuf_adds(&text, "\r\nUser-Agent: pawl/" PAWL_VERSION "\r\nConnection: close\r\n\r\n");
	while (sent < text.len) {
		ssize_t n = send(fd, text.buf + sent, text.len - sent, MSG_NOSIGNAL);
		int came = 1;

		if (n < 0 && errno == EAGAIN)
			came = dial_wait(try->check->keeper, fd, POLLOUT, try->try_deadline_ns, err);
		else if (n < 0 && errno != EINTR)
			return ready_saw(try, "%s", strerrordesc_np(errno));
		if (came <= 0)
			return came < 0 ? -1 : ready_saw_nothing(try, "it accepted the connection but read nothing");
		sent += n > 0 ? (size_t)n : 0;
	}
	return 1;
}

/* "<text> 'the first line'" */
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
	enum { CODE = sizeof version + 1, LINE = CODE + 3 };	/* "HTTP/1.1 200" and what follows it */
	const char *end, *lf, *crlf;

	/* One that speaks something else may wait for an answer, so its first bytes must do. */
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

/* 1: TEXT is the answer, whole or as much of it as is read of any. */
static int receive(struct ready_try *try, int fd, struct strbuf *text, struct ready_answer *answer, struct error *err)
{
	struct error fault = ERROR_INIT;
	char buf[16384];
	int headed = 0;

	while (!headed || text->len - answer->body < HTTP_BODY_LARGEST) {
		int came = dial_wait(try->check->keeper, fd, POLLIN, try->try_deadline_ns, err);
		ssize_t n;

		if (came < 0)
			return -1;
		/* A stream of events has no end. */
		if (!came && headed && !try->has_body)
			return 1;
		if (!came)
			return ready_saw_nothing(try, text->len ? "its answer did not end" :
								  "it accepted the connection but did not answer");
		n = recv(fd, buf, sizeof buf, 0);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return ready_saw(try, "%s", strerrordesc_np(errno));
		if (n == 0 && !headed)
			return ready_saw(try, text->len ? "its answer ends too early" : "it closed the connection without an answer");
		if (n == 0)
			return 1;
		if (n > 0)
			strbuf_add(text, buf, (size_t)n);
		if (!headed && (headed = ready_http_head(text->buf, text->len, answer, &fault)) < 0)
			return ready_saw(try, "%s", fault.msg);
	}
	return 1;
}

static int judge(struct ready_try *try, struct strbuf *text, const struct ready_answer *answer)
{
	unsigned wanted = try->check->service->service->ready.status;

	if (wanted ? answer->status != wanted : answer->status < 200 || answer->status > 399)
		return ready_saw(try, "status %u", answer->status);
	if (!try->has_body)
		return 1;
	for (size_t i = answer->body; i < text->len; i++)
		if (!text->buf[i])
			text->buf[i] = ' ';
	if (regexec(&try->body, text->buf + answer->body, 0, NULL, 0))
		return ready_saw(try, "its body does not match '%s'", try->check->service->ready_body);
	return 1;
}

int ready_try_http(struct ready_try *try, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct ready_answer answer = { 0 };
	int fd, got = connect_to(try, &fd, err);

	if (got <= 0)
		return got;
	got = send_request(try, fd, err);
	if (got > 0)
		got = receive(try, fd, &text, &answer, err);
	close(fd);
	return got > 0 ? judge(try, &text, &answer) : got;
}
