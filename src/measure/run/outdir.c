#include "measure/run/outdir.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/regex.h"
#include "base/text.h"
#include "measure/files/files.h"

#define RUN_NAME "^[0-9]{8}T[0-9]{6}Z-"

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

int outdir_make(const char *parent, const char *commit, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf path = STRBUF_INIT;
	CLEANUP(free_ptr) char *now = format_now("%Y%m%dT%H%M%SZ");
	CLEANUP(free_ptr) char *link = file_join(parent, "latest"), *temporary = file_join(parent, ".latest.tmp");
	size_t len;

	if (file_make_dirs(parent, err) < 0)
		return -1;
	strbuf_addf(&path, "%s/%s-%s", parent, now, commit ?: "none");
	len = path.len;
	for (unsigned i = 2; mkdir(path.buf, 0777) < 0; i++) {
		if (errno != EEXIST || i > 1000)
			return error_sys(err, errno, "cannot make the folder %s", path.buf);
		strbuf_truncate(&path, len);
		strbuf_addf(&path, ".%u", i);
	}
	unlink(temporary);
	if (symlink(strrchr(path.buf, '/') + 1, temporary) < 0 || rename(temporary, link) < 0)
		unlink(temporary);
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
		struct stat st;

		if (regex_matches(RUN_NAME, names.items[i]) && lstat(path, &st) == 0 && S_ISDIR(st.st_mode) && ++runs > OUTDIRS_KEPT)
			file_remove_tree(path, NULL);
	}
}
