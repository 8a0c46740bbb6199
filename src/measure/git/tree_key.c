#include "measure/git/tree_key.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"

/* Variables that differ between shells, sessions or jobs, but not builds. */
static const char *const noise[] = {
	"_", "SHLVL", "PWD", "OLDPWD", "PS1", "PROMPT_COMMAND", "HIST*", "LINES", "COLUMNS", "TERM*", "COLOR*", "LS_COLORS",
	"LESS*", "PAGER", "EDITOR", "VISUAL", "TMPDIR", "TMP", "TEMP", "USER", "USERNAME", "LOGNAME", "MAIL", "HOSTNAME",
	"XDG_*", "DBUS_*", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "WINDOWID", "TMUX*", "STY", "SSH_*", "GPG_*", "SUDO_*",
	"VSCODE_*", "INVOCATION_ID", "JOURNAL_STREAM", "SYSTEMD_*", "MEMORY_PRESSURE_*", "NOTIFY_SOCKET", "MAKELEVEL", "MFLAGS",
	"MAKE_TERM*", "GIT_*", "PAWL_*", "GH_*", "GITHUB_*", "RUNNER_*", "ACTIONS_*", "CI_*", "GITLAB_*", "BUILDKITE_*",
	"CIRCLE_*", "STATS_*", "BUILD_ID", "BUILD_NUMBER", "BUILD_TAG", "BUILD_URL", "JOB_*", "CHANGE_*", "JENKINS_*", NULL,
};

static bool is_noise(const char *entry)
{
	CLEANUP(free_ptr) char *name = xstrndup(entry, strcspn(entry, "="));

	return text_matches_any(name, noise);
}

/* MAKEFLAGS counts without its jobserver, which differs in each run of make. */
static void list_environment(const char *const *environment, struct strv *out)
{
	static const char makeflags[] = "MAKEFLAGS=";

	for (const char *const *e = environment; e && *e; e++) {
		CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT;

		if (is_noise(*e))
			continue;
		if (!text_starts(*e, makeflags)) {
			strv_push(out, *e);
			continue;
		}
		for (const char *at = *e + strlen(makeflags), *end; *at; at = end) {
			at += strspn(at, " ");
			end = at + strcspn(at, " ");
			if (end > at && !text_starts(at, "-j") && !text_starts(at, "--jobserver"))
				strbuf_addf(&words, "%s%.*s ", words.len ? "" : makeflags, (int)(end - at), at);
		}
		if (words.len)
			strv_push(out, words.buf);
	}
	strv_sort(out);
}

/* The final NUL keeps texts from moving to the next part. */
static uint64_t add(uint64_t hash, const char *text)
{
	return fnv_bytes(hash, text ?: "", strlen(text ?: "") + 1);
}

uint64_t tree_key_hash(const struct tree_key *key)
{
	CLEANUP(strv_release) struct strv environment = STRV_INIT;
	uint64_t hash = add(FNV_START, key->command);

	list_environment(key->environment, &environment);
	for (size_t i = 0; i < environment.n; i++)
		hash = add(hash, environment.items[i]);
	return add(add(add(add(hash, ""), key->compilers), key->machine), key->os_release);
}
