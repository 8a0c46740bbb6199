/*
 * Waiting for a service: a real keeper, a hand-made service of a plan, and servers in separate processes.
 * The caller includes cmocka first.
 */
#ifndef PAWL_TESTS_READY_FIXTURE_H
#define PAWL_TESTS_READY_FIXTURE_H

#include <dirent.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "measure/services/ready.h"
#include "scenario/scenario.h"

/* -------- servers */

struct server {
	pid_t pid;
	int port;
	char address[32];	/* 127.0.0.1:PORT */
};

/* Answers one connection; NTH counts connections from 0. */
typedef void serve_fn(int fd, unsigned nth);

/* Binds a socket without listening. This reserves the port, and connections are refused. */
static inline int reserve_port(struct server *server)
{
	struct sockaddr_in addr = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t len = sizeof addr;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	assert_int_equal(bind(fd, (struct sockaddr *)&addr, sizeof addr), 0);
	assert_int_equal(getsockname(fd, (struct sockaddr *)&addr, &len), 0);
	server->port = ntohs(addr.sin_port);
	snprintf(server->address, sizeof server->address, "127.0.0.1:%d", server->port);
	return fd;
}

/* Starts a server that listens after WAIT_MS. */
static inline struct server server_start(serve_fn *serve, unsigned wait_ms)
{
	struct server server = { 0 };
	int fd = reserve_port(&server);

	if (!wait_ms)
		assert_int_equal(listen(fd, 8), 0);
	server.pid = fork();
	if (server.pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		usleep(wait_ms * 1000);
		listen(fd, 8);
		for (unsigned nth = 0;; nth++) {
			int peer = accept(fd, NULL, NULL);

			if (serve)
				serve(peer, nth);
			close(peer);
		}
	}
	close(fd);
	return server;
}

static inline void server_stop(struct server *server)
{
	kill(server->pid, SIGKILL);
	waitpid(server->pid, NULL, 0);
}

/* -------- waiting */

struct fixture {
	struct keeper keeper;
	struct service service;
	struct plan_service plan;
	struct line_watch watch;
	struct ready_check check;
	unsigned asked;			/* calls of alive so far */
	unsigned dies_at, speaks_at;	/* the call at which it has ended, or has written "it is ready"; 0: never */
	unsigned open_files;		/* open files before the test */
	struct error err;
};

static inline unsigned count_open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

static inline int fixture_alive(void *ctx, struct error *err)
{
	struct fixture *fixture = ctx;

	fixture->asked++;
	if (fixture->asked == fixture->speaks_at)
		line_watch_feed(&fixture->watch, "it is ready\n", 12);
	return fixture->dies_at && fixture->asked >= fixture->dies_at ? error_set(err, ERR_TARGET, "it ended") : 0;
}

static inline void fixture_open(struct fixture *fixture, enum ready_kind kind, const char *text, unsigned timeout_ms)
{
	*fixture = (struct fixture){
		.service = { .name = (char *)"db", .ready = { .kind = kind, .timeout_ns = timeout_ms * NS_PER_MS } },
		.plan = { .cwd = (char *)"/", .ready_text = (char *)text },
	};
	fixture->open_files = count_open_files();
	fixture->plan.service = &fixture->service;
	fixture->check = (struct ready_check){
		.keeper = &fixture->keeper, .service = &fixture->plan, .watch = &fixture->watch, .alive = fixture_alive, .ctx = fixture,
	};
	assert_int_equal(keeper_start(&fixture->keeper, NULL, &fixture->err), 0);
}

static inline void fixture_close(struct fixture *fixture)
{
	keeper_stop(&fixture->keeper);
	strv_release(&fixture->plan.ready);
	assert_int_equal(count_open_files(), fixture->open_files);
}

static inline void assert_ready(struct fixture *fixture)
{
	if (ready_wait(&fixture->check, &fixture->err) < 0)
		fail_msg("%s", fixture->err.msg);
	assert_int_equal(fixture->err.kind, ERR_NONE);
}

/* Asserts that waiting fails with exactly this message. */
static inline void assert_not_ready(struct fixture *fixture, enum error_kind kind, const char *expected)
{
	if (ready_wait(&fixture->check, &fixture->err) == 0)
		fail_msg("it is ready, but should be: %s", expected);
	assert_string_equal(fixture->err.msg, expected);
	assert_int_equal(fixture->err.kind, kind);
}

#endif
