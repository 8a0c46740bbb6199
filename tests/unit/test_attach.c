/* Finding real processes by number, pidfile, command line and port, and processes that pawl never attaches to. */
#include "unit.h"

#include <netinet/in.h>
#include <pthread.h>
#include <sys/mman.h>

#include "measure/files/files.h"
#include "measure/process/child.h"
#include "measure/process/proc.h"
#include "measure/process/processes.h"
#include "measure/services/attach.h"
#include "started.h"

static struct keeper keeper;
static char folder[64];

static int begin(void **state)
{
	snprintf(folder, sizeof folder, "/tmp/pawl-test-attach-XXXXXX");
	return mkdtemp(folder) && keeper_start(&keeper, NULL, NULL) == 0 ? 0 : -1;
}

static int end(void **state)
{
	keeper_stop(&keeper);
	return file_remove_tree(folder, NULL);
}
FIXTURE(begin, end);

static char *number(pid_t pid)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%d", (int)pid);
	return strbuf_take(&text);
}

static void expect_tree(enum target_kind kind, const char *text, pid_t root, size_t n)
{
	CLEANUP(attached_release) struct attached attached = { 0 };
	CLEANUP(processes_release) struct processes list = { 0 };
	struct error err = ERROR_INIT;

	if (attach_find(&keeper, kind, text, &attached, &err) < 0)
		fail_msg("kind %d, '%s': %s", (int)kind, text, err.msg);
	assert_int_equal(attached.root.pid, root);
	assert_true(process_lives(root, attached.root.start));
	assert_null(attached.cgroup);
	attach_list(&attached, &list);
	assert_int_equal(list.n, n);
	assert_non_null(processes_find(&list, root));
	assert_null(processes_find(&list, getpid()));
}

/* Asserts that the message begins with BEFORE and contains INSIDE. */
static void expect_error(enum target_kind kind, const char *text, enum error_kind expected, const char *before,
			 const char *inside)
{
	struct attached attached = { .label = (char *)(uintptr_t)"untouched" };
	struct error err = ERROR_INIT;

	assert_int_equal(attach_find(&keeper, kind, text, &attached, &err), -1);
	if (strncmp(err.msg, before, strlen(before)) || !strstr(err.msg, inside))
		fail_msg("expected '%s...%s', found '%s'", before, inside, err.msg);
	assert_int_equal(err.kind, expected);
	assert_string_equal(attached.label, "untouched");
}

static void refuse_pid(pid_t pid, const char *inside)
{
	CLEANUP(free_ptr) char *text = number(pid);

	expect_error(TARGET_PID, text, ERR_TARGET, "", inside);
}

/* -------- by number */

TEST(a_process_is_found_with_its_label)
{
	CLEANUP(started_end) struct started child = start(stand, NULL);
	CLEANUP(attached_release) struct attached attached = { 0 };
	CLEANUP(free_ptr) char *text = number(child.pid);
	char label[64];

	assert_int_equal(attach_find(&keeper, TARGET_PID, text, &attached, NULL), 0);
	snprintf(label, sizeof label, "process %d (test_attach)", (int)child.pid);
	assert_string_equal(attached.label, label);
	expect_tree(TARGET_PID, text, child.pid, 1);
}

TEST(a_target_that_ended_has_no_processes)
{
	CLEANUP(started_end) struct started child = start(stand, NULL);
	CLEANUP(attached_release) struct attached attached = { 0 };
	CLEANUP(processes_release) struct processes list = { 0 };
	CLEANUP(free_ptr) char *text = number(child.pid);
	siginfo_t info;
	pid_t pid = child.pid;

	assert_int_equal(attach_find(&keeper, TARGET_PID, text, &attached, NULL), 0);
	/* A different process with the same number. */
	attached.root.start++;
	attach_list(&attached, &list);
	assert_int_equal(list.n, 0);
	attached.root.start--;
	attach_list(&attached, &list);
	assert_int_equal(list.n, 1);
	processes_release(&list);
	kill(pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	attach_list(&attached, &list);
	assert_int_equal(list.n, 0);
	refuse_pid(pid, "has ended and only waits for its parent");
	started_end(&child);
	attach_list(&attached, &list);
	assert_int_equal(list.n, 0);
	refuse_pid(pid, "(any more); is the program running?");
}

TEST(whoever_holds_pawl_is_refused)
{
	struct process two;

	refuse_pid(getpid(), "is pawl's own");
	refuse_pid(keeper.pid, "is pawl's own");
	refuse_pid(getppid(), "started pawl: measuring it would measure pawl as well");
	refuse_pid(1, "process 1 (");
	refuse_pid(INT32_MAX, "there is no process 2147483647 (any more)");
	if (process_read(2, &two) && two.kernel)
		refuse_pid(2, "process 2 (kthreadd) is a thread of the kernel");
}

static void *stay(void *arg)
{
	started_answer(*(int *)arg, 'r');
	started_order(*(int *)arg);
	return NULL;
}

static void two_threads(int fd, void *arg)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, stay, &fd) == 0)
		pthread_join(thread, NULL);
}

TEST(a_thread_is_not_its_process)
{
	CLEANUP(started_end) struct started child = start(two_threads, NULL);
	CLEANUP(strv_release) struct strv threads = STRV_INIT;
	char path[64], words[64];

	snprintf(path, sizeof path, "/proc/%d/task", (int)child.pid);
	assert_int_equal(file_list(path, &threads, NULL), 0);
	assert_int_equal(threads.n, 2);
	snprintf(words, sizeof words, " is a thread of process %d: ", (int)child.pid);
	expect_error(TARGET_PID, threads.items[1], ERR_TARGET, threads.items[1], words);
}

TEST(what_is_no_number_is_refused)
{
	static const char *const cases[] = { "", "0", "-1", "x", "12x", " 12", "2147483648", "99999999999999999999" };

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		expect_error(TARGET_PID, cases[i], ERR_INPUT, "expected the number of a process, found '", cases[i]);
}

/* -------- by pidfile */

TEST(pidfiles_are_distinguished)
{
	CLEANUP(started_end) struct started child = start(stand, NULL);
	CLEANUP(free_ptr) char *file = file_join(folder, "service.pid");
	char gone[64], text[64];
	struct started other = start(stand, NULL);
	pid_t ended = other.pid;
	static const struct { const char *text, *inside; } bad[] = {
		{ "", "is empty: the service has not written its number yet" },
		{ "\n", "is empty" },
		{ "redis\n", "holds 'redis', which is not the number of a process" },
		{ "0\n", "holds '0'" }, { "-5\n", "holds '-5'" }, { "1\n", "process 1 (" },
	};

	started_end(&other);
	expect_error(TARGET_PIDFILE, file, ERR_TARGET, "there is no pidfile '/tmp/", "is the service running");
	expect_error(TARGET_PIDFILE, folder, ERR_TARGET, "pidfile: cannot read '", "it is a folder");
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(file_write(file, bad[i].text, strlen(bad[i].text), NULL), 0);
		expect_error(TARGET_PIDFILE, file, ERR_TARGET, "pidfile '/tmp/", bad[i].inside);
	}
	snprintf(text, sizeof text, "%d\n", (int)ended);
	assert_int_equal(file_write(file, text, strlen(text), NULL), 0);
	snprintf(gone, sizeof gone, "is stale: there is no process %d any more", (int)ended);
	expect_error(TARGET_PIDFILE, file, ERR_TARGET, "pidfile '", gone);
	/* The format of postgres. */
	snprintf(text, sizeof text, "%d\n/var/lib/data\n1700000000\n5432\n", (int)child.pid);
	assert_int_equal(file_write(file, text, strlen(text), NULL), 0);
	expect_tree(TARGET_PIDFILE, file, child.pid, 1);
	snprintf(text, sizeof text, "%d", (int)child.pid);
	assert_int_equal(file_write(file, text, strlen(text), NULL), 0);
	expect_tree(TARGET_PIDFILE, file, child.pid, 1);
}

/* -------- by command line */

/* A shell whose last word is ARG. If ARG contains "master", the shell starts two more with that word. */
static void become_shell(int fd, void *arg)
{
	bool master = strstr(arg, "master");
	const char *script = master ? "sh -c 'sleep 60; :' \"$0\" & sh -c 'sleep 60; :' \"$0\" & wait" : "sleep 60; :";

	started_answer(fd, 'r');
	execl("/bin/sh", "sh", "-c", script, arg, (char *)NULL);
	_exit(9);
}

static size_t matching(const char *mark)
{
	CLEANUP(processes_release) struct processes all = { 0 };
	size_t n = 0;

	processes_read(&all);
	for (size_t i = 0; i < all.n; i++) {
		CLEANUP(strbuf_release) struct strbuf line = STRBUF_INIT;

		process_command_line(all.items[i].pid, &line);
		n += strstr(line.buf, mark) != NULL;
	}
	return n;
}

static size_t tree_size(pid_t root)
{
	CLEANUP(processes_release) struct processes all = { 0 }, tree = { 0 };

	processes_read(&all);
	processes_add_tree(&tree, &all, root);
	return tree.n;
}

TEST(one_tree_is_found_by_its_command_line)
{
	char mark[64], regex[80];
	CLEANUP(started_end) struct started child = { 0 };

	snprintf(mark, sizeof mark, "pawl-test-master-%d", (int)getpid());
	child = start(become_shell, mark);
	WAIT_UNTIL(matching(mark) == 3);
	/* The three shells, and the commands of two of them. */
	WAIT_UNTIL(tree_size(child.pid) == 5);
	snprintf(regex, sizeof regex, "%s$", mark);
	expect_tree(TARGET_PROCESS, regex, child.pid, 5);
	snprintf(regex, sizeof regex, "^sh -c .*pawl-[a-z]{4}-master-%d$", (int)getpid());
	expect_tree(TARGET_PROCESS, regex, child.pid, 5);
}

TEST(strangers_are_listed)
{
	struct started children[10];
	char mark[64], name[96], line[128];

	snprintf(mark, sizeof mark, "pawl-test-stranger-%d", (int)getpid());
	for (size_t i = 0; i < 10; i++) {
		snprintf(name, sizeof name, "%s-\033%zu", mark, i);
		children[i] = start(become_shell, name);
	}
	/* A shell that has forked appears twice until its sleep begins. */
	for (size_t i = 0; i < 10; i++)
		WAIT_UNTIL(tree_size(children[i].pid) == 2);
	WAIT_UNTIL(matching(mark) == 10);
	snprintf(line, sizeof line, "\n  %d sh -c sleep 60; : %s-\\x1b0\n", (int)children[0].pid, mark);
	expect_error(TARGET_PROCESS, mark, ERR_TARGET, "'pawl-test-stranger-", line);
	expect_error(TARGET_PROCESS, mark, ERR_TARGET, "'",
		     "' matches 10 processes that are not one tree; make the expression more exact, or use pidfile:");
	expect_error(TARGET_PROCESS, mark, ERR_TARGET, "'", "\n  and 2 more");
	snprintf(name, sizeof name, "%s-.3", mark);
	expect_tree(TARGET_PROCESS, name, children[3].pid, 2);
	for (size_t i = 0; i < 10; i++)
		started_end(&children[i]);
}

TEST(pawl_never_matches)
{
	CLEANUP(strbuf_release) struct strbuf own = STRBUF_INIT;
	CLEANUP(started_end) struct started child = { 0 };

	/*
	 * Matches the test, its keeper and perhaps its parent. The command line contains the folder, so no other test
	 * matches.
	 */
	process_command_line(getpid(), &own);
	strbuf_addc(&own, '$');
	expect_error(TARGET_PROCESS, own.buf, ERR_TARGET, "no process has a command line that matches '",
		     "' (but for pawl, and what started it); 'pgrep -af'");
	child = start(stand, NULL);
	expect_tree(TARGET_PROCESS, own.buf, child.pid, 1);
	expect_error(TARGET_PROCESS, "^no such command line$", ERR_TARGET, "no process has",
		     "matches '^no such command line$'; 'pgrep -af'");
	expect_error(TARGET_PROCESS, "a(b", ERR_INPUT, "the regular expression 'a(b' cannot be used: ", "");
	expect_error(TARGET_PROCESS, "^\\[kthreadd\\]$", ERR_TARGET, "no process has", "");
}

/* -------- by port */

struct place {
	int family, port;		/* 0: any; the chosen port is written here */
	bool forks;			/* a worker that also holds the socket */
};

static int listen_at(struct place *at)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons((uint16_t)at->port),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t)at->port),
				   .sin6_addr = IN6ADDR_LOOPBACK_INIT };
	struct sockaddr *addr = at->family == AF_INET ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6;
	socklen_t len = at->family == AF_INET ? sizeof v4 : sizeof v6;
	int fd = socket(at->family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || bind(fd, addr, len) < 0 || listen(fd, 1) < 0)
		return -1;
	getsockname(fd, addr, &len);
	at->port = ntohs(at->family == AF_INET ? v4.sin_port : v6.sin6_port);
	return fd;
}

static void serve(int fd, void *arg)
{
	struct place *at = arg;
	int sock = listen_at(at);
	pid_t worker = at->forks ? fork() : 1;

	if (!worker) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		started_order(fd);
		_exit(0);
	}
	if (sock < 0)
		at->port = 0;
	stand(fd, NULL);
}

static struct place *shared_places(void)
{
	struct place *places = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_true(places != MAP_FAILED);
	return places;
}

TEST(the_tree_that_listens_is_found)
{
	static const int families[] = { AF_INET, AF_INET6 };
	struct place *at = shared_places();

	for (size_t i = 0; i < 4; i++) {
		CLEANUP(processes_release) struct processes holders = { 0 };
		CLEANUP(started_end) struct started child = { 0 };
		CLEANUP(free_ptr) char *text = NULL;

		*at = (struct place){ .family = families[i % 2], .forks = i / 2 };
		child = start(serve, at);
		if (!at->port && i % 2)
			continue;
		assert_true(at->port);
		text = number(at->port);
		expect_tree(TARGET_PORT, text, child.pid, at->forks ? 2 : 1);
		port_listeners(at->port, &holders);
		assert_int_equal(holders.n, at->forks ? 2 : 1);
		assert_non_null(processes_find(&holders, child.pid));
	}
	munmap(at, 4096);
}

TEST(two_that_listen_on_one_port_are_strangers)
{
	struct place *places = shared_places();
	CLEANUP(started_end) struct started four = { 0 }, six = { 0 };
	CLEANUP(free_ptr) char *text = NULL;

	places[0] = (struct place){ .family = AF_INET };
	four = start(serve, &places[0]);
	places[1] = (struct place){ .family = AF_INET6, .port = places[0].port };
	six = start(serve, &places[1]);
	if (!places[1].port)
		SKIP("there is no IPv6 here");
	text = number(places[0].port);
	expect_error(TARGET_PORT, text, ERR_TARGET, "on TCP port ", " listen 2 processes that are not one tree; stop those");
	munmap(places, 4096);
}

TEST(ports_nobody_else_listens_on_are_reported)
{
	struct place at = { .family = AF_INET };
	CLEANUP(processes_release) struct processes holders = { 0 };
	CLEANUP(free_ptr) char *text = NULL;
	int fd = listen_at(&at);

	assert_true(fd >= 0);
	text = number(at.port);
	expect_error(TARGET_PORT, text, ERR_TARGET, "nobody listens on TCP port ", " but pawl, or what started it");
	port_listeners(at.port, &holders);
	assert_int_equal(holders.n, 1);
	assert_int_equal(holders.items[0].pid, getpid());
	close(fd);
	expect_error(TARGET_PORT, text, ERR_TARGET, "nobody listens on TCP port ", " here; is the service running?");
	processes_release(&holders);
	port_listeners(at.port, &holders);
	assert_int_equal(holders.n, 0);
	expect_error(TARGET_PORT, "0", ERR_INPUT, "expected a TCP port from 1 to 65535, found '0'", "");
	expect_error(TARGET_PORT, "65536", ERR_INPUT, "expected a TCP port", "");
	expect_error(TARGET_PORT, "http", ERR_INPUT, "expected a TCP port", "");
}

/* Runs as another user. The answer is the resulting message. */
static void look_as_nobody(int fd, void *arg)
{
	const struct place *at = arg;
	CLEANUP(free_ptr) char *text = number(at->port);
	struct attached attached;
	struct error err = ERROR_INIT;

	if (setgid(65534) < 0 || setuid(65534) < 0 ||
	    attach_find(&keeper, TARGET_PORT, text, &attached, &err) == 0 || err.kind != ERR_TARGET)
		started_answer(fd, 'f');
	else
		started_answer(fd, strstr(err.msg, "its processes cannot be seen; run pawl as its user or as root") ? 'y' : 'n');
}

TEST(a_port_of_another_user_is_reported)
{
	struct place *at = shared_places();
	CLEANUP(started_end) struct started server = { 0 }, looker = { 0 };
	int pair[2];
	char answer = 'f';

	if (geteuid())
		SKIP("only root can become another user");
	*at = (struct place){ .family = AF_INET };
	server = start(serve, at);
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
	looker.pid = fork();
	if (!looker.pid) {
		look_as_nobody(pair[1], at);
		_exit(0);
	}
	looker.fd = pair[0];
	close(pair[1]);
	answer = started_ask(&looker, '\0');
	assert_int_equal(answer, 'y');
	munmap(at, 4096);
}

TEST(the_ports_of_processes_are_listed)
{
	struct place *places = shared_places();
	CLEANUP(started_end) struct started one = { 0 }, two = { 0 }, none = start(stand, NULL);
	CLEANUP(processes_release) struct processes list = { 0 }, all = { 0 };
	struct process process;
	int ports[4] = { 0 }, low, high;

	places[0] = places[1] = (struct place){ .family = AF_INET, .forks = true };
	one = start(serve, &places[0]);
	two = start(serve, &places[1]);
	assert_true(process_read(none.pid, &process));
	processes_add(&list, &process);
	assert_int_equal(listening_ports(&list, ports, 4), 0);
	/* The worker holds the same socket. */
	processes_read(&all);
	processes_add_tree(&list, &all, one.pid);
	processes_add_tree(&list, &all, two.pid);
	assert_int_equal(list.n, 5);
	low = places[0].port < places[1].port ? places[0].port : places[1].port;
	high = places[0].port + places[1].port - low;
	assert_int_equal(listening_ports(&list, ports, 4), 2);
	assert_int_equal(ports[0], low);
	assert_int_equal(ports[1], high);
	assert_int_equal(ports[2], 0);
	ports[1] = 0;
	assert_int_equal(listening_ports(&list, ports, 1), 2);
	assert_int_equal(ports[0], low);
	assert_int_equal(ports[1], 0);
	munmap(places, 4096);
}
