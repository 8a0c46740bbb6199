#include "measure/spawn_request.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/glob.h"
#include "base/mem.h"

extern char **environ;

static int set_user(const char *name, struct wire_request *head, gid_t **groups_out, struct error *err)
{
	struct passwd *user = getpwnam(name);
	int n = 64;

	if (!user)
		return error_set(err, ERR_INPUT, "there is no user '%s' on this machine", name);
	if (user->pw_uid == geteuid())
		return 0;
	if (geteuid() != 0)
		return error_set(err, ERR_SYSTEM, "only root can run a target as user '%s'", name);
	*groups_out = xcalloc((size_t)n, sizeof **groups_out);
	if (getgrouplist(name, user->pw_gid, *groups_out, &n) < 0)
		return error_set(err, ERR_SYSTEM, "user '%s' is in more than 64 groups", name);
	head->change_user = 1;
	head->uid = user->pw_uid;
	head->gid = user->pw_gid;
	head->n_groups = (uint32_t)n;
	return 0;
}

/* The list's form was checked by parse_cpu_list(). */
static int set_cpus(const char *list, struct wire_request *head, struct error *err)
{
	long configured = sysconf(_SC_NPROCESSORS_CONF);

	head->pin = 1;
	CPU_ZERO(&head->cpus);
	for (char *p = (char *)list; *p; p += *p == ',') {
		unsigned long low = strtoul(p, &p, 10), high = low;

		if (*p == '-')
			high = strtoul(p + 1, &p, 10);
		if (high >= (unsigned long)configured || high >= CPU_SETSIZE)
			return error_set(err, ERR_INPUT, "measure.cpus: there is no CPU %lu here, only 0 to %ld", high,
					 configured - 1);
		for (; low <= high; low++)
			CPU_SET(low, &head->cpus);
	}
	return 0;
}

static int set_cwd(const struct child_spec *spec, struct wire_request *head, struct error *err)
{
	if (!spec->cwd)
		return getcwd(head->cwd, sizeof head->cwd) ? 0 : error_sys(err, errno, "cannot tell the working folder");
	if (strlen(spec->cwd) >= sizeof head->cwd)
		return error_set(err, ERR_INPUT, "the working folder's path is too long");
	if (access(spec->cwd, X_OK) < 0)
		return error_sys(err, errno, "cannot enter the working folder %s", spec->cwd);
	memcpy(head->cwd, spec->cwd, strlen(spec->cwd) + 1);
	return 0;
}

static bool overridden(const char *entry, const struct strv *additions)
{
	size_t len = strcspn(entry, "=") + 1;

	for (size_t i = 0; additions && i < additions->n; i++)
		if (!strncmp(entry, additions->items[i], len))
			return true;
	return false;
}

/* Where things are, who one is, in what language; where interpreters look for their libraries. */
static const char *const usual[] = {
	"PATH", "LD_LIBRARY_PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_*",
	"JAVA_HOME", "CLASSPATH", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV", "PERL5LIB", "RUBYLIB", "GEM_HOME", "GEM_PATH",
	"NODE_PATH", "GOROOT", "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "LUA_PATH", "LUA_CPATH",
};

/* A page of the kernel's, so that with any more the stack at least begins at the same place of one. */
enum { ENVIRONMENT_UNIT = 4096 };

static bool is_passed(const char *name, const struct strv *pass)
{
	for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
		if (glob_match(usual[i], name))
			return true;
	return strv_has(pass, name);
}

void child_variables(const struct strv *pass, struct strv *out)
{
	for (char **e = environ; *e; e++) {
		CLEANUP(free_ptr) char *name = xstrndup(*e, strcspn(*e, "="));

		if (is_passed(name, pass) && !strv_has(out, name))
			strv_push(out, name);
	}
	strv_sort(out);
}

static void add_passed(const struct child_spec *spec, const char *cwd, struct strv *out)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	child_variables(spec->pass, &names);
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(strbuf_release) struct strbuf entry = STRBUF_INIT;

		strbuf_addf(&entry, "%s=%s", names.items[i], getenv(names.items[i]) ?: "");
		if (!overridden(entry.buf, spec->environment))
			strv_push(out, entry.buf);
	}
	if (!overridden("PWD=", spec->environment))
		strv_pushf(out, "PWD=%s", cwd);
}

/* What lies on the stack: each text, and a pointer to it. */
static size_t size_on_stack(const struct strv *texts)
{
	size_t size = 0;

	for (size_t i = 0; i < texts->n; i++)
		size += strlen(texts->items[i]) + 1 + sizeof(char *);
	return size;
}

/* Arguments and environment together, since a path among the first may have another length, too. */
static void fill_up(const struct strv *argv, struct strv *environment)
{
	CLEANUP(strbuf_release) struct strbuf pad = STRBUF_INIT;
	size_t size;

	strbuf_adds(&pad, "PAWL_PAD=");
	size = pad.len + 1 + sizeof(char *) + size_on_stack(argv) + size_on_stack(environment);
	for (; size % ENVIRONMENT_UNIT; size++)
		strbuf_addc(&pad, 'x');
	strv_push(environment, pad.buf);
}

/* PAWL_JOB marks what pawl started (see abandoned.h), at a fixed width. */
static void build_environment(const struct child_spec *spec, const char *cwd, const char *owner, uint32_t job,
			      struct strv *out)
{
	const struct strv *additions = spec->environment;
	struct strv own = STRV_INIT;

	strv_push(&own, "PAWL_LOCK=inherited");
	strv_pushf(&own, "PAWL_JOB=%s.%010u", owner, job);
	if (spec->pass)
		add_passed(spec, cwd, out);
	for (char **e = environ; *e && !spec->pass; e++)
		if (!overridden(*e, additions) && !overridden(*e, &own))
			strv_push(out, *e);
	strv_copy(out, &own);
	if (additions)
		strv_copy(out, additions);
	/* In pairs both sides were made equal already. */
	if (spec->pass && !overridden("PAWL_PAD=", additions))
		fill_up(spec->argv, out);
	strv_release(&own);
}

static void add_strings(struct strbuf *blob, const struct strv *list)
{
	for (size_t i = 0; i < list->n; i++)
		strbuf_add(blob, list->items[i], strlen(list->items[i]) + 1);
}

static int to_memory_file(const struct strbuf *blob, struct error *err)
{
	int fd = memfd_create("pawl-request", MFD_CLOEXEC);
	size_t done = 0;

	while (fd >= 0 && done < blob->len) {
		ssize_t n = write(fd, blob->buf + done, blob->len - done);

		if (n < 0 && errno != EINTR) {
			close(fd);
			return error_sys(err, errno, "cannot write a memory file");
		}
		done += n > 0 ? (size_t)n : 0;
	}
	return fd < 0 ? error_sys(err, errno, "cannot make a memory file") : fd;
}

int spawn_request_build(const struct child_spec *spec, const char *owner, uint32_t job, struct error *err)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	CLEANUP(strbuf_release) struct strbuf blob = STRBUF_INIT;
	CLEANUP(free_ptr) gid_t *groups = NULL;
	struct wire_request head = { .aslr_off = spec->aslr_off };

	if (set_cwd(spec, &head, err) < 0 || (spec->user && set_user(spec->user, &head, &groups, err) < 0))
		return -1;
	if (spec->cpus && set_cpus(spec->cpus, &head, err) < 0)
		return -1;
	build_environment(spec, head.cwd, owner, job, &environment);
	head.n_argv = (uint32_t)spec->argv->n;
	head.n_env = (uint32_t)environment.n;
	head.n_fds = 3;
	while (head.n_fds < 3 + EXTRA_FDS && spec->extra_fds[head.n_fds - 3] > 0)
		head.n_fds++;
	strbuf_add(&blob, &head, sizeof head);
	strbuf_add(&blob, groups, head.n_groups * sizeof *groups);
	add_strings(&blob, spec->argv);
	add_strings(&blob, &environment);
	return to_memory_file(&blob, err);
}
