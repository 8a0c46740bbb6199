/* Counting in strace's text: system calls by name, and processes without threads. */
#include "unit.h"

#include "measure/tools/calls.h"

TEST(calls_and_processes_are_counted)
{
	static const struct { const char *text; double all, reads, processes; } cases[] = {
		{ "", 0, 0, 0 },
		{ "12 1600000000.000001 execve(\"/bin/x\", [\"x\"], 0x7ffc /* 9 vars */) = 0\n12 1600000000.000002 read(3</etc/x>, \"abcd\"..., 99) = 99\n", 2, 1, 0 },
		/* A call that another process interrupts has two lines, and is one call. */
		{ "12 1600000000.1 read(0<pipe:[1]>,  <unfinished ...>\n13 1600000000.2 getpid() = 13\n12 1600000000.3 <... read resumed>\"x\", 1) = 1\n", 2, 1, 0 },
		{ "12 1600000000.1 +++ exited with 0 +++\n12 1600000000.2 --- SIGCHLD {si_signo=SIGCHLD} ---\n", 0, 0, 0 },
		{ "12 1600000000.1 vfork( <unfinished ...>\n12 1600000000.2 <... vfork resumed>) = 13\n", 1, 0, 1 },
		{ "12 1600000000.1 fork() = 13\n12 1600000000.2 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD) = 14\n", 2, 0, 2 },
		{ "12 1600000000.1 clone3({flags=CLONE_VM|CLONE_FS|CLONE_THREAD, child_tid=0x7f} => {parent_tid=[13]}, 88) = 13\n", 1, 0, 0 },
		{ "12 1600000000.1 fork() = -1 EAGAIN (Resource temporarily unavailable)\n", 1, 0, 0 },
		{ "12 1600000000.1 clone(flags=SIGCHLD) = ? ERESTARTNOINTR (To be restarted)\n12 1600000000.2 clone(flags=SIGCHLD) = 13\n", 2, 0, 1 },
		{ "12 1600000000.1 clone(flags=SIGCHLD <unfinished ...>\n12 1600000000.2 <... clone resumed>) = ? ERESTARTNOINTR (To be restarted)\n", 1, 0, 0 },
		{ "12 1600000000.1 clone3({flags=CLONE_VM|CLONE_THREAD <unfinished ...>\n12 1600000000.2 <... clone3 resumed> => {parent_tid=[7690]}, 88) = 7690\n", 1, 0, 0 },
		{ "12 1600000000.1 vfork( <unfinished ...>\n13 1600000000.1 vfork( <unfinished ...>\n13 1600000000.2 <... vfork resumed>) = 15\n12 1600000000.2 <... vfork resumed>) = 14\n", 2, 0, 2 },
		{ "12 1600000000.1 <... vfork resumed>) = 14\n", 0, 0, 0 },
		/* Names that begin like another one, and text in arguments. */
		{ "12 1600000000.1 readlink(\"read(\", 0x1, 2) = 3\n12 1600000000.1 pread64(3, \"\", 1, 0) = 0\n", 2, 0, 0 },
		{ "12 1600000000.1 read(3, \"\", 1) = 0", 1, 1, 0 },
		{ "12 1600000000.1 read", 0, 0, 0 }, { "\n\n  \n", 0, 0, 0 },
	};
	CLEANUP(arena_release) struct arena arena = ARENA_INIT;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct call_counts counts = {
			.metrics = { METRIC(SYSTEM_CALLS), metric_call(&arena, "system-calls:read"), METRIC(PROCESSES) }, .n = 3,
		};

		calls_add(cases[i].text, strlen(cases[i].text), &counts);
		if (counts.values[0] != cases[i].all || counts.values[1] != cases[i].reads || counts.values[2] != cases[i].processes)
			fail_msg("case %zu: %g calls, %g reads, %g processes", i, counts.values[0], counts.values[1], counts.values[2]);
	}
}
