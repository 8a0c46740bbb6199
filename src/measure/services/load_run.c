#include "measure/services/load_run.h"

#include <math.h>
#include <signal.h>

#include "base/mem.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/output.h"
#include "model/measured.h"
#include "model/metrics/numbers.h"
#include "scenario/scenario.h"

enum { JSON_KEPT = 8 << 20 };
/* A load prints its results in this time. */
#define END_GRACE_NS (3 * NS_PER_S)

size_t custom_metrics_keep(const struct scenario *scenario)
{
	bool json = scenario->load.work.json || scenario->harness.kind != HARNESS_NONE;

	for (size_t i = 0; i < scenario->n_metrics; i++)
		json = json || scenario->metrics[i].extractor.json;
	return json ? JSON_KEPT : 0;
}

int load_run_start(struct keeper *keeper, const struct plan *plan, const char *cpus, struct load_run *out, struct error *err)
{
	struct child_spec spec = {
		.argv = &plan->load, .environment = &plan->load_environment, .cwd = plan->root,
		.user = plan->scenario->load.user, .confines = &plan->scenario->load.confines, .cpus = cpus, .keep_bytes = custom_metrics_keep(plan->scenario),
	};

	*out = (struct load_run){ .plan = plan };
	if (plan->load_fail && line_watch_init(&out->watch, plan->load_fail, err) < 0)
		return error_wrap(err, "load.fail");
	if (child_start(keeper, &spec, &out->child, err) < 0)
		return error_wrap(err, "the load");
	out->child.watch = plan->load_fail ? &out->watch : NULL;
	return 0;
}

int load_run_finish(struct keeper *keeper, struct load_run *load, uint64_t since_ns, uint64_t patience_ns,
		    struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	int waited = child_wait(keeper, &load->child, since_ns + patience_ns, err);

	if (waited < 0)
		return -1;
	if (waited) {
		load->outlasted_ns = clock_now_ns() - since_ns;
		load->stopped = true;
		/* Load generators print their results on SIGINT. */
		child_signal(keeper, &load->child, SIGINT);
		if (child_wait(keeper, &load->child, clock_now_ns() + END_GRACE_NS, err) < 0)
			return -1;
		child_end(keeper, &load->child, 500 * NS_PER_MS);
	}
	keeper_sweep(keeper, 0, NULL, NULL);
	if (load->watch.fault.kind)
		return error_set(err, ERR_INPUT, "load.fail: %s", load->watch.fault.msg);
	if (load->watch.seen)
		return error_set(err, ERR_TARGET, "the load reported that it failed: '%.200s' (load.fail)", load->watch.line);
	if (load->stopped || !load->child.status)
		return 0;
	child_describe_status(load->child.status, &words);
	return error_set(err, ERR_TARGET, "the load %s", words.buf);
}

void load_run_dispose(struct keeper *keeper, struct load_run *load)
{
	if (load->child.pid) {
		child_end(keeper, &load->child, 500 * NS_PER_MS);
		keeper_sweep(keeper, 0, NULL, NULL);
		child_dispose(keeper, &load->child);
	}
	line_watch_release(&load->watch);
}

int load_run_work(const struct load_run *load, double window_s, struct measured *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct load *spec = &load->plan->scenario->load;
	const char *what = spec->work.regex ? "no match of" : "no JSON with", *wanted = spec->work.regex ?: spec->work.json;
	double reported;
	int found;

	if (spec->as == WORK_UNKNOWN)
		return 0;
	tail_text(&load->child.output, &text);
	found = extractor_find(&spec->work, NULL, text.buf, text.len, &reported, err);
	if (found < 0)
		return error_wrap(err, "load.work");
	if (!found && load->stopped)
		return error_set(err, ERR_TARGET,
				 "the load reported no throughput: it still ran %s after its window and had to be stopped, and "
				 "its output has %s '%.100s' (load.work); let it end by itself", format_duration(load->outlasted_ns).s,
				 what, wanted);
	if (!found)
		return error_set(err, ERR_TARGET, "the load reported no throughput: its output has %s '%.100s' (load.work)",
				 what, wanted);
	if (!(reported > 0))
		return error_set(err, ERR_TARGET, "the load did no work: it reported %g", reported);
	out->work = spec->as == WORK_RATE ? reported * window_s : reported;
	return 0;
}

int custom_metrics_read(const struct scenario *scenario, const struct strbuf *text, struct measured *out, struct error *err)
{
	if (!scenario->n_metrics)
		return 0;
	out->custom = xcalloc(scenario->n_metrics, sizeof *out->custom);
	out->n_custom = scenario->n_metrics;
	for (size_t i = 0; i < scenario->n_metrics; i++) {
		const struct custom_metric *metric = &scenario->metrics[i];

		out->custom[i] = (struct measured_custom){ metric->metric, NAN };
		if (extractor_find(&metric->extractor, metric->metric, text->buf, text->len, &out->custom[i].value, err) < 0)
			return error_wrap(err, "metrics.%s", metric->metric->name);
	}
	return 0;
}
