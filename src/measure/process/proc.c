#include "measure/process/process.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"

/* -------- sockets */

/* "sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid timeout inode" */
enum { LOCAL = 1, STATE = 3, INODE = 9, COLUMNS };
enum { LISTEN = 0x0a };

static bool split(const char *line, const char *columns[COLUMNS])
{
	for (int i = 0; i < COLUMNS; i++) {
		line += strspn(line, " ");
		columns[i] = line;
		if (!*line || *line == '\n')
			return false;
		line += strcspn(line, " \n");
	}
	return true;
}

/* A whole number in BASE from the first character on, up to the end of its column. */
static bool number(const char *text, int base, uint64_t most, uint64_t *out)
{
	char *end;
	uint64_t value;

	if (!isxdigit((unsigned char)*text))
		return false;
	errno = 0;
	value = strtoull(text, &end, base);
	if (errno || value > most || (*end && *end != ' ' && *end != '\n'))
		return false;
	*out = value;
	return true;
}

bool proc_net_listener(const char *line, struct proc_listener *out)
{
	const char *columns[COLUMNS], *colon;
	uint64_t port, state, inode;

	if (!split(line, columns) || !number(columns[STATE], 16, UINT8_MAX, &state) || state != LISTEN)
		return false;
	colon = strchr(columns[LOCAL], ':');
	if (!colon || colon > columns[LOCAL + 1] || !number(colon + 1, 16, UINT16_MAX, &port) ||
	    !number(columns[INODE], 10, UINT64_MAX, &inode) || !inode)
		return false;
	*out = (struct proc_listener){ .port = (unsigned)port, .inode = inode };
	return true;
}

bool proc_net_socket(const char *link, uint64_t *inode_out)
{
	static const char before[] = "socket:[";
	uint64_t inode;
	char *end;

	if (strncmp(link, before, sizeof before - 1) || !isdigit((unsigned char)link[sizeof before - 1]))
		return false;
	errno = 0;
	inode = strtoull(link + sizeof before - 1, &end, 10);
	if (errno || strcmp(end, "]"))
		return false;
	*inode_out = inode;
	return true;
}

/* -------- control groups */

/* proc_pid_mountinfo(5): "ID PARENT MAJ:MIN ROOT DIR OPTIONS [TAG...] - TYPE SOURCE SUPER-OPTIONS" */
enum { ROOT = 3, DIR_ = 4, BEFORE = 6 };
enum { TYPE, SOURCE, SUPER, BEHIND };

/* Space, tab, newline and backslash are written as \040 and so on. */
static char *unescape(const char *word, size_t len)
{
	struct strbuf plain = STRBUF_INIT;

	for (size_t i = 0; i < len; i++) {
		const char *p = word + i;

		if (*p == '\\' && i + 3 < len && p[1] >= '0' && p[1] <= '3' && p[2] >= '0' && p[2] <= '7' &&
		    p[3] >= '0' && p[3] <= '7') {
			strbuf_addc(&plain, (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0')));
			i += 3;
		} else {
			strbuf_addc(&plain, *p);
		}
	}
	return strbuf_take(&plain);
}

/* N words from TEXT, each ended by a space or the line's end; what follows them, or NULL. */
static const char *cgroups_split(const char *text, size_t n, const char *words[])
{
	for (size_t i = 0; i < n; i++) {
		words[i] = text;
		text += strcspn(text, " \n");
		if (text == words[i] || (i + 1 < n && *text != ' '))
			return NULL;
		text += *text == ' ';
	}
	return text;
}

static char *word(const char *from)
{
	return unescape(from, strcspn(from, " \n"));
}

static bool is(const char *from, const char *expected)
{
	return strcspn(from, " \n") == strlen(expected) && !strncmp(from, expected, strlen(expected));
}

static void put_in_front(struct cgroup_mounts *mounts, struct cgroup_mount mount)
{
	VEC_GROW(mounts->items, mounts->n, mounts->cap);
	memmove(mounts->items + 1, mounts->items, mounts->n++ * sizeof mount);
	mounts->items[0] = mount;
}

static void add_mount(const char *line, struct cgroup_mounts *out)
{
	const char *before[BEFORE], *behind[BEHIND], *rest = cgroups_split(line, BEFORE, before);
	struct cgroup_mount mount = { 0 };
	bool unified;

	while (rest && *rest && *rest != '\n' && !is(rest, "-")) {
		rest += strcspn(rest, " \n");
		rest += *rest == ' ';
	}
	if (!rest || !is(rest, "-") || rest[1] != ' ' || !cgroups_split(rest + 2, BEHIND, behind))
		return;
	unified = is(behind[TYPE], "cgroup2");
	if (!unified && !is(behind[TYPE], "cgroup"))
		return;
	mount.dir = word(before[DIR_]);
	mount.root = word(before[ROOT]);
	mount.options = unified ? NULL : word(behind[SUPER]);
	if (unified) {
		put_in_front(out, mount);
	} else {
		VEC_GROW(out->items, out->n, out->cap);
		out->items[out->n++] = mount;
	}
}

void cgroup_mounts_parse(const char *mountinfo, struct cgroup_mounts *out)
{
	*out = (struct cgroup_mounts){ 0 };
	while (*mountinfo) {
		add_mount(mountinfo, out);
		mountinfo += strcspn(mountinfo, "\n");
		mountinfo += *mountinfo == '\n';
	}
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

/* One of the words between commas, up to LEN bytes. */
static bool has_word(const char *list, size_t len, const char *wanted)
{
	for (size_t at = 0; at <= len;) {
		size_t end = at;

		while (end < len && list[end] != ',')
			end++;
		if (end - at == strlen(wanted) && !strncmp(list + at, wanted, end - at))
			return true;
		at = end + 1;
	}
	return false;
}

const struct cgroup_mount *cgroup_mounts_find(const struct cgroup_mounts *mounts, const char *controller)
{
	for (size_t i = 0; i < mounts->n; i++) {
		const char *options = mounts->items[i].options;

		if (*controller ? options && has_word(options, strlen(options), controller) : !options)
			return &mounts->items[i];
	}
	return NULL;
}

/* Lines are "NUMBER:CONTROLLERS:PATH"; version 2 has number 0 and no controllers. */
char *cgroup_of_process(const char *text, const char *controller)
{
	while (*text) {
		size_t len = strcspn(text, "\n");
		const char *first = memchr(text, ':', len);
		const char *second = first ? memchr(first + 1, ':', len - (size_t)(first + 1 - text)) : NULL;

		if (second && second[1] == '/' && has_word(first + 1, (size_t)(second - first - 1), controller) &&
		    (*controller || (first == text + 1 && *text == '0')))
			return xstrndup(second + 1, len - (size_t)(second + 1 - text));
		text += len + (text[len] == '\n');
	}
	return NULL;
}

/* A name is never a way out of the hierarchy; "/.." also begins groups outside a cgroup namespace. */
static bool climbs(const char *group)
{
	for (const char *p = group; *p; p += *p == '/') {
		size_t len = strcspn(p, "/");

		if (len == 2 && !strncmp(p, "..", 2))
			return true;
		p += len;
	}
	return false;
}

char *cgroup_folder(const struct cgroup_mount *mount, const char *group)
{
	size_t root_len = strlen(mount->root);
	struct strbuf folder = STRBUF_INIT;

	if (climbs(group))
		return NULL;
	if (root_len > 1) {
		if (strncmp(group, mount->root, root_len) || (group[root_len] && group[root_len] != '/'))
			return NULL;
		group += root_len;
	}
	group += strspn(group, "/");
	strbuf_adds(&folder, mount->dir);
	if (*group)
		strbuf_addf(&folder, "/%s", group);
	return strbuf_take(&folder);
}

/* -------- processes */

/* From the fourth field on all are numbers; these are numbered as in proc_pid_stat(5). */
enum {
	PARENT = 4, GROUP, SESSION, FLAGS = 9, MINFLT, CMINFLT, MAJFLT, CMAJFLT, UTIME, STIME, CUTIME, CSTIME,
	THREADS = 20, START = 22, ENV_END = 51, FIELDS,
};

#define KERNEL_THREAD 0x00200000	/* PF_KTHREAD of the kernel's sched.h */

static void keep_name(const char *from, const char *end, struct proc_stat *out)
{
	size_t len = (size_t)(end - from);

	if (len >= sizeof out->name)
		len = sizeof out->name - 1;
	memcpy(out->name, from, len);
	out->name[len] = '\0';
}

/* Some fields are negative (tpgid); none of those is wanted. */
static bool read_numbers(const char *text, uint64_t fields[FIELDS])
{
	for (int i = PARENT; i < FIELDS; i++) {
		char *end;

		fields[i] = 0;
		/* Linux before 3.5 ends here or later. */
		if (i > START && *text != ' ')
			continue;
		if (*text != ' ')
			return false;
		errno = 0;
		fields[i] = strtoull(text, &end, 10);
		if (end == text || errno)
			return false;
		text = end;
	}
	return true;
}

bool proc_stat_parse(const char *text, struct proc_stat *out)
{
	const char *open = strchr(text, '('), *close = strrchr(text, ')');
	uint64_t f[FIELDS];

	if (!open || !close || close < open || close[1] != ' ' || !close[2] || !read_numbers(close + 3, f))
		return false;
	*out = (struct proc_stat){
		.state = close[2],
		.parent = (int)f[PARENT], .group = (int)f[GROUP], .session = (int)f[SESSION],
		.kernel = f[FLAGS] & KERNEL_THREAD,
		.threads = f[THREADS],
		.minor_faults = f[MINFLT], .major_faults = f[MAJFLT],
		.user_ticks = f[UTIME], .system_ticks = f[STIME],
		.waited_minor_faults = f[CMINFLT], .waited_major_faults = f[CMAJFLT],
		.waited_user_ticks = f[CUTIME], .waited_system_ticks = f[CSTIME],
		.start = f[START],
		.env_end = f[ENV_END],
	};
	keep_name(open + 1, close, out);
	return true;
}

/* TEXT is what stands behind the colon, up to the end of its line or of all. */
static bool read_status(const char *text, int base, uint64_t *out)
{
	uint64_t number;
	char *end;

	text += strspn(text, " \t");
	if (!isxdigit((unsigned char)*text))
		return false;
	errno = 0;
	number = strtoull(text, &end, base);
	if (!strncmp(end, " kB", 3))
		end += 3;
	if (errno || (*end && *end != '\n'))
		return false;
	*out = number;
	return true;
}

bool proc_status_number(const char *text, const char *key, int base, uint64_t *out)
{
	size_t len = strlen(key);

	for (; *text; text += *text == '\n') {
		if (!strncmp(text, key, len) && text[len] == ':')
			return read_status(text + len + 1, base, out);
		text += strcspn(text, "\n");
	}
	return false;
}
