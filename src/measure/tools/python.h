/* Python's own profiler, which counts the calls and time of Python functions. */
#ifndef PAWL_MEASURE_TOOLS_PYTHON_H
#define PAWL_MEASURE_TOOLS_PYTHON_H

#include "measure/tools/tool.h"

/*
 * python.py goes on PYTHONPATH of the targets, and counts in each of their processes. If a launcher sets PYTHONPATH
 * itself, PYTHONUSERBASE loads it. A target takes up to five times as long. Each process leaves a file in
 * callgrind's format. It is an error if no Python process wrote any.
 */
extern const struct tool tool_python;

#endif
