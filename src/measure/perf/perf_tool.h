/*
 * Which perf to use. `perf` on PATH may be a distribution's wrapper that refuses on this kernel;
 * then the newest real one under the distribution's linux-tools folders is taken. PAWL_PERF
 * overrides, and is not second-guessed.
 */
#ifndef PAWL_MEASURE_PERF_PERF_TOOL_H
#define PAWL_MEASURE_PERF_PERF_TOOL_H

struct error;
struct keeper;

struct perf_tool {
	char *path;
	char *version;		/* "6.1.187" */
	char *note;		/* how it was chosen, when not plainly from PATH; or NULL */
};

/* ERR_SYSTEM with the command that installs perf when there is none. */
int perf_tool_find(struct keeper *keeper, struct perf_tool *out, struct error *err);
void perf_tool_release(struct perf_tool *tool);

/* Where perf_tool_find() looks; texts may be NULL where there is none. */
struct perf_search {
	const char *override;	/* PAWL_PERF: a path or a name on PATH */
	const char *on_path;	/* the `perf` on PATH */
	const char *root;	/* below which the distribution's folders lie: "/" */
	const char *os_release;	/* these two for the command that installs it */
	const char *kernel;
};

int perf_tool_search(struct keeper *keeper, const struct perf_search *search, struct perf_tool *out, struct error *err);

#endif
