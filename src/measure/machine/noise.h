/*
 * Passing conditions that spoil measurements: other load, stolen time, a governor that saves
 * power, throttling. Take a reading before and after measuring; noise_notes() says in words what
 * the reader must know, noise_busy() whether a baseline should be refused.
 */
#ifndef PAWL_MEASURE_MACHINE_NOISE_H
#define PAWL_MEASURE_MACHINE_NOISE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/strv.h"
#include "measure/process/interrupt.h"

/* Ticks of /proc/stat's first line and others, all cumulative. */
struct noise {
	uint64_t at_ns;			/* CLOCK_MONOTONIC */
	uint64_t busy_ticks, idle_ticks, steal_ticks, total_ticks;
	uint64_t own_ticks;		/* used by pawl itself and what it reaped itself */
	double load1;			/* load average over one minute, -1 unknown */
	uint64_t throttled;		/* core_throttle_count summed over CPUs */
	bool slow_governor;		/* a CPU is governed by something else than "performance" */
	bool turbo;			/* known to be on */
	char governor[24];		/* which, when slow_governor */
};

/* Beyond these a machine is busy: stolen time in percent, and other processes' share of the CPUs. */
#define NOISE_STEAL_PCT_MAX 5.0
#define NOISE_OTHERS_SHARE_MAX 0.5

void noise_read(struct noise *out);
/* Only noise.steal_ticks, and fast: ticks that the hypervisor stole from any CPU since the machine started; 0 unknown. */
uint64_t noise_stolen_ticks(void);
/*
 * OWN_MS is the CPU time between the readings of what pawl started, perf and targets included.
 * WHY_OUT gets one sentence a reason.
 */
bool noise_busy(const struct noise *before, const struct noise *after, double own_ms, unsigned cpus,
		struct strv *why_out);
void noise_notes(const struct noise *before, const struct noise *after, double own_ms, unsigned cpus,
		 struct strv *notes_out);

/*
 * A look at the machine before anything is measured: an ERR_SYSTEM with the load and the processes that have the CPUs when
 * others use more than NOISE_OTHERS_SHARE_MAX of them in every one of some looks, two seconds together. A quiet machine is
 * seen at the first.
 */
int noise_refuse_busy(unsigned cpus, struct interrupt *interrupt, struct error *err);

/* The ticks from /proc/stat's text; false, with OUT untouched, when its first line is not as expected. */
bool noise_parse_stat(const char *text, struct noise *out);
/* CPUs that others kept busy between the readings: 1.3 of 2. */
double noise_others(const struct noise *before, const struct noise *after, double own_ms);
/* Stolen time in percent of what the CPUs worked or wanted to: idle time is nobody's to steal. */
double noise_steal_pct(const struct noise *before, const struct noise *after);

/* Who decides the clock rate of the CPUs: the governor of cpufreq, and turbo. */

/* The governors in use, each once; none where the kernel has no say, as in most virtual machines. */
void power_governors(struct strv *out);

/* 1 on, 0 off, -1 unknown. *SWITCH_OUT (may be NULL) is the file that turns it off; static. */
int power_turbo(const char **switch_out);

#endif
