/*
 * TCP connections that never block pawl: whoever waits for a socket here also hears the keeper, so
 * that a child's end and an interrupt are noticed and the output of children is read meanwhile.
 *
 *	dial_resolve() -> dial_connect() as often as wanted -> freeaddrinfo()
 */
#ifndef PAWL_MEASURE_DIAL_H
#define PAWL_MEASURE_DIAL_H

#include <netdb.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "measure/keeper.h"
#include "model/endpoint.h"

/*
 * The addresses of ENDPOINT, for freeaddrinfo(). A name is looked up, which may take as long as the
 * resolver takes; one that is not known is an ERR_TARGET.
 */
int dial_resolve(const struct endpoint *endpoint, struct addrinfo **out, struct error *err);
/* True when the address is one of this machine's. */
bool dial_is_local(const struct addrinfo *address);

/* Wait for EVENTS (of poll()) on FD. 1: they came, 0: the deadline has, -1: error. KEEPER may be NULL. */
int dial_wait(struct keeper *keeper, int fd, short events, uint64_t deadline_ns, struct error *err);
/*
 * Connect to the first of ADDRESSES that accepts. 1: *FD is connected, non-blocking and the caller's;
 * 0: none did, *WHY is the errno of the last; -1: error.
 */
int dial_connect(struct keeper *keeper, const struct addrinfo *addresses, uint64_t deadline_ns, int *fd, int *why,
		 struct error *err);

#endif
