#include "measure/process/proc.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"

/* Returns the end of the number, which one of ENDS or the end of TEXT must follow; or NULL. */
static const char *read_number(const char *text, int base, const char *ends, uint64_t *out)
{
	uint64_t value;
	char *end;

	if (!isxdigit((unsigned char)*text))
		return NULL;
	errno = 0;
	value = strtoull(text, &end, base);
	if (errno || end == text || (*end && !strchr(ends, *end)))
		return NULL;
	*out = value;
	return end;
}

/* Returns the rest of TEXT; NULL if it has fewer words. */
static const char *split(const char *text, size_t n, const char *words[])
{
	for (size_t i = 0; i < n; i++) {
		text += strspn(text, " ");
		words[i] = text;
		text += strcspn(text, " \n");
		if (text == words[i])
			return NULL;
	}
	return text;
}

/* -------- sockets */

/* "sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode" */
enum { LOCAL = 1, STATE = 3, INODE = 9, COLUMNS };
enum { LISTEN = 0x0a };

bool proc_net_listener(const char *line, struct listener *out)
{
	const char *columns[COLUMNS], *colon;
	uint64_t port, state, inode;

	if (!split(line, COLUMNS, columns) || !read_number(columns[STATE], 16, " ", &state) || state != LISTEN)
		return false;
	colon = strchr(columns[LOCAL], ':');
	if (!colon || colon > columns[LOCAL + 1] || !read_number(colon + 1, 16, " ", &port) || port > UINT16_MAX ||
	    !read_number(columns[INODE], 10, " \n", &inode) || !inode)
		return false;
	*out = (struct listener){ .port = (unsigned)port, .inode = inode };
	return true;
}

bool proc_net_socket(const char *link, uint64_t *inode_out)
{
	static const char before[] = "socket:[";
	const char *end;
	uint64_t inode;

	if (!text_starts(link, before))
		return false;
	end = read_number(link + sizeof before - 1, 10, "]", &inode);
	if (!end || strcmp(end, "]"))
		return false;
	*inode_out = inode;
	return true;
}

/* -------- control groups */

/* proc_pid_mountinfo(5): "ID PARENT MAJ:MIN ROOT DIR OPTIONS [TAG...] - TYPE SOURCE SUPER-OPTIONS" */
enum { ROOT = 3, DIR_ = 4, BEFORE = 6 };
enum { DASH, TYPE, SOURCE, SUPER, BEHIND };

static char *unescape(const char *word)
{
	struct strbuf plain = STRBUF_INIT;

	for (const char *p = word; *p && !strchr(" \n", *p); p++)
		if (*p == '\\' && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' && p[2] <= '7' && p[3] >= '0' && p[3] <= '7') {
			strbuf_addc(&plain, (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0')));
			p += 3;
		} else {
			strbuf_addc(&plain, *p);
		}
	return strbuf_take(&plain);
}

static bool is_word(const char *from, const char *expected)
{
	return strcspn(from, " \n") == strlen(expected) && text_starts(from, expected);
}

static void add_mount(const char *line, struct cgroup_mounts *out)
{
	const char *before[BEFORE], *behind[BEHIND], *rest = split(line, BEFORE, before);
	bool unified;
	size_t at;

	do
		rest = rest ? split(rest, 1, behind) : NULL;
	while (rest && !is_word(behind[DASH], "-"));
	if (!rest || !split(behind[DASH], BEHIND, behind))
		return;
	unified = is_word(behind[TYPE], "cgroup2");
	if (!unified && !is_word(behind[TYPE], "cgroup"))
		return;
	at = unified ? 0 : out->n;
	VEC_GROW(out->items, out->n, out->cap);
	memmove(out->items + at + 1, out->items + at, (out->n++ - at) * sizeof *out->items);
	out->items[at] = (struct cgroup_mount){
		.dir = unescape(before[DIR_]), .root = unescape(before[ROOT]), .options = unified ? NULL : unescape(behind[SUPER]),
	};
}

void cgroup_mounts_parse(const char *mountinfo, struct cgroup_mounts *out)
{
	const char *end = mountinfo + strlen(mountinfo), *line;
	size_t len;

	*out = (struct cgroup_mounts){ 0 };
	while ((line = text_next_line(&mountinfo, end, &len)))
		add_mount(line, out);
}

void cgroup_mounts_release(struct cgroup_mounts *mounts)
{
	for (size_t i = 0; i < mounts->n; i++) {
		free(mounts->items[i].dir);
		free(mounts->items[i].root);
		free(mounts->items[i].options);
	}
	free(mounts->items);
	*mounts = (struct cgroup_mounts){ 0 };
}

const struct cgroup_mount *cgroup_mounts_find(const struct cgroup_mounts *mounts, const char *controller)
{
	for (size_t i = 0; i < mounts->n; i++) {
		const char *options = mounts->items[i].options;

		if (*controller ? options && text_has_word(options, strlen(options), ',', controller) : !options)
			return &mounts->items[i];
	}
	return NULL;
}

/* Lines are "NUMBER:CONTROLLERS:PATH"; version 2 has number 0 and no controllers. */
char *cgroup_of_process(const char *text, const char *controller)
{
	const char *end = text + strlen(text), *line;
	size_t len;

	while ((line = text_next_line(&text, end, &len))) {
		const char *first = memchr(line, ':', len);
		const char *second = first ? memchr(first + 1, ':', len - (size_t)(first + 1 - line)) : NULL;

		if (second && second[1] == '/' && text_has_word(first + 1, (size_t)(second - first - 1), ',', controller) &&
		    (*controller || (first == line + 1 && *line == '0')))
			return xstrndup(second + 1, len - (size_t)(second + 1 - line));
	}
	return NULL;
}

char *cgroup_folder(const struct cgroup_mount *mount, const char *group)
{
	CLEANUP(free_ptr) char *slashed = text_printf("/%s/", group);
	size_t root_len = strlen(mount->root);

	/* "/.." also begins groups outside a cgroup namespace. */
	if (strstr(slashed, "/../"))
		return NULL;
	if (root_len > 1) {
		if (strncmp(group, mount->root, root_len) || (group[root_len] && group[root_len] != '/'))
			return NULL;
		group += root_len;
	}
	group += strspn(group, "/");
	return text_printf("%s%s%s", mount->dir, *group ? "/" : "", group);
}

/* -------- processes */

/* All fields from the fourth on are numbers, indexed as in proc_pid_stat(5). */
enum {
	PARENT = 4, GROUP, SESSION, FLAGS = 9, MINFLT, CMINFLT, MAJFLT, CMAJFLT, UTIME, STIME, CUTIME, CSTIME,
	NICE = 19, THREADS, START = 22, POLICY = 41, ENV_END = 51, FIELDS,
};

#define KERNEL_THREAD 0x00200000	/* PF_KTHREAD of the kernel's sched.h */

bool process_parse(const char *text, struct process *out)
{
	const char *open = strchr(text, '('), *close = strrchr(text, ')'), *at;
	uint64_t f[FIELDS] = { 0 };

	if (!open || !close || close < open || close[1] != ' ' || !close[2])
		return false;
	at = close + 3;
	for (int i = PARENT; i < FIELDS; i++) {
		char *end;

		/* Before Linux 3.5 the line may end here. */
		if (i > START && *at != ' ')
			break;
		/* Some fields are negative (tpgid), but these are unused. */
		errno = 0;
		f[i] = strtoull(at, &end, 10);
		if (*at != ' ' || end == at || errno)
			return false;
		at = end;
	}
	*out = (struct process){
		.pid = (pid_t)strtol(text, NULL, 10), .parent = (pid_t)f[PARENT], .group = (pid_t)f[GROUP],
		.session = (pid_t)f[SESSION], .start = f[START], .kernel = f[FLAGS] & KERNEL_THREAD, .threads = f[THREADS],
		/* The first thread may have ended while others go on. */
		.state = close[2] == 'Z' && f[THREADS] > 1 ? 'S' : close[2],
		.minor_faults = f[MINFLT], .major_faults = f[MAJFLT], .user_ticks = f[UTIME], .system_ticks = f[STIME],
		.waited_minor_faults = f[CMINFLT], .waited_major_faults = f[CMAJFLT],
		.waited_user_ticks = f[CUTIME], .waited_system_ticks = f[CSTIME],
		.nice = (int)(int64_t)f[NICE], .policy = (int)f[POLICY], .env_end = f[ENV_END],
	};
	snprintf(out->name, sizeof out->name, "%.*s", (int)(close - open - 1), open + 1);
	return true;
}

bool proc_status_number(const char *text, const char *key, int base, uint64_t *out)
{
	size_t key_len = strlen(key), len;
	const char *text_end = text + strlen(text), *line;
	uint64_t number;

	while ((line = text_next_line(&text, text_end, &len)) && (strncmp(line, key, key_len) || line[key_len] != ':'))
		;
	if (!line)
		return false;
	line += key_len + 1;
	line = read_number(line + strspn(line, " \t"), base, " \n", &number);
	if (line && text_starts(line, " kB"))
		line += 3;
	if (!line || (*line && *line != '\n'))
		return false;
	*out = number;
	return true;
}

struct io_counts io_counts_parse(const char *text)
{
	struct io_counts io;
	const struct { const char *key; double *out; } members[] = {
		{ "syscr", &io.read_calls }, { "syscw", &io.write_calls }, { "rchar", &io.read_bytes }, { "wchar", &io.written_bytes },
	};

	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		uint64_t number;

		*members[i].out = proc_status_number(text, members[i].key, 10, &number) ? (double)number : NAN;
	}
	return io;
}
