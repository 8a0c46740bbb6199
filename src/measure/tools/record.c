#include "measure/tools/record.h"

#include <math.h>

#include "measure/files/files.h"
#include "measure/perf/perf.h"
#include "measure/perf/session.h"
#include "measure/process/interrupt.h"
#include "model/metrics/metric.h"
#include "model/result.h"

/*
 * A sample unwound by debug information is 8 KiB, and takes perf script half a millisecond. 2,500 know a share of 2 %
 * to 0.28 points.
 */
enum { CPU_SAMPLES = 2500, FAULT_SAMPLES = 2000, FREQUENCY_HIGHEST = 4999, FREQUENCY_LOWEST = 19 };
/* Short commands are repeated for this time. */
#define DURATION_NS (5 * NS_PER_S)

int record_read(struct session *session, const struct recorded *recorded, const struct profile_sink *sink, uint64_t *samples_out,
		struct error *err)
{
	if (sink->begin(sink->ctx, err) < 0 ||
	    perf_script_read(session->keeper, &session->perf, recorded, sink->feed, sink->ctx, err) < 0)
		return -1;
	return sink->end(sink->ctx, samples_out, err);
}

static void plan_cpu(const char *event, const struct side_result *counted, struct record_wish *out)
{
	double cpu_ms = side_result_median(counted, METRIC(CPU_TIME)), frequency = FREQUENCY_HIGHEST;
	long long most;

	/* A long execution has enough samples at a lower rate. A higher one would fill the disk. */
	if (cpu_ms > 0)
		frequency = fmax(fmin(frequency, CPU_SAMPLES * 1e3 / cpu_ms), FREQUENCY_LOWEST);
	if (file_read_number("/proc/sys/kernel/perf_event_max_sample_rate", &most) && most > 0 && (double)most < frequency)
		frequency = (double)most;
	*out = (struct record_wish){
		.how = { .event = event, .frequency = (unsigned)frequency, .call_graph = CALL_GRAPH_DWARF },
		.samples = CPU_SAMPLES, .duration_ns = DURATION_NS,
	};
}

/* Patterns of programs are seldom in step with a prime. */
static uint64_t prime_from(uint64_t n)
{
	for (uint64_t divisor = 2; divisor * divisor <= n; divisor++)
		if (n % divisor == 0) {
			n++;
			divisor = 1;
		}
	return n;
}

static void plan_faults(const char *event, const struct side_result *counted, struct record_wish *out)
{
	double faults = side_result_median(counted, METRIC(PAGE_FAULTS));

	if (!(faults >= 1))
		faults = 1;
	*out = (struct record_wish){
		.how = { .event = event, .call_graph = CALL_GRAPH_DWARF,
			 .period = faults > FAULT_SAMPLES ? prime_from((uint64_t)(faults / FAULT_SAMPLES)) : 1 },
		.duration_ns = DURATION_NS, .executions = faults < FAULT_SAMPLES ? (unsigned)ceil(FAULT_SAMPLES / faults) : 1,
	};
}

/*
 * Waits of several executions are added up. A program that waits often runs fewer times, with a smaller stack, to fit
 * into perf's buffer.
 */
enum { SWITCHES_WANTED = 2500, EXECUTIONS_MOST = 8, SWITCHES_MANY = 2000, STACK_BYTES_OF_MANY = 2048 };

/*
 * On arm64, perf cannot unwind functions that sign their return address, and on CPUs with SVE the kernel refuses to
 * copy stacks at software events. Compilers keep frame pointers there. For other samples they are the second choice.
 */
#ifdef __aarch64__
#define SWITCHES_CALL_GRAPH CALL_GRAPH_FP
#else
#define SWITCHES_CALL_GRAPH CALL_GRAPH_DWARF
#endif

static void plan_switches(const char *event, const struct side_result *counted, struct record_wish *out)
{
	double switches = side_result_median(counted, METRIC(VOLUNTARY_SWITCHES));

	if (!(switches >= 1))
		switches = 1;
	*out = (struct record_wish){
		.how = { .event = event, .period = 1, .call_graph = SWITCHES_CALL_GRAPH, .switches = true,
			 .stack_bytes = switches > SWITCHES_MANY ? STACK_BYTES_OF_MANY : 0 },
		.duration_ns = DURATION_NS, .executions = (unsigned)fmin(ceil(SWITCHES_WANTED / switches), EXECUTIONS_MOST),
	};
}

int record_plan(enum sampled what, enum tier tier, const struct side_result *counted, struct record_wish *out, struct error *err)
{
	const char *event = tier_event(tier, what);

	if (!event && !tier_event(tier, SAMPLED_CPU))
		return error_set(err, ERR_SYSTEM, "perf is not used here");
	if (!event)
		return error_set(err, ERR_SYSTEM, "threads that leave the CPU are seen by those who may look into the kernel alone: "
				 "`sudo sysctl kernel.perf_event_paranoid=1`");
	if (what == SAMPLED_FAULTS)
		plan_faults(event, counted, out);
	else if (what == SAMPLED_SWITCHES)
		plan_switches(event, counted, out);
	else
		plan_cpu(event, counted, out);
	return 0;
}
