/*
 * Readiness: has a service begun to serve? One probe a service, tried again and again until it comes
 * true, the service ends, or the time is over. Between tries pawl sleeps in poll(), 200 ms at the most.
 */
#ifndef PAWL_MEASURE_SERVICES_READY_H
#define PAWL_MEASURE_SERVICES_READY_H

#include <netdb.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct endpoint;
struct error;
struct keeper;
struct line_watch;
struct plan_service;

struct ready_check {
	struct keeper *keeper;
	const struct plan_service *service;
	const struct line_watch *watch;		/* of READY_LOG: fed while the service's output is read */
	uint64_t since_ns;			/* CLOCK_REALTIME: a file changed before is an earlier run's; 0: any */
	/* Asked before every try and when a child ended: 0 while the service lives, -1 with an ERR_TARGET once it ended. */
	int (*alive)(void *ctx, struct error *err);
	void *ctx;
};

/*
 * 0 once it serves. A timeout is an ERR_TARGET that names the probe, the time and what it saw last:
 * "tcp 127.0.0.1:6379 was not ready within 10 s (Connection refused)". The caller adds the service's name,
 * and sweeps what the commands of a probe left behind. A delay takes its time whatever the timeout.
 * A probe that cannot be asked at all (its text, its program) fails at once.
 */
int ready_wait(const struct ready_check *check, struct error *err);
/*
 * Before the service starts: a tcp or http probe that is answered already would take a stranger for
 * it. -1 with an ERR_TARGET "port 6379 is already taken by redis-server (12); ...".
 */
int ready_refuse_stranger(const struct plan_service *service, struct error *err);

/*
 * TCP connections that never block pawl: whoever waits for a socket here also reads the keeper's messages, so
 * that a child's end and an interrupt are noticed and the output of children is read meanwhile.
 */

/* The addresses of ENDPOINT, for freeaddrinfo(). A name is looked up; one that is not known is an ERR_TARGET. */
int dial_resolve(const struct endpoint *endpoint, struct addrinfo **out, struct error *err);
/* True when the address is one of this machine's. */
bool dial_is_local(const struct addrinfo *address);
/*
 * Connect to the first of ADDRESSES that accepts. 1: *FD is connected, non-blocking and the caller's;
 * 0: none did, *WHY is the errno of the last; -1: error.
 */
int dial_connect(struct keeper *keeper, const struct addrinfo *addresses, uint64_t deadline_ns, int *fd, int *why,
		 struct error *err);

/* An answer to HTTP/1.0, of whose body the first HTTP_BODY_LARGEST bytes are read. */
struct ready_answer {
	unsigned status;
	size_t body;			/* where it begins */
};

enum { HTTP_HEAD_LARGEST = 64 << 10, HTTP_BODY_LARGEST = 1 << 20 };

/* 1 once the fields have ended, and then OUT is written; 0 while more is needed; -1: why it is no answer. Pure. */
int ready_http_head(const char *text, size_t len, struct ready_answer *out, struct error *err);

#endif
