#include "measure/perf/python_calls.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/process/child.h"
#include "measure/process/files.h"

enum { FILE_LARGEST = 64 << 20, FILES_MOST = 4096 };
/* Links for absent Python versions do no harm. */
enum { VERSION_NEWEST = 30 };

#define MODULE "sitecustomize.py"
static const char module[] =
#include "embedded/python_calls.py.inc"
	;

/* -------- the environment */

/* Equal hashes in every process give sets the same order on both sides. */
static void add_variables(const struct child_spec *spec, const char *dir, struct strv *out)
{
	const char *path = child_variable(spec, "PYTHONPATH");
	CLEANUP(free_ptr) char *both = path && *path ? text_printf("%s:%s", dir, path) : xstrdup(dir);

	if (spec->environment)
		strv_copy(out, spec->environment);
	variable_set(out, "PYTHONPATH", both);
	variable_set(out, "PYTHONUSERBASE", dir);
	if (!child_variable(spec, "PYTHONHASHSEED"))
		strv_push(out, "PYTHONHASHSEED=0");
}

/* -------- the folder */

static int add_link(const char *dir, const char *name, const char *to, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(dir, name);

	return symlink(to, path) == 0 ? 0 : error_sys(err, errno, "cannot make the link '%s'", path);
}

/* Makes DIR, used as the user base, also each Python's user site folder, such as lib/python3.12/site-packages. */
static int add_links(const char *dir, const char *own_base, struct error *err)
{
	static const char *const versions[] = { "python3.%d", "python3.%dt", "pypy3.%d" };

	if (add_link(dir, "usercustomize.py", MODULE, err) < 0 || add_link(dir, "lib", ".", err) < 0 ||
	    add_link(dir, "site-packages", ".", err) < 0 || add_link(dir, "python2.7", ".", err) < 0)
		return -1;
	for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
		for (int version = 0; version <= VERSION_NEWEST; version++) {
			CLEANUP(free_ptr) char *name = text_printf(versions[i], version);

			if (add_link(dir, name, ".", err) < 0)
				return -1;
		}
	return own_base && *own_base ? add_link(dir, "userbase", own_base, err) : 0;
}

/* A target of another user reads the module here and writes its output here. */
static int make_folder(const char *dir, const struct child_spec *spec, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(dir, MODULE);

	if (file_remove_tree(dir, err) < 0 || file_make_dirs(dir, err) < 0 ||
	    file_write(path, module, sizeof module - 1, err) < 0 ||
	    add_links(dir, child_variable(spec, "PYTHONUSERBASE"), err) < 0)
		return -1;
	if (spec->user && (chmod(dir, 01777) < 0 || chmod(path, 0644) < 0))
		return error_sys(err, errno, "cannot open %s to %s", dir, spec->user);
	return 0;
}

static int feed_files(const char *dir, unsigned side, python_calls_feed_fn *feed, void *ctx, struct error *err)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	size_t found = 0;

	if (file_list(dir, &names, err) < 0)
		return -1;
	for (size_t i = 0; i < names.n && found < FILES_MOST; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(free_ptr) char *path = file_join(dir, names.items[i]);

		if (!text_starts(names.items[i], "python."))
			continue;
		if (file_read(path, FILE_LARGEST, &text, err) < 0 || feed(ctx, side, text.buf, text.len, err) < 0)
			return error_wrap(err, "%s", names.items[i]);
		found++;
	}
	return found ? 0 : error_set(err, ERR_SYSTEM, "no process of Python counted its calls: it was started with -S or -I, what started it "
				     "cleared its environment, or it was ended by a signal; or a wrapper set PYTHONPATH itself for a virtual "
				     "environment or for -s: let it keep what PYTHONPATH was, as PYTHONPATH=src:$PYTHONPATH does");
}

/* -------- the whole */

int python_calls_run(struct session *session, const struct target_spec *specs, struct outcome *outcomes, size_t n,
		     uint64_t limit_ns, python_calls_feed_fn *feed, void *ctx, struct error *err)
{
	struct strv environments[AT_ONCE_MOST] = { STRV_INIT };
	struct target_spec counting[AT_ONCE_MOST] = { 0 };
	char *dirs[AT_ONCE_MOST] = { NULL };
	int ret = 0;

	for (size_t i = 0; ret == 0 && i < n; i++) {
		CLEANUP(free_ptr) char *name = text_printf("python.%zu", i);

		dirs[i] = file_join(session->scratch, name);
		add_variables(&specs[i].child, dirs[i], &environments[i]);
		counting[i] = specs[i];
		counting[i].child.environment = &environments[i];
		counting[i].timeout_ns = limit_ns;
		ret = make_folder(dirs[i], &specs[i].child, err);
	}
	if (ret == 0 && targets_run(session, counting, outcomes, n, NULL, err) < 0) {
		/* This timeout is not the target's own. */
		if (err && err->sys == ETIMEDOUT)
			err->sys = 0;
		ret = error_wrap(err, "while its calls were counted");
	}
	for (unsigned i = 0; i < n; i++) {
		if (ret == 0)
			ret = feed_files(dirs[i], i, feed, ctx, err);
		if (dirs[i])
			file_remove_tree(dirs[i], NULL);
		free(dirs[i]);
		strv_release(&environments[i]);
	}
	return ret;
}
