#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "measure/cgroup.h"
#include "measure/clock.h"
#include "measure/files.h"
#include "measure/keeper_state.h"

enum { ORPHANS_AT_ONCE = 512, ORPHANS_NAMED = 8, CHILDREN_LARGEST = 1 << 24 };

/* -------- whose */

static bool is_service(struct state *k, uint32_t id)
{
	struct job *job = id ? state_job_of_id(k, id) : NULL;

	return job && job->service;
}

static uint32_t adopted_by(const struct state *k, const struct process *process)
{
	for (size_t i = 0; i < k->n_adopted; i++)
		if (k->adopted[i].process.pid == process->pid && k->adopted[i].process.start == process->start)
			return k->adopted[i].job;
	return 0;
}

/* A session or a group keeps its number until its last member is gone. */
static uint32_t related_to(const struct state *k, const struct process *process)
{
	for (size_t i = 0; i < k->n_jobs; i++)
		if (k->jobs[i].service && (process->session == k->jobs[i].pid || process->group == k->jobs[i].pid))
			return k->jobs[i].id;
	/* The first of a session or a group may have ended before it was adopted; pawl's own session tells nothing. */
	for (size_t i = 0; i < k->n_adopted; i++)
		if ((process->session == k->adopted[i].process.session && process->session != getsid(0)) ||
		    process->group == k->adopted[i].process.group)
			return k->adopted[i].job;
	return 0;
}

static uint32_t service_of(struct state *k, const struct process *process)
{
	uint32_t job = adopted_by(k, process), marked = 0;

	if (!job)
		job = cgroup_job(process->pid, k->owner);
	if (!is_service(k, job)) {
		marked = job_of_process(process->pid, k->owner);
		job = is_service(k, marked) ? marked : related_to(k, process);
	}
	if (!is_service(k, job) && !marked)
		job = k->starting;
	return is_service(k, job) ? job : 0;
}

static bool any_service(const struct state *k)
{
	for (size_t i = 0; i < k->n_jobs; i++)
		if (k->jobs[i].service)
			return true;
	return false;
}

static bool wanted(struct state *k, const struct process *process, enum whose whose, uint32_t job)
{
	uint32_t owner = whose == ORPHANS_ALL || !any_service(k) ? 0 : service_of(k, process);

	return whose == ORPHANS_ALL || owner == (whose == ORPHANS_OF_JOB ? job : 0);
}

/* -------- finding */

/* proc_pid_children(5): the direct children, among them every orphan below this subreaper. */
static size_t find(struct state *k, enum whose whose, uint32_t job, struct process *out, size_t max)
{
	CLEANUP(strbuf_release) struct strbuf children = STRBUF_INIT;
	char path[64];
	size_t n = 0;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	if (file_read(path, CHILDREN_LARGEST, &children, NULL) < 0)
		return 0;
	for (char *p = children.buf, *end; n < max; p = end) {
		pid_t pid = (pid_t)strtol(p, &end, 10);

		if (end == p)
			break;
		if (!state_job_of_pid(k, pid) && process_read(pid, &out[n]) && wanted(k, &out[n], whose, job))
			n++;
	}
	return n;
}

size_t orphans_of(struct state *k, uint32_t job, pid_t *out, size_t max)
{
	struct process found[WIRE_PIDS_MAX];
	size_t n = find(k, ORPHANS_OF_JOB, job, found, max < WIRE_PIDS_MAX ? max : WIRE_PIDS_MAX), alive = 0;

	for (size_t i = 0; i < n; i++)
		if (found[i].state != 'Z' && found[i].state != 'X')
			out[alive++] = found[i].pid;
	return alive;
}

static void forget_the_gone(struct state *k)
{
	for (size_t i = 0; i < k->n_adopted;)
		if (process_lives(k->adopted[i].process.pid, k->adopted[i].process.start))
			i++;
		else
			k->adopted[i] = k->adopted[--k->n_adopted];
}

void orphans_adopt(struct state *k, uint32_t job)
{
	struct process found[ORPHANS_AT_ONCE];
	size_t n = find(k, ORPHANS_OF_NOBODY, 0, found, ORPHANS_AT_ONCE);

	n += find(k, ORPHANS_OF_JOB, job, found + n, ORPHANS_AT_ONCE - n);
	for (size_t i = 0; i < n; i++) {
		uint32_t marked = job_of_process(found[i].pid, k->owner);

		/* What a probe or a stop command left says so itself. */
		if ((marked && marked != job) || adopted_by(k, &found[i]))
			continue;
		if (k->n_adopted == ADOPTED_MAX)
			forget_the_gone(k);
		if (k->n_adopted < ADOPTED_MAX)
			k->adopted[k->n_adopted++] = (struct adopted){ found[i], job };
	}
}

/* -------- ending */

/* Those killed already, so that one that takes a moment to go is counted once. */
struct killed {
	pid_t pids[1024];
	size_t n;
};

static bool first_time(struct killed *killed, pid_t pid)
{
	for (size_t i = 0; i < killed->n; i++)
		if (killed->pids[i] == pid)
			return false;
	if (killed->n < sizeof killed->pids / sizeof killed->pids[0])
		killed->pids[killed->n++] = pid;
	return true;
}

static void add_name(struct wire *answer, const struct process *orphan)
{
	size_t len = strlen(answer->names);

	snprintf(answer->names + len, sizeof answer->names - len, "%s%s (%d)", len ? ", " : "",
		 orphan->name[0] ? orphan->name : "?", (int)orphan->pid);
}

static void kill_all(const struct process *orphans, size_t n, struct killed *killed, struct wire *answer)
{
	for (size_t i = 0; i < n; i++)
		if (kill(orphans[i].pid, SIGKILL) == 0 && first_time(killed, orphans[i].pid) &&
		    answer->killed++ < ORPHANS_NAMED)
			add_name(answer, &orphans[i]);
}

/* Killing one orphan hands its children to us, so this goes on until there are none. */
void orphans_sweep(struct state *k, enum whose whose, uint32_t job, uint64_t grace_ns, struct wire *answer)
{
	uint64_t start = clock_now_ns(), give_up = start + grace_ns + 5 * NS_PER_S;
	struct process orphans[ORPHANS_AT_ONCE];
	struct killed killed = { .n = 0 };
	bool killing = false;
	size_t n;

	state_reap(k);
	while ((n = find(k, whose, job, orphans, ORPHANS_AT_ONCE)) && clock_now_ns() < give_up) {
		killing = killing || clock_now_ns() >= start + grace_ns;
		if (killing)
			kill_all(orphans, n, &killed, answer);
		state_wait_for_child(k, killing ? 20 : 2);
	}
}
