#include "measure/perf/perf.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "measure/machine/machine.h"
#include "measure/process/process.h"

/* -------- the folders of runs */

static char *format_now(const char *format)
{
	char text[64];
	time_t now = time(NULL);
	struct tm tm;

	gmtime_r(&now, &tm);
	strftime(text, sizeof text, format, &tm);
	return xstrdup(text);
}

char *utc_now(void)
{
	return format_now("%Y-%m-%dT%H:%M:%SZ");
}

/* 20261120T100554Z-... : what outdir_make() made, and nothing else, may be pruned. */
static bool is_run_name(const char *name)
{
	static const char pattern[] = "ddddddddTddddddZ";

	for (size_t i = 0; pattern[i]; i++)
		if (pattern[i] == 'd' ? !isdigit((unsigned char)name[i]) : name[i] != pattern[i])
			return false;
	return name[sizeof pattern - 1] == '-';
}

static bool is_folder(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* A second run within the same second gets a number behind its name. */
static int make_unique(struct strbuf *path, struct error *err)
{
	size_t len = path->len;

	for (unsigned i = 2; mkdir(path->buf, 0777) < 0; i++) {
		if (errno != EEXIST || i > 1000)
			return error_sys(err, errno, "cannot make the folder %s", path->buf);
		strbuf_truncate(path, len);
		strbuf_addf(path, ".%u", i);
	}
	return 0;
}

static void point_latest(const char *parent, const char *dir)
{
	CLEANUP(free_ptr) char *link = file_join(parent, "latest");
	CLEANUP(free_ptr) char *temporary = file_join(parent, ".latest.tmp");

	unlink(temporary);
	if (symlink(strrchr(dir, '/') + 1, temporary) < 0 || rename(temporary, link) < 0)
		unlink(temporary);
}

int outdir_make(const char *parent, const char *commit, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;
	CLEANUP(free_ptr) char *now = format_now("%Y%m%dT%H%M%SZ");

	if (file_make_dirs(parent, err) < 0)
		return -1;
	strbuf_addf(&path, "%s/%s-%s", parent, now, commit ?: "none");
	if (make_unique(&path, err) < 0)
		return -1;
	point_latest(parent, path.buf);
	*out = strbuf_take(&path);
	return 0;
}

void outdir_prune(const char *parent)
{
	CLEANUP(strv_release) struct strv names = STRV_INIT;
	size_t runs = 0;

	if (file_list(parent, &names, NULL) < 0)
		return;
	for (size_t i = names.n; i-- > 0;) {
		CLEANUP(free_ptr) char *path = file_join(parent, names.items[i]);

		if (is_run_name(names.items[i]) && is_folder(path) && ++runs > OUTDIRS_KEPT)
			file_remove_tree(path, NULL);
	}
}

/* -------- the session */

int session_make_scratch(struct session *session, struct error *err)
{
	if (scratch_make(session->keeper->pid, &session->scratch, &session->scratch_lock, err) < 0)
		return -1;
	return session->scratch_lock < 0 ? 0 : keeper_hold(session->keeper, session->scratch_lock, err);
}

void session_remove_scratch(struct session *session)
{
	if (!session->scratch)
		return;
	if (keeper_is_lost(session->keeper))
		scratch_end_listed(session->scratch);
	scratch_remove(session->scratch);
	if (session->scratch_lock >= 0)
		close(session->scratch_lock);
	free(session->scratch);
	session->scratch = NULL;
}

static int find_counters(struct session *session, bool without_perf, struct error *err)
{
	if (!without_perf)
		return perf_tool_find(&session->perf, err) < 0 ? -1 : probe_tier(session, &session->machine, err);
	session->machine.tier = TIER_SIM;
	session->machine.tier_reason = xstrdup("perf is not used, as every scenario asks for simulated counters");
	return 0;
}

int session_open(struct session *session, struct keeper *keeper, const struct session_options *options, struct error *err)
{
	*session = (struct session){ .keeper = keeper, .lock_fd = -1 };
	facts_read(&session->machine);
	abandoned_end_processes();
	if (lock_take(options->lock_wait_ns, keeper->interrupt, options->waiting, options->ctx, &session->lock_fd, err) < 0) {
		session_close(session);
		return -1;
	}
	session->announced_fd = session->lock_fd < 0 ? -1 : lock_announce();
	if (session_make_scratch(session, err) < 0 || find_counters(session, options->without_perf, err) < 0) {
		session_close(session);
		return -1;
	}
	return 0;
}

void session_close(struct session *session)
{
	session_remove_scratch(session);
	if (session->lock_fd >= 0 && session->announced_fd >= 0)
		close(session->announced_fd);
	lock_drop(&session->lock_fd);
	perf_tool_release(&session->perf);
	machine_release(&session->machine);
	*session = (struct session){ .lock_fd = -1 };
}
