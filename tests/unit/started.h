/*
 * Processes that a test starts: functions in forked children. Each takes one-byte orders and answers each one.
 * All of them are killed with the test that started them.
 */
#ifndef PAWL_TESTS_STARTED_H
#define PAWL_TESTS_STARTED_H

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/process/interrupt.h"

struct started {
	pid_t pid;
	int fd;				/* sends orders, receives answers */
};

/* Kills the child with its group and reaps it. */
static inline void started_end(struct started *child)
{
	if (child->pid <= 0)
		return;
	kill(-child->pid, SIGKILL);
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	close(child->fd);
	child->pid = 0;
}

/* In the child: waits for an order. Ends if the test ends. */
static inline char started_order(int fd)
{
	char order;

	if (read(fd, &order, 1) != 1)
		_exit(9);
	return order;
}

static inline void started_answer(int fd, char answer)
{
	if (write(fd, &answer, 1) != 1)
		_exit(9);
}

/* In the test: gives an order and returns the answer, or '\0' if none arrives within ten seconds. */
static inline char started_ask(const struct started *child, char order)
{
	struct pollfd p = { .fd = child->fd, .events = POLLIN };
	char answer = '\0';

	if (order && write(child->fd, &order, 1) != 1)
		return '\0';
	if (poll(&p, 1, 10000) != 1 || read(child->fd, &answer, 1) != 1)
		return '\0';
	return answer;
}

/* Starts BODY in a child and waits for its first answer, which BODY sends with started_answer() when it is ready. */
static inline struct started start(void (*body)(int fd, void *arg), void *arg)
{
	struct started child = { 0 };
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		abort();
	fflush(NULL);
	child.pid = fork();
	if (child.pid < 0)
		abort();
	if (!child.pid) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		close(pair[0]);
		body(pair[1], arg);
		_exit(0);
	}
	setpgid(child.pid, child.pid);
	close(pair[1]);
	child.fd = pair[0];
	if (!started_ask(&child, '\0'))
		abort();
	return child;
}

/* A body that only waits. */
static inline void stand(int fd, void *arg)
{
	started_answer(fd, 'r');
	started_order(fd);
}

/* Waits until CONDITION holds, for at most ten seconds. Checks every few milliseconds. */
#define WAIT_UNTIL(condition)									\
	do {											\
		for (uint64_t end_ = clock_now_ns() + 10 * NS_PER_S; !(condition); poll(NULL, 0, 5))	\
			if (clock_now_ns() > end_)						\
				fail_msg("waited in vain for " #condition);			\
	} while (0)

#endif
