/*
 * http and tcp probes. Why not libcurl: it brings some thirty libraries into a process whose size is
 * part of what it measures, since a forked child's peak memory begins at what its parent holds (see
 * keeper.h); and all that a probe needs is one GET over plain http to a server on this machine.
 */
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/regex.h"
#include "measure/ready_try.h"
#include "model/http_response.h"

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

	strbuf_addf(&text, "GET %s HTTP/1.1\r\nHost: ", try->endpoint.path);
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

/* 1: RESPONSE is complete, or as much of it as is needed. */
static int receive(struct ready_try *try, int fd, struct http_response *response, struct error *err)
{
	struct error fault = ERROR_INIT;
	char buf[16384];
	int got = 0;

	while (!got) {
		int came = dial_wait(try->check->keeper, fd, POLLIN, try->try_deadline_ns, err);
		ssize_t n;

		if (came < 0)
			return -1;
		/* A stream of events has no end. */
		if (!came && response->headed && !try->has_body)
			return 1;
		if (!came)
			return ready_saw_nothing(try, response->code ? "its answer did not end" :
							"it accepted the connection but did not answer");
		n = recv(fd, buf, sizeof buf, 0);
		if (n < 0 && errno != EAGAIN && errno != EINTR)
			return ready_saw(try, "%s", strerrordesc_np(errno));
		if (n == 0)
			got = http_response_end(response, &fault) < 0 ? -1 : 1;
		else if (n > 0)
			got = http_response_feed(response, buf, (size_t)n, &fault);
	}
	return got < 0 ? ready_saw(try, "%s", fault.msg) : 1;
}

static int judge(struct ready_try *try, struct http_response *response)
{
	unsigned wanted = try->check->service->service->ready.status;

	if (wanted ? response->status != wanted : response->status < 200 || response->status > 399)
		return ready_saw(try, "status %u", response->status);
	if (!try->has_body)
		return 1;
	for (size_t i = 0; i < response->body.len; i++)
		if (!response->body.buf[i])
			response->body.buf[i] = ' ';
	if (regexec(&try->body, response->body.buf, 0, NULL, 0))
		return ready_saw(try, "its body does not match '%s'", try->check->service->ready_body);
	return 1;
}

int ready_try_http(struct ready_try *try, struct error *err)
{
	CLEANUP(http_response_release) struct http_response response = HTTP_RESPONSE_INIT;
	int fd, got = connect_to(try, &fd, err);

	if (got <= 0)
		return got;
	got = send_request(try, fd, err);
	if (got > 0)
		got = receive(try, fd, &response, err);
	close(fd);
	return got > 0 ? judge(try, &response) : got;
}
