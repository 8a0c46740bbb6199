/* Readiness: a service's probe is tried until it succeeds, the service ends, or the time is over. */
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
	const struct line_watch *watch;		/* for READY_LOG: fed while the service's output is read */
	uint64_t since_ns;			/* CLOCK_REALTIME: older files are of an earlier run; 0: any */
	/* Called before every try and when a child ended. -1, with an ERR_TARGET, once the service has ended. */
	int (*alive)(void *ctx, struct error *err);
	void *ctx;
};

/*
 * Returns 0 once the service serves. A timeout is an ERR_TARGET: "tcp 127.0.0.1:6379 was not ready within 10 s
 * (Connection refused)". An unusable probe (bad text, missing program) fails at once.
 */
int ready_wait(const struct ready_check *check, struct error *err);
/* ERR_TARGET if the probe gets an answer before the service starts: "port 6379 is already taken by redis-server (12); ...". */
int ready_refuse_stranger(const struct plan_service *service, struct error *err);

/* TCP connections that never block pawl: see keeper_poll(). */

/* Resolves ENDPOINT, for freeaddrinfo(). ERR_TARGET if its name is unknown. */
int dial_resolve(const struct endpoint *endpoint, struct addrinfo **out, struct error *err);
/* True if the address belongs to this machine. */
bool dial_is_local(const struct addrinfo *address);
/* 1: *FD is connected to the first of ADDRESSES that accepts, for close(); 0: all failed, *WHY is the last errno; -1: error. */
int dial_connect(struct keeper *keeper, const struct addrinfo *addresses, uint64_t deadline_ns, int *fd, int *why,
		 struct error *err);

/* An answer to an HTTP/1.0 request. The first HTTP_BODY_LARGEST bytes of its body are read. */
struct ready_answer {
	unsigned status;
	size_t body;			/* offset of its body */
};

enum { HTTP_HEAD_LARGEST = 64 << 10, HTTP_BODY_LARGEST = 1 << 20 };

/* Returns 1 if the header is complete and OUT written; 0 if more text is needed; -1 with the reason it is invalid. */
int ready_http_head(const char *text, size_t len, struct ready_answer *out, struct error *err);

#endif
