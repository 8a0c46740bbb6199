#include "measure/rig.h"

#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "measure/abandoned.h"
#include "measure/facts.h"
#include "measure/lock.h"
#include "measure/probe.h"
#include "measure/scratch.h"

int rig_make_scratch(struct rig *rig, struct error *err)
{
	if (scratch_make(rig->keeper->pid, &rig->scratch, &rig->scratch_lock, err) < 0)
		return -1;
	return rig->scratch_lock < 0 ? 0 : keeper_hold(rig->keeper, rig->scratch_lock, err);
}

void rig_remove_scratch(struct rig *rig)
{
	if (!rig->scratch)
		return;
	if (keeper_is_lost(rig->keeper))
		scratch_end_listed(rig->scratch);
	scratch_remove(rig->scratch);
	if (rig->scratch_lock >= 0)
		close(rig->scratch_lock);
	free(rig->scratch);
	rig->scratch = NULL;
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
	facts_read(&rig->machine);
	abandoned_end_processes();
	if (lock_take(options->lock_wait_ns, keeper->interrupt, options->waiting, options->ctx, &rig->lock_fd, err) < 0) {
		rig_close(rig);
		return -1;
	}
	rig->announced_fd = rig->lock_fd < 0 ? -1 : lock_announce();
	if (rig_make_scratch(rig, err) < 0 || find_counters(rig, options->without_perf, err) < 0) {
		rig_close(rig);
		return -1;
	}
	return 0;
}

void rig_close(struct rig *rig)
{
	rig_remove_scratch(rig);
	if (rig->lock_fd >= 0 && rig->announced_fd >= 0)
		close(rig->announced_fd);
	lock_drop(&rig->lock_fd);
	perf_tool_release(&rig->perf);
	machine_release(&rig->machine);
	*rig = (struct rig){ .lock_fd = -1 };
}
