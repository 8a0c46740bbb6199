#include "model/cgroups.h"

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/strbuf.h"

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
static const char *split(const char *text, size_t n, const char *words[])
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
	const char *before[BEFORE], *behind[BEHIND], *rest = split(line, BEFORE, before);
	struct cgroup_mount mount = { 0 };
	bool unified;

	while (rest && *rest && *rest != '\n' && !is(rest, "-")) {
		rest += strcspn(rest, " \n");
		rest += *rest == ' ';
	}
	if (!rest || !is(rest, "-") || rest[1] != ' ' || !split(rest + 2, BEHIND, behind))
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
