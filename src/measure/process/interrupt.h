/*
 * Makes SIGINT, SIGTERM and SIGHUP pollable. interrupt_init() blocks them and makes a descriptor that becomes
 * readable. Callers of poll() include it and call interrupt_check() when it is readable.
 */
#ifndef PAWL_MEASURE_PROCESS_INTERRUPT_H
#define PAWL_MEASURE_PROCESS_INTERRUPT_H

#include <stdint.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

struct error;

struct interrupt {
	int fd;		/* signalfd, or -1 */
	int signal;	/* the first one seen, 0 before */
};

int interrupt_init(struct interrupt *interrupt, struct error *err);
void interrupt_release(struct interrupt *interrupt);
/* Returns 0, or -1 with an ERR_INTERRUPTED once a signal has arrived. Does not wait. */
int interrupt_check(struct interrupt *interrupt, struct error *err);

/* All times inside pawl are nanoseconds of CLOCK_MONOTONIC. */

#define NS_PER_MS 1000000ull
#define NS_PER_S 1000000000ull
#define DEADLINE_NEVER UINT64_MAX

static inline uint64_t clock_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* Returns how long the machine has slept, which only CLOCK_BOOTTIME counts. Accurate to a few milliseconds. */
static inline uint64_t clock_slept_ns(void)
{
	struct timespec ts;
	uint64_t now = clock_now_ns(), boot;

	clock_gettime(CLOCK_BOOTTIME, &ts);
	boot = (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
	return boot > now ? boot - now : 0;
}

static inline double timeval_ms(struct timeval tv)
{
	return (double)tv.tv_sec * 1e3 + (double)tv.tv_usec / 1e3;
}

static inline double rusage_ms(const struct rusage *usage)
{
	return timeval_ms(usage->ru_utime) + timeval_ms(usage->ru_stime);
}

/* Returns the milliseconds until DEADLINE_NS for poll(), rounded up; -1 for never. */
static inline int clock_poll_ms(uint64_t deadline_ns)
{
	uint64_t now = clock_now_ns(), left;

	if (deadline_ns == DEADLINE_NEVER)
		return -1;
	left = deadline_ns > now ? (deadline_ns - now + NS_PER_MS - 1) / NS_PER_MS : 0;
	return left > 1000000 ? 1000000 : (int)left;
}

#endif
