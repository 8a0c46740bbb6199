/* Before a service starts: nobody else may answer its probe. */
#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "measure/attach.h"
#include "measure/clock.h"
#include "measure/ready_try.h"

/* On this machine a connection is accepted or refused at once. */
#define ANSWER_NS NS_PER_S
enum { NAMED = 3 };

static int refuse(unsigned port, struct error *err)
{
	CLEANUP(processes_release) struct processes listeners = { 0 };
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;

	port_listeners((int)port, &listeners);
	if (listeners.n)
		processes_name(&listeners, NAMED, &names);
	else
		strbuf_adds(&names, "a process of another user");
	return error_set(err, ERR_TARGET, "port %u is already taken by %s; stop it, or use ${port} for a free one",
			 port, names.buf);
}

static int refuse_answer(const struct addrinfo *address, unsigned port, struct error *err)
{
	struct addrinfo alone = *address;
	int fd, why, got;

	alone.ai_next = NULL;
	if (!dial_is_local(&alone))
		return 0;
	got = dial_connect(NULL, &alone, clock_now_ns() + ANSWER_NS, &fd, &why, err);
	if (got <= 0)
		return got;
	close(fd);
	return refuse(port, err);
}

int ready_refuse_stranger(const struct plan_service *service, struct error *err)
{
	enum ready_kind kind = service->service->ready.kind;
	struct addrinfo *addresses = NULL;
	struct endpoint endpoint = { 0 };
	int ret = 0;

	if (kind != READY_TCP && kind != READY_HTTP)
		return 0;
	if (ready_open_endpoint(service, &endpoint, &addresses, err) < 0)
		return -1;
	for (const struct addrinfo *a = addresses; a && !ret; a = a->ai_next)
		ret = refuse_answer(a, endpoint.port, err);
	freeaddrinfo(addresses);
	endpoint_release(&endpoint);
	return ret;
}
