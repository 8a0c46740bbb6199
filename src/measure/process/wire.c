#include "measure/process/process.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

union control {
	char buf[CMSG_SPACE(WIRE_FDS_MAX * sizeof(int))];
	struct cmsghdr align;
};

int wire_send(int sock, const struct wire *message, const int *fds, size_t n_fds)
{
	struct iovec iov = { .iov_base = (void *)message, .iov_len = sizeof *message };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	union control control = { 0 };
	ssize_t sent;

	if (n_fds) {
		struct cmsghdr *c;

		msg.msg_control = control.buf;
		msg.msg_controllen = CMSG_SPACE(n_fds * sizeof(int));
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(n_fds * sizeof(int));
		memcpy(CMSG_DATA(c), fds, n_fds * sizeof(int));
	}
	do
		sent = sendmsg(sock, &msg, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent == (ssize_t)sizeof *message ? 0 : -1;
}

int wire_receive(int sock, struct wire *out, int *fds_out, size_t *n_fds_out)
{
	struct iovec iov = { .iov_base = out, .iov_len = sizeof *out };
	union control control;
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control.buf,
			      .msg_controllen = sizeof control.buf };
	struct cmsghdr *c;
	ssize_t got;

	do
		got = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got <= 0)
		return got < 0 && errno != ECONNRESET ? -1 : 0;
	*n_fds_out = 0;
	c = CMSG_FIRSTHDR(&msg);
	if (c && c->cmsg_type == SCM_RIGHTS) {
		*n_fds_out = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(fds_out, CMSG_DATA(c), *n_fds_out * sizeof(int));
	}
	return 1;
}
