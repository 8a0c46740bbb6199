#include "cmd/outcome.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/lock.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "measure/git.h"
#include "measure/outdir.h"
#include "report/report.h"

void outcome_begin(struct result *result, const char *mode, struct invocation *inv, const char *root)
{
	*result = (struct result){
		.mode = xstrdup(mode),
		.command = xstrdup(inv->line),
		.date = utc_now(),
		.pawl = xstrdup(PAWL_VERSION),
		.commit = git_commit(&inv->keeper, root),
		.strict = inv->options.strict,
	};
}

static void say_waiting(void *ctx, const char *holder)
{
	cmd_say(ctx, "another pawl (%s) is measuring; waiting for it\n", holder);
}

int outcome_rig(struct rig *rig, struct invocation *inv, bool without_perf, struct error *err)
{
	struct rig_options options = {
		.lock_wait_ns = inv->options.lock_wait_ns,
		.without_perf = without_perf,
		.waiting = say_waiting,
		.ctx = inv,
	};

	/* Git was asked before, and some of its errors are nobody's to hear: an interrupt may have been among them. */
	return interrupt_check(&inv->interrupt, err) < 0 ? -1 : rig_open(rig, &inv->keeper, &options, err);
}

/* Reports that lie there already, which somebody may have made beforehand, are not to be taken for this run's. */
static int remove_old(const char *dir, struct error *err)
{
	static const char *const names[] = { "result.json", "report.md", "report.html", "junit.xml" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		CLEANUP(free_ptr) char *path = file_join(dir, names[i]);

		if (file_remove_tree(path, err) < 0)
			return -1;
	}
	return 0;
}

int outcome_folder(struct result *result, const struct options *options, const char *root, const char *folder,
		   char **parent_out, struct error *err)
{
	CLEANUP(free_ptr) char *parent = NULL;

	if (options->out) {
		result->out_dir = file_absolute(options->out);
		if (file_refuse_links(root, result->out_dir, err) < 0)
			return error_wrap(err, "--out");
		return file_make_dirs(result->out_dir, err) < 0 ? -1 : remove_old(result->out_dir, err);
	}
	parent = file_join(root, folder);
	if (file_refuse_links(root, parent, err) < 0)
		return error_wrap(err, "use --out DIR");
	if (outdir_make(parent, result->commit, &result->out_dir, err) < 0)
		return -1;
	*parent_out = take_ptr(&parent);
	return 0;
}

/* -------- the noise */

void outcome_watch(struct outcome_watch *watch, const struct invocation *inv)
{
	watch->start_ns = clock_now_ns();
	watch->own_ms = inv->keeper.cpu_ms;
	watch->others = (struct strv)STRV_INIT;
	lock_others(&watch->others);
	noise_read(&watch->before);
}

/* A pawl that measures by leave of another one's lock is the other one's. */
static void note_others(struct outcome_watch *watch, struct rig *rig)
{
	lock_others(&watch->others);
	for (size_t i = 0; rig->lock_fd >= 0 && i < watch->others.n; i++)
		strv_pushf(&rig->machine.notes, "another pawl (%s) was measuring too, under a lock of its own: give both the same "
			   "XDG_RUNTIME_DIR", watch->others.items[i]);
	strv_release(&watch->others);
}

void outcome_watched(struct outcome_watch *watch, const struct invocation *inv, struct rig *rig, struct result *result)
{
	struct noise after;
	unsigned cpus = rig->machine.cpus;
	double own_ms = inv->keeper.cpu_ms - watch->own_ms;

	noise_read(&after);
	note_others(watch, rig);
	noise_notes(&watch->before, &after, own_ms, cpus, &rig->machine.notes);
	noise_busy(&watch->before, &after, own_ms, cpus, &result->busy);
	machine_release(&result->machine);
	machine_copy(&result->machine, &rig->machine);
	result->elapsed_s = (double)(clock_now_ns() - watch->start_ns) / 1e9;
}

/* -------- what is left */

static int write_report(const struct result *result, const char *name, report_fn *render, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(result->out_dir, name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	render(result, &(struct report_options){ 0 }, &text);
	return file_write(path, text.buf, text.len, err);
}

int outcome_leave(const struct result *result, const char *parent, struct error *err)
{
	if (write_report(result, "result.json", report_json, err) < 0 ||
	    write_report(result, "report.md", report_markdown, err) < 0 ||
	    write_report(result, "report.html", report_html, err) < 0 ||
	    write_report(result, "junit.xml", report_junit, err) < 0)
		return -1;
	if (parent)
		outdir_prune(parent);
	return 0;
}
