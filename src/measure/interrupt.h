/*
 * SIGINT, SIGTERM and SIGHUP as something to poll for. interrupt_init() blocks them and makes a
 * descriptor that becomes readable; whoever polls includes it, and calls interrupt_check() when it
 * is. Children get the signal mask back that pawl was started with.
 */
#ifndef PAWL_MEASURE_INTERRUPT_H
#define PAWL_MEASURE_INTERRUPT_H

#include "base/error.h"

struct interrupt {
	int fd;		/* signalfd, or -1 */
	int signal;	/* the first one seen, 0 before */
};

int interrupt_init(struct interrupt *interrupt, struct error *err);
void interrupt_release(struct interrupt *interrupt);
/* 0, or -1 with an ERR_INTERRUPTED once a signal has come; does not wait. */
int interrupt_check(struct interrupt *interrupt, struct error *err);

#endif
