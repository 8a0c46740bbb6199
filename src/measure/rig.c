#include "measure/rig.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "measure/facts.h"
#include "measure/files.h"
#include "measure/lock.h"
#include "measure/probe.h"

static int make_scratch(struct rig *rig, struct error *err)
{
	struct strbuf template = STRBUF_INIT;
	const char *tmp = getenv("TMPDIR");

	strbuf_addf(&template, "%s/pawl-XXXXXX", tmp && *tmp == '/' ? tmp : "/tmp");
	if (!mkdtemp(template.buf)) {
		error_sys(err, errno, "cannot make a scratch folder %s", template.buf);
		strbuf_release(&template);
		return -1;
	}
	rig->scratch = strbuf_take(&template);
	return 0;
}

static int find_counters(struct rig *rig, bool with_perf, struct error *err)
{
	if (with_perf)
		return perf_tool_find(&rig->perf, err) < 0 ? -1 : probe_tier(rig, &rig->machine, err);
	rig->machine.tier = TIER_SIM;
	return 0;
}

int rig_open(struct rig *rig, struct keeper *keeper, uint64_t lock_wait_ns, bool with_perf, struct error *err)
{
	*rig = (struct rig){ .keeper = keeper, .lock_fd = -1 };
	/* A perf that died while being told something must not take pawl along. */
	signal(SIGPIPE, SIG_IGN);
	facts_read(&rig->machine);
	if (lock_take(lock_wait_ns, keeper->interrupt, &rig->lock_fd, err) < 0 ||
	    make_scratch(rig, err) < 0 || find_counters(rig, with_perf, err) < 0) {
		rig_close(rig);
		return -1;
	}
	return 0;
}

void rig_close(struct rig *rig)
{
	if (rig->scratch)
		file_remove_tree(rig->scratch, NULL);
	free(rig->scratch);
	lock_drop(&rig->lock_fd);
	perf_tool_release(&rig->perf);
	machine_release(&rig->machine);
	*rig = (struct rig){ .lock_fd = -1 };
}
