#include "measure/ready.h"

#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "measure/clock.h"
#include "measure/ready_try.h"

/* A server may accept and say nothing; the next try may find it in a better state. */
#define TRY_NS NS_PER_S
#define FIRST_REST_NS (5 * NS_PER_MS)
#define LONGEST_REST_NS (200 * NS_PER_MS)
/* The kernel dates files by a clock that ticks this seldom. */
#define FILE_CLOCK_NS (10 * NS_PER_MS)

int ready_saw(struct ready_try *try, const char *fmt, ...)
{
	va_list args;

	strbuf_reset(&try->saw);
	va_start(args, fmt);
	strbuf_vaddf(&try->saw, fmt, args);
	va_end(args);
	return 0;
}

int ready_saw_nothing(struct ready_try *try, const char *words)
{
	if (try->saw.len && try->try_deadline_ns >= try->deadline_ns)
		return 0;
	return ready_saw(try, "%s", words);
}

static void try_release(struct ready_try *try)
{
	if (try->addresses)
		freeaddrinfo(try->addresses);
	if (try->has_body)
		regfree(&try->body);
	endpoint_release(&try->endpoint);
	strbuf_release(&try->saw);
}

static int open_tcp(struct ready_try *try, struct error *err)
{
	return ready_open_endpoint(try->check->service, &try->endpoint, &try->addresses, err);
}

static int open_http(struct ready_try *try, struct error *err)
{
	return ready_open_http(try, err) < 0 ? -1 : open_tcp(try, err);
}

static int try_log(struct ready_try *try, struct error *err)
{
	(void)err;
	return try->check->watch->seen;
}

/* The change time cannot be set, as that of modification can. */
static int try_file(struct ready_try *try, struct error *err)
{
	const char *path = try->check->service->ready_text;
	uint64_t changed_ns;
	struct stat st;

	(void)err;
	if (stat(path, &st) < 0)
		return 0;
	changed_ns = (uint64_t)st.st_ctim.tv_sec * NS_PER_S + (uint64_t)st.st_ctim.tv_nsec;
	if (changed_ns + FILE_CLOCK_NS >= try->check->since_ns)
		return 1;
	return ready_saw(try, "it is there, but from before the service started");
}

/* The words are those around the probe's text when its time is over. */
static const struct kind {
	const char *before, *after;
	int (*open)(struct ready_try *try, struct error *err);
	int (*try)(struct ready_try *try, struct error *err);
	bool instant;			/* a try takes no time, so there is always enough left for one */
} kinds[] = {
	[READY_TCP] = { "tcp ", " was not ready", open_tcp, ready_try_tcp, false },
	[READY_HTTP] = { "http ", " was not ready", open_http, ready_try_http, false },
	[READY_LOG] = { "log: no line matched '", "'", NULL, try_log, true },
	[READY_FILE] = { "file ", " did not appear", NULL, try_file, true },
	[READY_COMMAND] = { "command ", " did not succeed", NULL, ready_try_command, false },
};

/* As it was written: a line for the shell, or words. */
static void add_command(const struct plan_service *service, struct strbuf *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct strv *argv = &service->ready;

	if (service->service->ready.command.shell)
		strbuf_adds(&text, argv->items[argv->n - 1]);
	for (size_t i = 0; !service->service->ready.command.shell && i < argv->n; i++) {
		strbuf_adds(&text, i ? " " : "");
		escape_shell(&text, argv->items[i]);
	}
	ready_add_short(out, text.buf);
}

static int timed_out(const struct ready_try *try, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const struct plan_service *service = try->check->service;
	const struct ready *ready = &service->service->ready;
	const struct kind *kind = &kinds[ready->kind];

	strbuf_adds(&text, kind->before);
	if (ready->kind == READY_COMMAND)
		add_command(service, &text);
	else
		strbuf_adds(&text, service->ready_text);
	strbuf_addf(&text, "%s within %g s", kind->after, (double)ready->timeout_ns / 1e9);
	if (try->saw.len)
		strbuf_addf(&text, " (%s)", try->saw.buf);
	return error_set(err, ERR_TARGET, "%s", text.buf);
}

/* Sleep until then; the end of a child wakes up, and may be the service's. */
static int rest(const struct ready_check *check, uint64_t until_ns, struct error *err)
{
	struct wire message;
	int got;

	do
		got = keeper_pump(check->keeper, until_ns, &message, err);
	while (got == 1 && check->alive(check->ctx, err) == 0);
	return got ? -1 : 0;
}

static int wait_delay(const struct ready_check *check, uint64_t until_ns, struct error *err)
{
	if (check->alive(check->ctx, err) < 0 || rest(check, until_ns, err) < 0)
		return -1;
	return check->alive(check->ctx, err);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static int keep_trying(struct ready_try *try, struct error *err)
{
	const struct ready_check *check = try->check;
	const struct kind *kind = &kinds[check->service->service->ready.kind];
	uint64_t pause = FIRST_REST_NS;

	for (;;) {
		uint64_t now = clock_now_ns();
		bool last = now >= try->deadline_ns;
		int got = 0;

		if (check->alive(check->ctx, err) < 0)
			return -1;
		try->try_deadline_ns = earlier(now + TRY_NS, try->deadline_ns);
		if (!last || kind->instant)
			got = kind->try(try, err);
		if (got)
			return got < 0 ? -1 : 0;
		if (last)
			return timed_out(try, err);
		if (rest(check, earlier(clock_now_ns() + pause, try->deadline_ns), err) < 0)
			return -1;
		pause = earlier(pause * 2, LONGEST_REST_NS);
	}
}

int ready_wait(const struct ready_check *check, struct error *err)
{
	const struct ready *ready = &check->service->service->ready;
	CLEANUP(try_release) struct ready_try try = { .check = check, .saw = STRBUF_INIT };
	uint64_t now = clock_now_ns();

	if (ready->kind == READY_AT_ONCE)
		return check->alive(check->ctx, err);
	if (ready->kind == READY_DELAY)
		return wait_delay(check, now + ready->delay_ns, err);
	try.deadline_ns = now + ready->timeout_ns;
	if (kinds[ready->kind].open && kinds[ready->kind].open(&try, err) < 0)
		return -1;
	return keep_trying(&try, err);
}
