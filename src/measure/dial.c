#include "measure/dial.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "measure/clock.h"

/* A child may write faster than its pipe is large while pawl waits for a socket. */
#define READ_CHILDREN_NS (50 * NS_PER_MS)

int dial_resolve(const struct endpoint *endpoint, struct addrinfo **out, struct error *err)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV };
	char port[8];
	int ret;

	snprintf(port, sizeof port, "%u", endpoint->port);
	ret = getaddrinfo(endpoint->host, port, &hints, out);
	if (ret == EAI_NONAME) {
		hints.ai_flags = AI_NUMERICSERV;
		ret = getaddrinfo(endpoint->host, port, &hints, out);
	}
	if (ret)
		return error_set(err, ERR_TARGET, "cannot find the host '%s': %s", endpoint->host,
				 ret == EAI_SYSTEM ? strerrordesc_np(errno) : gai_strerror(ret));
	return 0;
}

bool dial_is_local(const struct addrinfo *address)
{
	struct sockaddr_storage any_port = { 0 };
	int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool local;

	memcpy(&any_port, address->ai_addr, address->ai_addrlen);
	if (address->ai_family == AF_INET6)
		((struct sockaddr_in6 *)&any_port)->sin6_port = 0;
	else
		((struct sockaddr_in *)&any_port)->sin_port = 0;
	/* Nothing else can be bound to. */
	local = fd >= 0 && bind(fd, (struct sockaddr *)&any_port, address->ai_addrlen) == 0;
	if (fd >= 0)
		close(fd);
	return local;
}

int dial_wait(struct keeper *keeper, int fd, short events, uint64_t deadline_ns, struct error *err)
{
	/* Asked first: a peer that never pauses must not win more time. */
	while (clock_now_ns() < deadline_ns) {
		uint64_t until = clock_now_ns() + READ_CHILDREN_NS;
		struct pollfd p[] = {
			{ .fd = fd, .events = events },
			{ .fd = keeper ? keeper->sock : -1, .events = POLLIN },
			{ .fd = keeper && keeper->interrupt ? keeper->interrupt->fd : -1, .events = POLLIN },
		};
		struct wire message;

		if (!keeper || until > deadline_ns)
			until = deadline_ns;
		if (poll(p, 3, clock_poll_ms(until)) < 0 && errno != EINTR)
			return error_sys(err, errno, "cannot wait for a connection");
		if (p[0].revents)
			return 1;
		if (keeper && keeper_pump(keeper, clock_now_ns(), &message, err) < 0)
			return -1;
	}
	return 0;
}

/*
 * Where nobody listens on a port that the kernel also gives to those who connect, a connection may
 * be given that very port and then meet itself.
 */
static bool met_itself(int fd)
{
	struct sockaddr_storage own = { 0 }, peer = { 0 };
	socklen_t own_len = sizeof own, peer_len = sizeof peer;

	return getsockname(fd, (struct sockaddr *)&own, &own_len) == 0 &&
	       getpeername(fd, (struct sockaddr *)&peer, &peer_len) == 0 && own_len == peer_len &&
	       !memcmp(&own, &peer, own_len);
}

/* 0, or the errno of why there is no connection. */
static int outcome(int fd)
{
	/* Closed with a reset: the port must be free for the service at once. */
	const struct linger reset = { .l_onoff = 1 };
	socklen_t len = sizeof(int);
	int why = 0;

	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &len) < 0)
		return errno;
	if (why || !met_itself(fd))
		return why;
	setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
	return ECONNREFUSED;
}

static int connect_one(struct keeper *keeper, const struct addrinfo *address, uint64_t deadline_ns, int *fd_out,
		       int *why, struct error *err)
{
	int fd = socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), came = 0;

	if (fd < 0 || (connect(fd, address->ai_addr, address->ai_addrlen) < 0 && errno != EINPROGRESS))
		*why = errno;
	else if ((came = dial_wait(keeper, fd, POLLOUT, deadline_ns, err)) > 0)
		*why = outcome(fd);
	else
		*why = ETIMEDOUT;
	if (came > 0 && !*why) {
		*fd_out = fd;
		return 1;
	}
	if (fd >= 0)
		close(fd);
	return came < 0 ? -1 : 0;
}

/* Each address may take its part of the time that is left. */
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
