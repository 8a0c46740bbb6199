#include "cmd/progress.h"

#include <unistd.h>

#include "measure/clock.h"

/* Redrawing costs a wake-up of the terminal next to the measured program. */
#define REDRAW_NS (200 * NS_PER_MS)

static const char clear_line[] = "\r\033[K";

static const char *const phases[] = {
	[PHASE_SETUP] = "setup", [PHASE_ENV] = "starting", [PHASE_WARMUP] = "warm-up", [PHASE_RUN] = "run",
	[PHASE_SIMULATE] = "simulating under valgrind", [PHASE_PROFILE] = "profiled run", [PHASE_CLEANUP] = "cleanup",
};

void progress_begin(struct progress *progress, const struct invocation *inv, size_t scenarios)
{
	const char *term = getenv("TERM"), *github = getenv("GITHUB_ACTIONS");

	*progress = (struct progress){
		.inv = inv,
		.of = scenarios,
		.terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb"),
		.github = github && !strcmp(github, "true"),
	};
}

void progress_scenario(struct progress *progress, const char *name)
{
	progress->at++;
	progress->open = progress->pairs = false;
	progress->shown_ns = 0;
	if (progress->github) {
		cmd_say_raw(progress->inv, "::group::");
		cmd_say(progress->inv, "pawl: %s (%zu of %zu)\n", name, progress->at, progress->of);
	}
}

static const char *phase_name(const struct loop_progress *step)
{
	if (step->pairs)
		return "pair";
	if (step->windows && step->phase == PHASE_PROFILE)
		return "profiled window";
	return step->windows && step->phase == PHASE_RUN ? "window" : phases[step->phase];
}

static void draw(struct progress *p, const struct loop_progress *step)
{
	cmd_say_raw(p->inv, clear_line);
	cmd_say(p->inv, "[%zu/%zu] %s: %s", p->at, p->of, step->scenario, phase_name(step));
	if (step->what)
		cmd_say(p->inv, " %s", step->what);
	if (step->run)
		cmd_say(p->inv, " %u", step->run);
	if (step->of)
		cmd_say(p->inv, " of %u", step->of);
	if (step->left_ns)
		cmd_say(p->inv, ", %.0f s left", (double)step->left_ns / 1e9 + 0.5);
	p->shown_ns = clock_now_ns();
}

void progress_step(void *ctx, const struct loop_progress *step)
{
	struct progress *p = ctx;
	bool changed = !p->open || step->phase != p->last || step->what;

	if (p->pairs && (step->phase == PHASE_ENV || step->phase == PHASE_WARMUP))
		return;
	p->pairs = p->pairs || step->pairs;
	p->open = true;
	p->last = step->phase;
	if (p->terminal) {
		if (changed || clock_now_ns() - p->shown_ns >= REDRAW_NS)
			draw(p, step);
	} else if (changed) {
		cmd_say(p->inv, "[%zu/%zu] %s: %s%s%s%s\n", p->at, p->of, step->scenario, phase_name(step),
			step->run && step->phase != PHASE_SIMULATE ? "s" : "", step->what ? " " : "",
			step->what ?: "");
	}
}

void progress_done(struct progress *progress, const char *name, const char *words)
{
	if (progress->terminal)
		cmd_say_raw(progress->inv, clear_line);
	cmd_say(progress->inv, "[%zu/%zu] %s: %s\n", progress->at, progress->of, name, words);
	if (progress->github)
		cmd_say_raw(progress->inv, "::endgroup::\n");
}
