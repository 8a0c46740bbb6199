#include "measure/rig.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "measure/abandoned.h"
#include "measure/facts.h"
#include "measure/files.h"
#include "measure/lock.h"
#include "measure/probe.h"

static const char *scratch_parent(void)
{
	const char *tmp = getenv("TMPDIR");

	return tmp && *tmp == '/' ? tmp : "/tmp";
}

int rig_make_scratch(struct rig *rig, struct error *err)
{
	struct strbuf template = STRBUF_INIT;

	abandoned_remove_scratch(scratch_parent());
	strbuf_addf(&template, "%s/pawl-%d-XXXXXX", scratch_parent(), (int)rig->keeper->pid);
	if (!mkdtemp(template.buf)) {
		error_sys(err, errno, "cannot make a scratch folder %s", template.buf);
		strbuf_release(&template);
		return -1;
	}
	/* A target that runs as another user works in there. */
	chmod(template.buf, 0711);
	rig->scratch = strbuf_take(&template);
	return 0;
}

static int find_counters(struct rig *rig, bool without_perf, struct error *err)
{
	if (!without_perf)
		return perf_tool_find(&rig->perf, err) < 0 ? -1 : probe_tier(rig, &rig->machine, err);
	rig->machine.tier = TIER_SIM;
	rig->machine.tier_reason = xstrdup("perf is not used, as every scenario asks for simulated counters");
	return 0;
}

int rig_open(struct rig *rig, struct keeper *keeper, const struct rig_options *options, struct error *err)
{
	*rig = (struct rig){ .keeper = keeper, .lock_fd = -1 };
	/* A perf that died while being told something must not take pawl along. */
	signal(SIGPIPE, SIG_IGN);
	facts_read(&rig->machine);
	abandoned_end_processes();
	if (lock_take(options->lock_wait_ns, keeper->interrupt, options->waiting, options->ctx, &rig->lock_fd, err) < 0 ||
	    rig_make_scratch(rig, err) < 0 || find_counters(rig, options->without_perf, err) < 0) {
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
