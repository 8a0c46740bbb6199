#include "model/proc_stat.h"

#include <ctype.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

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
