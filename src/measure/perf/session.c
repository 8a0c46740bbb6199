#include "measure/perf/session.h"

#include <unistd.h>

#include "base/mem.h"
#include "measure/files/files.h"
#include "measure/machine/machine.h"
#include "measure/perf/perf_tool.h"
#include "measure/perf/target_run.h"
#include "measure/process/abandoned.h"
#include "measure/process/child.h"
#include "measure/process/interrupt.h"
#include "measure/process/lock.h"
#include "model/events.h"
#include "model/measured.h"

/* -------- the events that this machine can count */

/* The most important come first, for machines with few counters. */
static const char *const probed[] = {
	"task-clock", "cycles", "instructions", "branches", "branch-misses", "L1-dcache-loads", "L1-dcache-load-misses", NULL,
};

/* The loop lasts for several rotations of a multiplexing kernel (4 ms each). */
static const char loop[] = "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done";

static int count_loop(struct session *session, const struct strv *events, struct perf_rows *rows, struct error *err)
{
	CLEANUP(strv_release) struct strv argv = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf output = STRBUF_INIT;
	struct target_spec spec = { .child = { .argv = &argv }, .timeout_ns = 30 * NS_PER_S };
	struct measured measured;

	strv_push_all(&argv, ARGV("/bin/sh", "-c", loop));
	if (target_run(session, &spec, events, &measured, &output, err) < 0)
		return -1;
	*rows = measured.rows;
	measured.rows = (struct perf_rows){ 0 };
	measured_release(&measured);
	return 0;
}

/* Returns NULL if EVENT is not supported. With several types of core, only some rows may be. */
static const struct perf_row *find_row(const struct perf_rows *rows, const char *event)
{
	for (size_t i = 0; i < rows->n; i++) {
		CLEANUP(event_name_release) struct event_name name = EVENT_NAME_INIT;

		event_name_parse(rows->items[i].event, &name);
		if (!strcmp(name.name, event) && rows->items[i].state != ROW_NOT_SUPPORTED)
			return &rows->items[i];
	}
	return NULL;
}

static bool user_only(const struct perf_row *row)
{
	CLEANUP(event_name_release) struct event_name name = EVENT_NAME_INIT;

	event_name_parse(row->event, &name);
	return name.privilege == PRIVILEGE_USER;
}

static bool all_counted(const struct perf_rows *rows, const struct strv *events)
{
	for (size_t i = 0; i < events->n; i++) {
		enum missing why;

		perf_rows_value(rows, events->items[i], &why);
		if (why == MISSING_MULTIPLEXED || why == MISSING_NOT_COUNTED)
			return false;
	}
	return true;
}

/* Counts EVENTS again without the last until none is multiplexed. FIRST has the rows of all. */
static int find_capacity(struct session *session, const struct perf_rows *first, struct strv *events, unsigned *out,
			 struct error *err)
{
	CLEANUP(perf_rows_release) struct perf_rows fewer = { 0 };

	for (const struct perf_rows *rows = first; events->n > 2 && !all_counted(rows, events); rows = &fewer) {
		strv_shorten(events, events->n - 1);
		perf_rows_release(&fewer);
		if (count_loop(session, events, &fewer, err) < 0)
			return -1;
	}
	*out = 0;
	for (size_t i = 0; i < events->n; i++)
		*out += event_needs_counter(events->items[i]) && find_row(first, events->items[i]);
	return 0;
}

static void explain(struct machine *machine)
{
	CLEANUP(strv_release) struct strv devices = STRV_INIT;
	const char *reason = NULL, *remedy = NULL;
	bool has_pmu = false;

	file_list("/sys/bus/event_source/devices", &devices, NULL);
	for (size_t i = 0; i < devices.n; i++)
		has_pmu = has_pmu || text_starts(devices.items[i], "cpu") || strstr(devices.items[i], "pmu");
	switch (machine->tier) {
	case TIER_HW:
		break;
	case TIER_HW_USER:
		reason = "kernel work is not counted: not permitted at this perf_event_paranoid level";
		remedy = REMEDY_PARANOID;
		break;
	case TIER_SW_USER:
		reason = has_pmu ? "the PMU counts nothing for us, and kernel events are not permitted"
				 : "no hardware counters here (no PMU), and kernel events are not permitted";
		remedy = REMEDY_PARANOID " for kernel events; counters need another machine (GitHub's arm64 runners "
			 "have them)";
		break;
	default:
		reason = has_pmu ? "the PMU of this machine counts no hardware events for us"
				 : "this machine exposes no hardware counters (no PMU)";
		remedy = "measure on a machine with counters (GitHub's arm64 runners have them); with valgrind "
			 "installed, gates on instructions and branches are judged by simulation";
	}
	machine->tier_reason = reason;
	machine->tier_remedy = remedy;
}

static int no_tier(struct machine *machine, struct error *err)
{
	long long paranoid = 2;

	file_read_number("/proc/sys/kernel/perf_event_paranoid", &paranoid);
	machine->tier = TIER_NONE;
	if (paranoid > 2 && geteuid() != 0) {
		machine->tier_reason = "perf is not permitted at this perf_event_paranoid level";
		machine->tier_remedy = REMEDY_PARANOID;
		return error_wrap(err, "perf may not count anything: kernel.perf_event_paranoid is %lld; " REMEDY_PARANOID,
				  paranoid);
	}
	machine->tier_reason = arena_strdup(&machine->arena, err ? err->msg : "perf cannot count");
	return error_wrap(err, "perf cannot count on this machine");
}

int session_probe(struct session *session, struct machine *machine, struct error *err)
{
	CLEANUP(strv_release) struct strv events = STRV_INIT;
	CLEANUP(perf_rows_release) struct perf_rows rows = { 0 };
	const struct perf_row *clock, *instructions;

	machine->perf_path = arena_strdup(&machine->arena, session->perf.path);
	machine->perf_version = arena_strdup(&machine->arena, session->perf.version);
	strv_push_all(&events, probed);
	if (count_loop(session, &events, &rows, err) < 0)
		return err && err->kind == ERR_INTERRUPTED ? -1 : no_tier(machine, err);
	clock = find_row(&rows, "task-clock");
	instructions = find_row(&rows, "instructions");
	if (!clock || clock->state != ROW_COUNTED) {
		error_set(err, ERR_SYSTEM, "task-clock was not counted");
		return no_tier(machine, err);
	}
	machine->counters = 0;
	if (!instructions) {
		machine->tier = user_only(clock) ? TIER_SW_USER : TIER_SW;
	} else {
		machine->tier = user_only(instructions) ? TIER_HW_USER : TIER_HW;
		if (find_capacity(session, &rows, &events, &machine->counters, err) < 0)
			return -1;
	}
	explain(machine);
	return 0;
}

/* -------- the session */

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
		if (perf_tool_find(session->keeper, &session->perf, &why) == 0 && session_probe(session, machine, &why) == 0)
			return 0;
		if (!options->perf_optional || why.kind == ERR_INTERRUPTED)
			return error_copy(err, &why);
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
