#include "measure/perf/session.h"

#include <unistd.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/machine/machine.h"
#include "measure/perf/perf_tool.h"
#include "measure/perf/probe.h"
#include "measure/process/abandoned.h"
#include "measure/process/child.h"
#include "measure/process/lock.h"

int session_make_scratch(struct session *session, struct error *err)
{
	if (scratch_make(session->keeper->pid, &session->scratch, &session->scratch_lock, err) < 0)
		return -1;
	return session->scratch_lock < 0 ? 0 : keeper_hold(session->keeper, session->scratch_lock, err);
}

void session_remove_scratch(struct session *session)
{
	if (!session->scratch)
		return;
	if (keeper_is_lost(session->keeper))
		scratch_end_listed(session->scratch);
	file_remove_tree(session->scratch, NULL);
	if (session->scratch_lock >= 0)
		close(session->scratch_lock);
	free(session->scratch);
	session->scratch = NULL;
}

static int find_counters(struct session *session, const struct session_options *options, struct error *err)
{
	struct machine *machine = &session->machine;
	struct error why = ERROR_INIT;

	if (!options->without_perf) {
		if (perf_tool_find(session->keeper, &session->perf, &why) == 0 && probe_tier(session, machine, &why) == 0)
			return 0;
		if (!options->perf_optional || why.kind == ERR_INTERRUPTED) {
			*err = why;
			return -1;
		}
	}
	machine->tier = TIER_SIM;
	machine->tier_reason = options->without_perf ? "perf is not used, as every scenario asks for simulated counters" :
						       arena_printf(&machine->arena, "there is no perf to use: %s", why.msg);
	return 0;
}

int session_open(struct session *session, struct keeper *keeper, const struct session_options *options,
		 struct error *err)
{
	*session = (struct session){ .keeper = keeper, .lock_fd = -1, .announced_fd = -1 };
	facts_read(&session->machine);
	abandoned_end_processes();
	if (lock_take(options->lock_wait_ns, keeper->interrupt, options->waiting, options->ctx, &session->lock_fd, err) == 0) {
		if (session->lock_fd >= 0)
			session->announced_fd = lock_announce();
		if (session_make_scratch(session, err) == 0 && find_counters(session, options, err) == 0)
			return 0;
	}
	session_close(session);
	return -1;
}

void session_close(struct session *session)
{
	session_remove_scratch(session);
	if (session->lock_fd >= 0 && session->announced_fd >= 0)
		close(session->announced_fd);
	close_fd(&session->lock_fd);
	perf_tool_release(&session->perf);
	machine_release(&session->machine);
	*session = (struct session){ .lock_fd = -1 };
}
