#include "job/heap.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "model/metric.h"
#include "model/result.h"
#include "cause/evidence.h"
#include "cause/heap.h"
#include "cause/work.h"
#include "profile/stacks.h"

#include "measure/tools/heaptrack.h"
#include "measure/perf/session.h"
#include "measure/perf/target_run.h"
#include "measure/process/files.h"
#include "measure/run/system.h"

enum { FOLDED_LARGEST = 64 << 20 };

static int read_stacks(const char *dir, const char *name, const struct work *work, struct stacks *out, struct error *err)
{
	CLEANUP(free_ptr) char *path = file_join(dir, name);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (file_read(path, FOLDED_LARGEST, &text, err) < 0)
		return -1;
	/* A target that allocates nothing leaves an empty file. */
	return text.len ? heap_folded_read(text.buf, text.len, work, out, err) : 0;
}

static int read_both(const char *dir, struct evidence *out, struct error *err)
{
	if (read_stacks(dir, "heap.folded", &out->work, &out->allocations, err) < 0)
		return -1;
	return read_stacks(dir, "heap-peak.folded", &out->work, &out->heap_peak, err);
}

/* True if the scenario's profile counted the allocations already. */
static bool is_counted(const struct system *system, const struct side_result *counted)
{
	CLEANUP(free_ptr) char *path = file_join(system->log_dir, "heap.folded");

	return side_result_count(counted, METRIC(ALLOCATIONS)) && file_exists(path);
}

int heap_take(struct system *system, const struct side_result *counted, uint64_t limit_ns, struct evidence *out, struct error *err)
{
	struct session *session = system->session;
	CLEANUP(free_ptr) char *dir = file_join(session->scratch, "heap");
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	const struct heap_wish wish = { .keep = dir, .limit_ns = limit_ns };
	struct heap_use use = { 0 };
	struct target_spec spec;
	int ret;

	if (is_counted(system, counted)) {
		out->temporary = side_result_median(counted, METRIC(TEMPORARY_ALLOCATIONS));
		return read_both(system->log_dir, out, err);
	}
	if (file_make_dirs(dir, err) < 0 || system_specs(&system, 1, &spec, err) < 0)
		return -1;
	ret = heaptrack_run(session, &spec, &wish, &use, &output, err);
	if (ret == 0 && !use.known)
		ret = error_set(err, ERR_SYSTEM, "%s", use.why_not);
	if (ret == 0)
		ret = read_both(dir, out, err);
	out->temporary = ret == 0 ? use.temporary : 0;
	file_remove_tree(dir, NULL);
	return ret;
}
