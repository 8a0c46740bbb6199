/* Command probes: a program that ends with status 0 once the service serves. */
#include "base/cleanup.h"
#include "base/utf8.h"
#include "measure/clock.h"
#include "measure/ready_try.h"

/* How soon the end of the service is noticed while the command runs. */
#define LOOK_NS (200 * NS_PER_MS)
#define END_GRACE_NS (100 * NS_PER_MS)
enum { SHORT = 200 };

void ready_add_short(struct strbuf *out, const char *text)
{
	size_t line = strcspn(text, "\n"), len = utf8_clip(text, SHORT);

	len = line < len ? line : len;
	strbuf_add(out, text, len);
	if (text[len])
		strbuf_adds(out, "...");
}

/* 0 ended, 1 still running when the probe's time is over. */
static int wait_for(struct ready_try *try, struct child *child, struct error *err)
{
	const struct ready_check *check = try->check;

	for (;;) {
		uint64_t until = clock_now_ns() + LOOK_NS;
		int waited = child_wait(check->keeper, child, until < try->deadline_ns ? until : try->deadline_ns, err);

		if (waited <= 0)
			return waited;
		if (check->alive(check->ctx, err) < 0)
			return -1;
		if (clock_now_ns() >= try->deadline_ns)
			return 1;
	}
}

/* "exited with status 1: the last line of its output" */
static void describe(const struct child *child, bool running, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

	if (running)
		strbuf_adds(out, "it was still running");
	else
		child_describe_status(child->status, out);
	tail_lines(&child->output, 1, &line);
	if (line.len)
		strbuf_adds(out, ": ");
	ready_add_short(out, line.buf);
}

static int run(struct ready_try *try, struct child *child, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;
	int waited;

	if (child_release(child, err) < 0) {
		if (err)
			err->kind = ERR_TARGET;
		return error_wrap(err, "ready.command %s", try->check->service->ready.items[0]);
	}
	waited = wait_for(try, child, err);
	if (waited < 0)
		return -1;
	if (!waited && !child->status)
		return 1;
	describe(child, waited, &words);
	return waited ? ready_saw_nothing(try, words.buf) : ready_saw(try, "%s", words.buf);
}

int ready_try_command(struct ready_try *try, struct error *err)
{
	const struct plan_service *service = try->check->service;
	const struct child_spec spec = {
		.argv = &service->ready, .environment = &service->environment, .cwd = service->cwd,
		.user = service->service->user,
	};
	struct keeper *keeper = try->check->keeper;
	struct child child = { 0 };
	char names[256];
	int got;

	try->try_deadline_ns = try->deadline_ns;
	if (child_start(keeper, &spec, &child, err) < 0)
		return error_wrap(err, "ready.command");
	got = run(try, &child, err);
	child_end(keeper, &child, END_GRACE_NS);
	child_dispose(keeper, &child);
	keeper_sweep(keeper, 0, names, NULL);
	return got;
}
