#include "measure/live.h"

#include "base/cleanup.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "measure/simulate.h"
#include "measure/target_run.h"

/* Making data may take long; a setup that hangs must still end. */
#define COMMAND_TIMEOUT_NS (600 * NS_PER_S)
enum { WORDS_LINES = 20 };

static void keep_words(struct strbuf *to, const struct strbuf *output)
{
	strbuf_reset(to);
	strbuf_add(to, output->buf, output->len);
}

/* Unwritable logs must not fail a measurement that succeeded. */
static void write_log(const struct live *live, const char *what, const struct strbuf *output)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	if (!live->log_dir || !output->len || file_refuse_link(live->log_dir, NULL) < 0)
		return;
	strbuf_addf(&name, "%s/%s.log", live->log_dir, what);
	file_write(name.buf, output->buf, output->len, NULL);
}

static int live_command(void *ctx, const struct plan *plan, const char *what, const struct strv *argv,
			struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct live *live = ctx;
	struct interrupt *interrupt = live->rig->keeper->interrupt;
	struct child_spec spec = { .argv = argv, .environment = &plan->environment, .cwd = plan->root };
	bool last = !strcmp(what, "cleanup");
	char names[256];
	int ret;

	/* Cleanup is what an interrupt must not cut short; its timeout bounds it. */
	if (last)
		live->rig->keeper->interrupt = NULL;
	ret = child_run(live->rig->keeper, &spec, last ? COMMAND_TIMEOUT_NS / 20 : COMMAND_TIMEOUT_NS, &output, err);
	keeper_sweep(live->rig->keeper, 0, names, NULL);
	live->rig->keeper->interrupt = interrupt;
	keep_words(&live->words, &output);
	if (strcmp(what, "prepare"))
		write_log(live, what, &output);
	return ret < 0 ? error_wrap(err, "%s", what) : 0;
}

static struct target_spec target_of(const struct plan *plan)
{
	const struct scenario *s = plan->scenario;

	return (struct target_spec){
		.child = {
			.argv = &plan->target, .environment = &plan->environment, .cwd = plan->cwd,
			.user = s->target_user, .cpus = s->measure.cpus, .aslr_off = s->measure.aslr_off,
		},
		.timeout_ns = s->measure.timeout_ns,
	};
}

static int live_run(void *ctx, const struct plan *plan, const struct strv *events, struct measured *out,
		    struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct target_spec spec = target_of(plan);
	struct live *live = ctx;
	int ret = target_run(live->rig, &spec, events, out, &output, err);

	keep_words(&live->words, &output);
	keep_words(&live->target, &output);
	return ret;
}

static int live_simulate(void *ctx, const struct plan *plan, struct simulated *out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct target_spec spec = target_of(plan);
	struct live *live = ctx;
	int ret = simulate_run(live->rig, &spec, out, &output, err);

	keep_words(&live->words, &output);
	return ret;
}

static void live_last_words(void *ctx, struct strbuf *out)
{
	struct live *live = ctx;
	struct tail tail = TAIL_INIT;

	tail_feed(&tail, live->words.buf, live->words.len);
	tail_lines(&tail, WORDS_LINES, out);
	tail_release(&tail);
}

static uint64_t live_now(void *ctx)
{
	(void)ctx;
	return clock_now_ns();
}

static void live_progress(void *ctx, const struct loop_progress *progress)
{
	struct live *live = ctx;

	live->progress(live->progress_ctx, progress);
}

struct loop_ops live_ops(struct live *live)
{
	return (struct loop_ops){
		.ctx = live,
		.command = live_command,
		.run = live_run,
		.simulate = live_simulate,
		.last_words = live_last_words,
		.now_ns = live_now,
		.progress = live_progress,
	};
}

void live_finish(struct live *live)
{
	write_log(live, "target", &live->target);
	strbuf_release(&live->words);
	strbuf_release(&live->target);
}
