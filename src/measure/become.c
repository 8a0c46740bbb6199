#include "measure/become.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "measure/wire.h"

struct request {
	const struct wire_request *head;
	char **argv, **envp;
	const gid_t *groups;
};

/* The request stays mapped until exec; argv and envp point into it. */
static int map_request(int memfd, struct request *out)
{
	struct stat st;
	char *base, *p, *end;
	char **vector;

	if (fstat(memfd, &st) < 0)
		return -1;
	base = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE, memfd, 0);
	if (base == MAP_FAILED)
		return -1;
	out->head = (const struct wire_request *)base;
	out->groups = (const gid_t *)(base + sizeof *out->head);
	p = base + sizeof *out->head + out->head->n_groups * sizeof(gid_t);
	end = base + st.st_size;
	vector = calloc((size_t)out->head->n_argv + out->head->n_env + 2, sizeof *vector);
	if (!vector)
		return -1;
	out->argv = vector;
	out->envp = vector + out->head->n_argv + 1;
	for (uint32_t i = 0; i < out->head->n_argv && p < end; i++, p += strlen(p) + 1)
		out->argv[i] = p;
	for (uint32_t i = 0; i < out->head->n_env && p < end; i++, p += strlen(p) + 1)
		out->envp[i] = p;
	return 0;
}

/* Received descriptors may sit on the numbers wanted, so all move out of the way first. */
static int place_fds(const int *fds, uint32_t n)
{
	int high[WIRE_FDS_MAX];

	for (uint32_t i = 0; i < n; i++) {
		high[i] = fcntl(fds[i], F_DUPFD_CLOEXEC, 64);
		if (high[i] < 0)
			return -1;
	}
	for (uint32_t i = 0; i < n; i++)
		if (dup2(high[i], (int)i) < 0)
			return -1;
	return 0;
}

static int change_user(const struct request *r)
{
	if (setgroups(r->head->n_groups, r->groups) < 0 || setgid(r->head->gid) < 0)
		return -1;
	return setuid(r->head->uid);
}

static void reset_signals(void)
{
	sigset_t none;

	for (int s = 1; s < NSIG; s++)
		signal(s, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static int settle_child(const struct request *r, const int *fds, pid_t keeper)
{
	setpgid(0, 0);
	reset_signals();
	if (place_fds(fds, r->head->n_fds) < 0 || chdir(r->head->cwd) < 0)
		return -1;
	if (r->head->pin && sched_setaffinity(0, sizeof r->head->cpus, &r->head->cpus) < 0)
		return -1;
	if (r->head->aslr_off && personality(ADDR_NO_RANDOMIZE) < 0)
		return -1;
	if (r->head->change_user && change_user(r) < 0)
		return -1;
	/* The keeper lets nobody look into it; perf must be let to look into this one. */
	prctl(PR_SET_DUMPABLE, 1);
	/* A change of user clears the death signal; a keeper that died before this line left no signal. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return getppid() == keeper ? 0 : -1;
}

/* execvpe follows PATH of the caller; the child's own PATH is what a shell would use. */
static void exec_request(const struct request *r)
{
	environ = r->envp;
	execvp(r->argv[0], r->argv);
}

void become(int memfd, int hold, int exec_error, const int *fds, pid_t keeper)
{
	const int settled = 0;
	struct request r;
	char go;
	ssize_t got;

	if (map_request(memfd, &r) == 0) {
		/* Both survive the placing of 0, 1, 2, ... below 64. */
		hold = fcntl(hold, F_DUPFD_CLOEXEC, 128);
		exec_error = fcntl(exec_error, F_DUPFD_CLOEXEC, 128);
		if (settle_child(&r, fds, keeper) == 0) {
			if (write(exec_error, &settled, sizeof settled) < 0)
				_exit(126);
			do
				got = read(hold, &go, 1);
			while (got < 0 && errno == EINTR);
			if (got == 1)
				exec_request(&r);
			else
				_exit(125);
		}
	}
	int why = errno;
	if (write(exec_error, &why, sizeof why) < 0)
		_exit(126);
	_exit(127);
}
