/* Modules that Python targets load: a profiler, which counts calls and time of functions, and a plugin for pytest. */
#ifndef PAWL_MEASURE_TOOLS_PYTHON_H
#define PAWL_MEASURE_TOOLS_PYTHON_H

#include "measure/tools/tool.h"

/*
 * python.py goes on PYTHONPATH of the targets, and counts in each of their processes. If a launcher sets PYTHONPATH
 * itself, PYTHONUSERBASE loads it. A target takes up to five times as long. Each process leaves a file in
 * callgrind's format. It is an error if no Python process wrote any.
 */
extern const struct tool tool_python;

/*
 * Writes the plugin pytest.py into folder DIR. pytest finds it if DIR is on PYTHONPATH. A launcher that sets PYTHONPATH
 * itself, or PYTEST_DISABLE_PLUGIN_AUTOLOAD, does without: runs then only take longer.
 */
int python_add_plugin(const char *dir, struct error *err);
/* The child's PYTHONPATH with DIR before it, for free(). */
char *python_path(const struct child_spec *spec, const char *dir);

#endif
