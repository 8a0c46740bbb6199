#include "measure/usage.h"

#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "measure/files.h"

/* A member that starts and ends children all the time never holds still; the last reading is as good as any. */
enum { TRIES = 6 };

/* Sums of proc_stat's counts. */
struct sums {
	size_t n;			/* processes that were there */
	uint64_t user, system, minor, major;
	uint64_t waited;		/* what only grows when a child is waited for */
};

static void add_counts(const struct process *process, struct sums *sums)
{
	struct proc_stat s;

	if (!process_read_stat(process->pid, &s) || s.start != process->start)
		return;
	sums->n++;
	sums->user += s.user_ticks + s.waited_user_ticks;
	sums->system += s.system_ticks + s.waited_system_ticks;
	sums->minor += s.minor_faults + s.waited_minor_faults;
	sums->major += s.major_faults + s.waited_major_faults;
	sums->waited += s.waited_minor_faults + s.waited_major_faults + s.waited_user_ticks + s.waited_system_ticks;
}

/*
 * A child that is waited for while the list is read would be counted at both or at neither. When two
 * readings find as many processes, and as much that was waited for, nothing moved from the first
 * process of the first reading to the last of the second.
 */
static struct sums read_sums(const struct processes *processes)
{
	struct sums now = { 0 }, before;
	int tries = 0;

	do {
		before = now;
		now = (struct sums){ 0 };
		for (size_t i = 0; i < processes->n; i++)
			add_counts(&processes->items[i], &now);
	} while (++tries < TRIES && (tries == 1 || now.n != before.n || now.waited != before.waited));
	return now;
}

static void add_ended_children(const struct processes *processes, struct processes *out)
{
	CLEANUP(processes_release) struct processes all = { 0 };

	processes_read(&all);
	for (size_t i = 0; i < processes->n; i++)
		processes_add(out, &processes->items[i]);
	for (size_t i = 0; i < all.n; i++)
		if (process_is_dead(&all.items[i]) && processes_find(processes, all.items[i].parent))
			processes_add(out, &all.items[i]);
}

/* -------- what only /proc/PID/status tells */

/* 0 when it is not there. */
static double status_number(const char *text, const char *key)
{
	uint64_t number = 0;

	proc_status_number(text, key, 10, &number);
	return (double)number;
}

static void add_switches(pid_t pid, struct usage *out)
{
	CLEANUP(strv_release) struct strv threads = STRV_INIT;
	char path[128];

	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	file_list(path, &threads, NULL);
	for (size_t i = 0; i < threads.n; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

		snprintf(path, sizeof path, "/proc/%d/task/%.20s/status", (int)pid, threads.items[i]);
		if (!file_read_fact(path, &text))
			continue;
		out->voluntary += status_number(text.buf, "voluntary_ctxt_switches");
		out->involuntary += status_number(text.buf, "nonvoluntary_ctxt_switches");
	}
}

static void add_peak(pid_t pid, struct usage *out)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
	if (file_read_fact(path, &text))
		out->peak_rss_bytes = fmax(out->peak_rss_bytes, status_number(text.buf, "VmHWM") * 1024);
}

void usage_read(const struct processes *processes, struct usage *out)
{
	CLEANUP(processes_release) struct processes counted = { 0 };
	double tick_ms = 1e3 / (double)sysconf(_SC_CLK_TCK);
	struct sums sums;

	add_ended_children(processes, &counted);
	sums = read_sums(&counted);
	*out = (struct usage){
		.user_ms = (double)sums.user * tick_ms,
		.system_ms = (double)sums.system * tick_ms,
		.faults = (double)(sums.minor + sums.major),
		.major_faults = (double)sums.major,
	};
	for (size_t i = 0; i < processes->n; i++) {
		if (!process_lives(processes->items[i].pid, processes->items[i].start))
			continue;
		add_switches(processes->items[i].pid, out);
		add_peak(processes->items[i].pid, out);
	}
}

/* Refused, the peak stays that of the whole life. */
static bool reset_peak(int fd)
{
	return write(fd, "5", 1) == 1;
}

void usage_reset_peaks(const struct processes *processes)
{
	for (size_t i = 0; i < processes->n; i++) {
		char path[64];
		int fd;

		snprintf(path, sizeof path, "/proc/%d/clear_refs", (int)processes->items[i].pid);
		fd = process_lives(processes->items[i].pid, processes->items[i].start) ?
		     open(path, O_WRONLY | O_CLOEXEC) : -1;
		if (fd < 0)
			continue;
		reset_peak(fd);
		close(fd);
	}
}

static double grown(double before, double after)
{
	return after >= before ? after - before : NAN;
}

void usage_difference(const struct usage *before, const struct usage *after, struct measured *out)
{
	out->user_ms = grown(before->user_ms, after->user_ms);
	out->system_ms = grown(before->system_ms, after->system_ms);
	out->cpu_ms = out->user_ms + out->system_ms;
	out->page_faults = grown(before->faults, after->faults);
	out->major_faults = grown(before->major_faults, after->major_faults);
	out->voluntary_switches = grown(before->voluntary, after->voluntary);
	out->involuntary_switches = grown(before->involuntary, after->involuntary);
	out->max_rss_bytes = after->peak_rss_bytes > 0 ? after->peak_rss_bytes : NAN;
}
