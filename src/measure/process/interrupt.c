#include "measure/process/interrupt.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>

#include "base/error.h"
#include "measure/files/files.h"

int interrupt_init(struct interrupt *interrupt, struct error *err)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	*interrupt = (struct interrupt){ .fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK) };
	if (interrupt->fd < 0)
		return error_sys(err, errno, "cannot watch for signals");
	return 0;
}

void interrupt_release(struct interrupt *interrupt)
{
	close_fd(&interrupt->fd);
}

int interrupt_check(struct interrupt *interrupt, struct error *err)
{
	struct signalfd_siginfo info;

	if (!interrupt->signal && interrupt->fd >= 0 && read(interrupt->fd, &info, sizeof info) == sizeof info)
		interrupt->signal = (int)info.ssi_signo;
	if (!interrupt->signal)
		return 0;
	error_set(err, ERR_INTERRUPTED, "interrupted by SIG%s", sigabbrev_np(interrupt->signal));
	if (err)
		err->sys = interrupt->signal;
	return -1;
}
