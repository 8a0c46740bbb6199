/* The text of strace: recordings of a program with threads and children, and cut, split or strange lines. */
#include "unit.h"

#include "cause/ledger/own_code.h"
#include "cause/ledger/system_calls.h"
#include "profile/folded.h"
#include "profile/names.h"
#include "profile/stacks.h"
#include "read_file.h"

static struct system_calls read_text(const char *text)
{
	struct system_calls calls;
	struct error err = ERROR_INIT;

	MUST(strace_read(text, strlen(text), &calls, &err));
	return calls;
}

static const struct system_call *call_of(const struct system_calls *calls, const char *name)
{
	const struct system_call *call = system_calls_find(calls, name);

	if (!call)
		fail_msg("no %s", name);
	return call;
}

static void assert_near(double found, double expected)
{
	if (fabs(found - expected) > fabs(expected) * 1e-6 + 1e-9)
		fail_msg("%.9g, not %.9g", found, expected);
}

/* Three threads with a lock, a pipe, a socket, a poll that runs out, a shell with a sleep: strace 6.1. */
TEST(a_recording_with_threads_and_children)
{
	CLEANUP(strbuf_release) struct strbuf text = read_file("tests/fixtures/strace/threads.txt.xz");
	static const struct { const char *name; double calls, errors, bytes; const char *file; } expected[] = {
		{ "clock_nanosleep", 19, 0, 0, NULL }, { "poll", 1, 0, 0, NULL }, { "epoll_wait", 1, 0, 0, NULL },
		{ "read", 6, 0, 5496, "/usr/lib/x86_64-linux-gnu/libc.so.6" },
		{ "recvfrom", 1, 0, 3, "socket" },
		{ "fsync", 1, 0, 0, "/srv/demo/out.tmp" },
		{ "write", 9, 0, 516, "/srv/demo/out.tmp" },
		{ "wait4", 5, 2, 0, NULL }, { "futex", 24, 0, 0, NULL }, { "exit_group", 3, 0, 0, NULL },
		{ "mmap", 28, 0, 0, NULL },
	};
	CLEANUP(system_calls_release) struct system_calls calls;

	calls = read_text(text.buf);
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		const struct system_call *call = call_of(&calls, expected[i].name);

		if (call->calls != expected[i].calls || call->errors != expected[i].errors || call->bytes != expected[i].bytes)
			fail_msg("%s: %g calls, %g errors, %g bytes", call->name, call->calls, call->errors, call->bytes);
		if (!text_same(call->file, expected[i].file))
			fail_msg("%s: on %s", call->name, call->file ? call->file : "nothing");
	}
	assert_int_equal(calls.processes, 4);
	assert_int_equal(calls.threads, 7);
	assert_int_equal(calls.libraries.n, 1);
	assert_string_equal(calls.libraries.items[0], "/usr/lib/x86_64-linux-gnu/libc.so.6");
	assert_int_equal(calls.programs.n, 3);
	assert_string_equal(calls.programs.items[2], "/usr/bin/sleep");
	assert_string_equal(calls.items[0].name, "mmap");
}

/* Lines with a common prefix: "7 100." and a time. */
TEST(single_lines)
{
	static const struct { const char *text, *name; double calls, errors, bytes; const char *file; } cases[] = {
		/* Without a PID, and with a PID as printed to a terminal */
		{ "100.000001 getpid() = 7\n", "getpid", 1, 0, 0, NULL },
		{ "[pid    12] 100.000001 getpid() = 7\n", "getpid", 1, 0, 0, NULL },
		/* Text like the end of a call, inside a string or a file name */
		{ "7 100.1 write(1</a) = 3>, \"x) = 9 \\\"\\\\\", 12) = 12\n", "write", 1, 0, 12, "/a) = 3" },
		{ "7 100.1 open(\"b) = 1\", O_RDONLY) = 3</b) = 1>\n", "open", 1, 0, 0, "/b) = 1" },
		/* Escaped bytes of a name are decoded, except NUL, which would end it */
		{ "7 100.1 stat(\"/\\303\\244 \\74\\\"\\0\", 0x7) = -1 ENOENT (No such file or directory)\n", "stat", 1, 1, 0,
		  "/\303\244 <\"\\0" },
		{ "7 100.1 unlinkat(AT_FDCWD</srv>, \"x\", 0) = 0\n", "unlinkat", 1, 0, 0, "/srv/x" },
		{ "7 100.1 capset({effective=1<<CAP_KILL}, 0) = 0\n", "capset", 1, 0, 0, NULL },
		/* Names that strace does not know */
		{ "7 100.1 syscall_0x1bc(0x1, 0x2) = -1 ENOSYS (Function not implemented)\n", "syscall_0x1bc", 1, 1, 0,
		  NULL },
		{ "7 100.1 ?\?\?\?() = ?\n", "?\?\?\?", 1, 0, 0, NULL },
		/* A call restarted by the kernel counts once */
		{ "7 100.1 read(0<pipe:[3]>, 0x7, 9) = ? ERESTARTSYS (To be restarted if SA_RESTART is set)\n"
		  "7 100.2 --- SIGCHLD {si_signo=SIGCHLD} ---\n7 100.2 read(0<pipe:[3]>, \"a\", 9) = 1\n"
		  "7 100.3 getpid() = 7\n7 100.4 getpid() = 7\n",
		  "read", 1, 0, 1, "pipe" },
		{ "7 100.1 poll([{fd=3<pipe:[9]>, events=POLLIN}], 1, 50) = ? ERESTART_RESTARTBLOCK (Interrupted by signal)\n"
		  "7 100.2 restart_syscall(<... resuming interrupted poll ...>) = 0\n"
		  "7 100.3 getpid() = 7\n7 100.4 getpid() = 7\n",
		  "poll", 1, 0, 0, NULL },
		/* A return in two parts, and one without its entry */
		{ "7 100.1 clone3({flags=CLONE_VM|CLONE_THREAD} <unfinished ...>\n8 100.2 getpid( <unfinished ...>\n"
		  "7 100.3 <... clone3 resumed> => {parent_tid=[9]}, 88) = 9\n8 100.4 <... getpid resumed>) = 8\n",
		  "clone3", 1, 0, 0, NULL },
		{ "7 100.1 <... futex resumed>) = 0\n", "futex", 1, 0, 0, NULL },
		/* Killed during the call; the recording ends during the call; the last line is cut off */
		{ "7 100.1 read(0</dev/pts/1>,  <unfinished ...>\n7 100.2 +++ killed by SIGKILL +++\n", "read", 1, 0, 0, NULL },
		{ "7 100.1 read(0</dev/pts/1>,  <unfinished ...>) = ?\n", "read", 1, 0, 0, "/dev/pts/1" },
		{ "7 100.1 read(0</dev/pts/1>,  <unfinished ...>\n", "read", 1, 0, 0, NULL },
		{ "7 100.1 read(0, 0x7, 1) = 1\n7 100.2 read(0, 0x7, 5) =", "read", 1, 0, 1, NULL },
		{ "7 100.1 read(0</x>, 0x7, 5 <detached ...>\n", "read", 1, 0, 0, NULL },
		{ "strace: Process 8 attached\n7 100.1 read(0, 0x7, 1) = 1\n", "read", 1, 0, 1, NULL },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(system_calls_release) struct system_calls calls = read_text(cases[i].text);
		const struct system_call *call = call_of(&calls, cases[i].name);

		if (call->calls != cases[i].calls || call->errors != cases[i].errors || call->bytes != cases[i].bytes)
			fail_msg("case %zu: %g calls, %g errors, %g bytes", i, call->calls, call->errors, call->bytes);
		if (!text_same(call->file, cases[i].file))
			fail_msg("case %zu: on %s", i, call->file ? call->file : "nothing");
	}
}

TEST(files_that_go_in_and_out)
{
	static const char text[] =
		"7 100.1 openat(AT_FDCWD</srv>, \"in\", O_RDONLY) = 3</srv/in>\n"
		"7 100.2 newfstatat(3</srv/in>, \"\",  <unfinished ...>\n8 100.2 getpid() = 8\n"
		"7 100.2 <... newfstatat resumed>{st_mode=S_IFREG|0644, st_size=1234, ...}, AT_EMPTY_PATH) = 0\n"
		"7 100.3 newfstatat(AT_FDCWD</srv>, \"other\", {st_mode=S_IFREG|0644, st_size=77, ...}, 0) = 0\n"
		"7 100.3 read(3</srv/in>, \"a\"..., 4096) = 1234\n"
		"7 100.3 openat(AT_FDCWD</srv>, \"none.so\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
		"7 100.3 openat(AT_FDCWD</srv>, \"/lib/libm.so.6\", O_RDONLY) = 4</usr/lib/libm-2.36.so>\n"
		"7 100.3 openat(AT_FDCWD</srv>, \"/etc/ld.so.cache\", O_RDONLY) = 4</etc/ld.so.cache>\n"
		"7 100.4 write(1<pipe:[4]>, \"a\", 1) = 1\n"
		"7 100.4 pwritev(5</srv/out>, [{iov_base=\"a\", iov_len=7}], 1, 0) = 7\n";
	CLEANUP(system_calls_release) struct system_calls calls = read_text(text);

	assert_int_equal(calls.n_files, 4);
	assert_string_equal(calls.files[0].path, "/srv/in");
	assert_near(calls.files[0].opens, 1);
	assert_near(calls.files[0].read_bytes, 1234);
	assert_near(calls.files[0].size_bytes, 1234);
	assert_string_equal(calls.files[3].path, "/srv/out");
	assert_near(calls.files[3].written_bytes, 7);
	assert_int_equal(calls.libraries.n, 1);
	assert_string_equal(calls.libraries.items[0], "/usr/lib/libm-2.36.so");
}

/* -k: the frames of each call, root first. */
TEST(stacks_of_calls)
{
	CLEANUP(strbuf_release) struct strbuf text = read_file("tests/fixtures/strace/stacks.txt.xz"), folded = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	struct error err = ERROR_INIT;

	strbuf_adds(&text, "7 9999999999.1 read(3</x>, \"\", 1) = 1\n > /opt/a b (deleted)(f(int)::{lambda}+0x11) [0x1191]\n"
			   " > /opt/c() [0x1191]\n > [0x1191]\n\n");
	assert_int_equal(strace_read_stacks(text.buf, text.len, &stacks, &err), 0);
	names_resolve(&stacks);
	assert_int_equal(folded_write(&stacks, FOLDED_BY_TEXT, &folded, &err), 0);
	assert_non_null(strstr(folded.buf, "[read];[no name];_start;__libc_start_main;__libc_init_first;main;loop;reader;read 6\n"));
	assert_non_null(strstr(folded.buf, "[read];[no name];[c];f(int)::{lambda} 1\n"));
}

/* tool runs sh, which runs expr; run.sh runs env, which runs tool; expr and env are foreign. */
TEST(programs_that_merely_help)
{
	static const char begin[] = "1 100.0 execve(\"/usr/bin/sh\", [\"sh\"], 0x7) = 0\n1 100.1 execve(\"/p/run.sh\", [\"run.sh\"], 0x7) = 0\n"
				    "1 100.1 clone(child_stack=NULL, flags=SIGCHLD) = 2\n2 100.2 execve(\"/usr/bin/env\", [\"env\"], 0x7) = 0\n"
				    "2 100.3 execve(\"/p/tool\", [\"tool\"], 0x7) = 0\n";
	/* The child of a vfork() appears before its PID is returned. */
	static const char again[] = "2 10%d.1 clone3({flags=CLONE_VM|CLONE_VFORK} <unfinished ...>\n%d 10%d.2 execve(\"/usr/bin/sh\", [\"sh\"], 0x7) = 0\n"
				    "2 10%d.3 <... clone3 resumed> => {parent_tid=[0]}, 88) = %d\n%d 10%d.4 vfork() = %d\n"
				    "%d 10%d.5 execve(\"/usr/bin/expr\", [\"expr\"], 0x7) = 0\n";
	const struct own_code own = { .root = "/p" };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(system_calls_release) struct system_calls calls;

	strbuf_adds(&text, begin);
	for (int i = 1; i <= 3; i++)
		strbuf_addf(&text, again, i, 10 * i, i, i, 10 * i, 10 * i, i, 10 * i + 1, 10 * i + 1, i);
	calls = read_text(text.buf);
	assert_int_equal(calls.n_execs, 10);
	for (unsigned least = 1; least <= 4; least++) {
		CLEANUP(strv_release) struct strv helpers = STRV_INIT;

		system_calls_helpers(&calls, &own, least, &helpers);
		assert_int_equal(helpers.n, least <= 3 ? 2 : 0);
		if (helpers.n) {
			assert_string_equal(helpers.items[0], "/usr/bin/sh");
			assert_string_equal(helpers.items[1], "/usr/bin/expr");
		}
	}
}

TEST(other_text_is_refused)
{
	static const struct { const char *text, *expected; } cases[] = {
		{ "", "it has no line of `strace -f -ttt -y`" },
		{ "\n\nstrace: exec: No such file or directory\n", "it has no line of `strace -f -ttt -y`" },
		{ "main;f 12\n", "line 1 is not of `strace -f -ttt -y`" },
		{ "7 100.1 getpid() = 7\n7 getpid() = 7\n", "line 2 is not of `strace -f -ttt -y`" },
		{ "7 100.1 getpid(\n", "line 1 is not of `strace -f -ttt -y`" },
		{ "7 10:11:12 getpid() = 7\n", "line 1 is not of `strace -f -ttt -y`" },
		{ "99999999999 100.1 getpid() = 7\n", "line 1 is not of `strace -f -ttt -y`" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct system_calls calls = { .work = 5 };
		struct error err = ERROR_INIT;

		assert_int_equal(strace_read(cases[i].text, strlen(cases[i].text), &calls, &err), -1);
		assert_string_equal(err.msg, cases[i].expected);
		assert_true(calls.work == 5);
	}
}

/* Loaded files and their programs: forks whose PID comes late, links, folders, and files of unknown format. */
TEST(what_programs_load)
{
	static const char text[] =
		"10 1.000000 execve(\"./run.sh\", [\"./ru\"...], 0x7ffc /* 37 vars */) = 0\n"
		"10 1.000100 openat(AT_FDCWD</p>, \"/etc/ld.so.cache\", O_RDONLY|O_CLOEXEC) = 3</etc/ld.so.cache>\n"
		"10 1.000200 openat(AT_FDCWD</p>, \"./run.sh\", O_RDONLY) = 3</p/run.sh>\n"
		"10 1.000300 openat(AT_FDCWD</p>, \"out\", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</p/out>\n"
		"10 1.000310 openat(AT_FDCWD</p>, \".\", O_RDONLY|O_DIRECTORY) = 3</p>\n"
		"10 1.000320 openat(AT_FDCWD</p>, \"none\", O_RDONLY) = -1 ENOENT (No such file or directory)\n"
		"10 1.000400 vfork( <unfinished ...>\n"
		"11 1.000500 execve(\"/usr/bin/cat\", [\"cat\"], 0x5589 /* 37 vars */ <unfinished ...>\n"
		"10 1.000600 <... vfork resumed>) = 11\n"
		"11 1.000700 <... execve resumed>) = 0\n"
		"11 1.000800 openat(AT_FDCWD</p>, \"data.txt\", O_RDONLY) = 3</p/da\\303\\244ta.txt>\n"
		"11 1.000900 +++ exited with 0 +++\n"
		"10 1.001000 chdir(\"sub\") = 0\n"
		"10 1.001100 clone(child_stack=NULL, flags=CLONE_CHILD_CLEARTID|SIGCHLD, child_tidptr=0x7f66) = 12\n"
		"12 1.001200 openat(AT_FDCWD, \"more\", O_RDONLY) = 3</p/more>\n"
		"12 1.001250 execve(\"./empty\", [\"./em\"...], 0x5589 /* 37 vars */) = -1 ENOEXEC (Exec format error)\n"
		"12 1.001300 execve(\"./prog\", [\"./pr\"...], 0x5589 /* 37 vars */) = 0\n"
		"12 1.001400 openat(AT_FDCWD</p/sub>, \"/lib/libc.so.6\", O_RDONLY) = 3</usr/lib/libc.so.6>\n"
		"12 1.001500 +++ exited with 0 +++\n"
		"10 1.001600 +++ exited with 0 +++\n";
	static const struct { const char *path, *program; } expected[] = {
		{ "/etc/ld.so.cache", "./run.sh" }, { "/p/run.sh", "./run.sh" }, { "/p/da\303\244ta.txt", "/usr/bin/cat" },
		{ "/p/more", "./run.sh" }, { "/usr/lib/libc.so.6", "./prog" },
	};
	CLEANUP(system_calls_release) struct system_calls calls = read_text(text);

	assert_int_equal(calls.n_opens, sizeof expected / sizeof expected[0]);
	for (size_t i = 0; i < calls.n_opens; i++) {
		assert_string_equal(calls.opens[i].path, expected[i].path);
		assert_string_equal(calls.execs[calls.opens[i].exec].path, expected[i].program);
	}
	assert_int_equal(calls.n_execs, 3);
	assert_null(calls.execs[0].folder);
	assert_string_equal(calls.execs[2].folder, "/p/sub");
	assert_int_equal(calls.unformatted.n, 1);
	assert_string_equal(calls.unformatted.items[0], "./empty");
}
