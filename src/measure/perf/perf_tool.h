/*
 * Finds the perf to use. `perf` on PATH may be a distribution's wrapper that refuses to run on this kernel; pawl then
 * takes the newest real perf under the distribution's linux-tools folders. PAWL_PERF overrides the search without
 * further checks.
 */
#ifndef PAWL_MEASURE_PERF_PERF_TOOL_H
#define PAWL_MEASURE_PERF_PERF_TOOL_H

struct error;
struct keeper;

struct perf_tool {
	char *path;
	char *version;		/* "6.1.187" */
	char *note;		/* how it was chosen, unless it is simply the one on PATH; or NULL */
};

/* Finds perf. If it is missing, the ERR_SYSTEM has the command that installs it. */
int perf_tool_find(struct keeper *keeper, struct perf_tool *out, struct error *err);
void perf_tool_release(struct perf_tool *tool);

/* The places perf_tool_find() searches. Absent ones are NULL. */
struct perf_search {
	const char *override;	/* PAWL_PERF: a path or a name on PATH */
	const char *on_path;	/* the `perf` on PATH */
	const char *root;	/* parent of the distribution's folders: "/" */
	const char *os_release;	/* this and the next member choose the command that installs perf */
	const char *kernel;
};

int perf_tool_search(struct keeper *keeper, const struct perf_search *search, struct perf_tool *out, struct error *err);

#endif
