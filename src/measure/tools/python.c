#include "measure/tools/python.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/process/child.h"

enum { VERSION_NEWEST = 30 };

#define MODULE "sitecustomize.py"
static const char module[] =
#include "embedded/python.py.inc"
	;

char *python_path(const struct child_spec *spec, const char *dir)
{
	const char *path = child_variable(spec, "PYTHONPATH");

	return path && *path ? text_printf("%s:%s", dir, path) : xstrdup(dir);
}

/* Equal hashes in all processes order sets alike on both sides. */
static void add_variables(const struct child_spec *spec, const char *dir, struct strv *out)
{
	CLEANUP(free_ptr) char *both = python_path(spec, dir);

	if (spec->environment)
		strv_copy(out, spec->environment);
	variable_set(out, "PYTHONPATH", both);
	variable_set(out, "PYTHONUSERBASE", dir);
	if (!child_variable(spec, "PYTHONHASHSEED"))
		strv_push(out, "PYTHONHASHSEED=0");
}

static int add_link(const char *dir, const char *name, const char *to, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(dir, name);

	return symlink(to, path) == 0 ? 0 : error_sys(err, errno, "cannot make the link '%s'", path);
}

/* DIR is the user base, and each Python's user site: lib/python3.12/site-packages. */
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

static int prepare(struct tool_side *side, struct error *err)
{
	const struct child_spec *child = &side->spec.child;
	CLEANUP(free_ptr) char *path = file_join(side->dir, MODULE);

	add_variables(child, side->dir, &side->environment);
	if (file_write(path, module, sizeof module - 1, err) < 0 || add_links(side->dir, child_variable(child, "PYTHONUSERBASE"), err) < 0)
		return -1;
	return child->user && chmod(path, 0644) < 0 ? error_sys(err, errno, "cannot open %s to %s", path, child->user) : 0;
}

const struct tool tool_python = {
	.name = "python", .files = "python.", .prepare = prepare,
	.none = "no process of Python counted its calls: it was started with -S or -I, what started it cleared its environment, or it was "
		"ended by a signal; or a wrapper set PYTHONPATH itself for a virtual environment or for -s: let it keep what PYTHONPATH "
		"was, as PYTHONPATH=src:$PYTHONPATH does",
	.under = "while its calls were counted",
};

/* -------- pytest */

#define PLUGIN "pawl_benchmark"

/* Installed packages register their plugins in this way. */
static const struct {
	const char *path, *text;
} plugin[] = {
	{ PLUGIN ".py",
#include "embedded/pytest.py.inc"
	},
	{ PLUGIN "-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: " PLUGIN "\nVersion: 1\n" },
	{ PLUGIN "-1.dist-info/entry_points.txt", "[pytest11]\n" PLUGIN " = " PLUGIN "\n" },
};

int python_add_plugin(const char *dir, struct error *err)
{
	for (size_t i = 0; i < sizeof plugin / sizeof plugin[0]; i++) {
		CLEANUP(free_ptr) char *path = file_join(dir, plugin[i].path), *folder = path_parent(path);

		if (file_write(path, plugin[i].text, strlen(plugin[i].text), err) < 0)
			return -1;
		/* The target's user reads them. */
		if (chmod(folder, 0755) < 0 || chmod(path, 0644) < 0)
			return error_sys(err, errno, "cannot open %s to others", path);
	}
	return 0;
}
