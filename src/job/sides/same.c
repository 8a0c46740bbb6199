#include "job/sides/same.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/files/elf.h"
#include "measure/files/files.h"
#include "measure/git/tree_map.h"
#include "scenario/scenario.h"

enum { BYTES_MOST = 1 << 30 };
enum { CACHE_LARGEST = 16 << 20 };

/* -------- places */

static const char *const marks[] = { "\1tmp", "\1out", "\1tree", "\1tree" };

static void places_of(const struct program_side *side, const char *out[SIDE_PLACES])
{
	out[0] = side->tmp;
	out[1] = side->out;
	out[2] = side->map->own;
	out[3] = side->map->own_real;
}

/* Returns TEXT with the places of SIDE replaced by what both sides have in common; for free(). */
static char *common_text(const struct program_side *side, const char *text)
{
	struct strbuf out = STRBUF_INIT;
	const char *places[SIDE_PLACES];

	places_of(side, places);
	while (*text) {
		size_t len = 0, i;

		for (i = 0; i < SIDE_PLACES; i++) {
			len = places[i] ? strlen(places[i]) : 0;
			/* Not "/tree" of "/tree-2". */
			if (len > 1 && text_starts(text, places[i]) && !(text[len] && (text_made_of((char[]){ text[len], '\0' }, "-_.+"))))
				break;
		}
		if (i < SIDE_PLACES)
			strbuf_adds(&out, marks[i]);
		else
			strbuf_addc(&out, *text);
		text += i < SIDE_PLACES ? len : 1;
	}
	return strbuf_take(&out);
}

/* -------- the comparison */

struct place {
	char *key;			/* common to both sides */
	const struct access *of;
};

struct places {
	struct place *items;
	size_t n;
};

struct times {
	struct timespec of[SIDES];
};

struct comparison {
	const struct identical_sides *sides;
	struct identical *out;
	struct places places[SIDES];
	struct times *times;
	size_t n_times, cap_times;
	uint64_t bytes;
};

__attribute__((format(printf, 2, 3))) static bool differs(struct comparison *c, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf why = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&why, fmt, args);
	va_end(args);
	if (!c->out->why_not)
		c->out->why_not = strbuf_take(&why);
	return false;
}

/* -------- content */

bool same_bytes(const char *a_path, const char *b_path)
{
	CLEANUP(close_fd) int a = open(a_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), b = open(b_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char from_a[1 << 16], from_b[1 << 16];
	ssize_t n, other;

	if (a < 0 || b < 0)
		return false;
	do {
		n = read(a, from_a, sizeof from_a);
		other = n < 0 ? -1 : read(b, from_b, sizeof from_b);
		if (n < 0 || n != other || memcmp(from_a, from_b, (size_t)n) != 0)
			return false;
	} while (n);
	return true;
}

/* Replaces the time and the place, after its length, in the cache of a Python module (marshal.c). */
static bool settle_cache(const struct program_side *side, const char *path, const char *source, struct strbuf *out)
{
	enum { HEADER = 16, FLAGS = 4, TIME = 8 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	const char *tree = side->map->own;
	size_t len = strlen(tree);
	struct stat st;
	uint32_t time;

	if (file_read(path, CACHE_LARGEST, &text, NULL) < 0 || text.len < HEADER || memcmp(text.buf + FLAGS, "\0\0\0\0", 4) != 0 ||
	    stat(source, &st) < 0)
		return false;
	memcpy(&time, text.buf + TIME, sizeof time);
	if (time != (uint32_t)st.st_mtim.tv_sec)
		return false;
	strbuf_add(out, text.buf, TIME);
	for (size_t i = TIME + sizeof time; i < text.len; i++) {
		unsigned char *before = (unsigned char *)out->buf + out->len;

		if (text.len - i <= len || memcmp(text.buf + i, tree, len) != 0 || text.buf[i + len] != '/') {
			strbuf_addc(out, text.buf[i]);
		} else if (strchr("zZ", before[-2] & 0x7f) && before[-1] > len) {
			before[-1] = (unsigned char)(before[-1] - len);
			i += len - 1;
		} else {
			return false;
		}
	}
	return true;
}

static bool same_caches(struct comparison *c, const char *const paths[SIDES])
{
	CLEANUP(strbuf_release) struct strbuf base = STRBUF_INIT, head = STRBUF_INIT;
	CLEANUP(free_ptr) char *of_base = program_cached_source(paths[BASE]), *of_head = program_cached_source(paths[HEAD]);

	return of_base && of_head && settle_cache(&c->sides->programs[BASE], paths[BASE], of_base, &base) &&
	       settle_cache(&c->sides->programs[HEAD], paths[HEAD], of_head, &head) && base.len == head.len &&
	       !memcmp(base.buf, head.buf, base.len);
}

/* True if only the program loader reads it. */
static bool is_only_loaded(const struct access *access)
{
	return !(access->uses & ACCESS_READ) || (program_is_library(access->path) && access->mapped >= access->opened);
}

static bool same_content(struct comparison *c, const struct place *const places[SIDES], uint64_t size)
{
	const char *const paths[SIDES] = { places[BASE]->of->path, places[HEAD]->of->path };

	c->bytes += size;
	if (c->bytes > BYTES_MOST)
		return differs(c, "it reads too much to compare");
	if (same_bytes(paths[BASE], paths[HEAD]) || same_caches(c, paths) ||
	    (is_only_loaded(places[BASE]->of) && is_only_loaded(places[HEAD]->of) && elf_same_code(paths[BASE], paths[HEAD], c->sides->commits)))
		return true;
	return differs(c, "%s differs", paths[HEAD]);
}

static bool same_links(struct comparison *c, const char *const paths[SIDES])
{
	char *texts[SIDES] = { NULL };
	bool same;

	for (unsigned i = 0; i < SIDES; i++) {
		char text[4096];
		ssize_t len = readlink(paths[i], text, sizeof text - 1);

		text[len < 0 ? 0 : len] = '\0';
		texts[i] = common_text(&c->sides->programs[i], text);
	}
	same = *texts[BASE] && !strcmp(texts[BASE], texts[HEAD]);
	free(texts[BASE]);
	free(texts[HEAD]);
	return same || differs(c, "%s leads elsewhere", paths[HEAD]);
}

static int list_names(struct comparison *c, unsigned at, const char *path, struct strv *out)
{
	const struct program_side *head = &c->sides->programs[HEAD];
	const char *rest = path_below(head->out, head->map->own);
	CLEANUP(free_ptr) char *results = rest ? text_printf("%s%s%s", c->sides->programs[at].map->own, *rest == '/' ? "" : "/", rest) : NULL;
	CLEANUP(strv_release) struct strv names = STRV_INIT;

	if (file_list(path, &names, NULL) < 0)
		return -1;
	for (size_t i = 0; i < names.n; i++) {
		CLEANUP(free_ptr) char *entry = file_join(path, names.items[i]);

		if (!results || !path_below(results, entry))
			strv_push(out, names.items[i]);
	}
	return 0;
}

static bool same_names(struct comparison *c, const char *const paths[SIDES])
{
	CLEANUP(strv_release) struct strv base = STRV_INIT, head = STRV_INIT;

	return (list_names(c, BASE, paths[BASE], &base) == 0 && list_names(c, HEAD, paths[HEAD], &head) == 0 && strv_equal(&base, &head)) ||
	       differs(c, "the names in %s differ", paths[HEAD]);
}

/* -------- one path */

static bool has_place(const struct places *places, const char *start)
{
	size_t at = SEARCH_FIRST(i, places->n, strcmp(places->items[i].key, start) >= 0);

	return at < places->n && text_starts(places->items[at].key, start);
}

/* True for the source of a Python module with a cache, whose times Python itself compares. */
static bool has_cache(struct comparison *c, const char *key)
{
	const char *name = path_name(key);
	CLEANUP(free_ptr) char *cache = text_printf("%.*s__pycache__/%.*s.", (int)(name - key), key, (int)strcspn(name, "."), name);

	return text_ends(key, strlen(key), ".py") && has_place(&c->places[BASE], cache) && has_place(&c->places[HEAD], cache);
}

/* True for files of /proc, /sys and /dev that belong to the machine or the process itself. */
static bool is_of_the_machine(const char *path, unsigned uses)
{
	static const char *const devices[] = {
		"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/sys/*", NULL,
	};
	static const char *const leads[] = { "/cwd", "/root", "/exe", "/map_files" };
	const char *fd = text_starts(path, "/proc/self/fd/") ? path + 14 : text_starts(path, "/dev/fd/") ? path + 8 : NULL;

	/* Its file was opened by name before. */
	if (fd)
		return !strchr(fd, '/');
	if (text_matches_any(path, devices))
		return true;
	if (!text_starts(path, "/proc/") || text_is_digit(path[6]))
		return false;
	for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++)
		if (strstr(path, leads[i]) && (uses & ~(unsigned)ACCESS_LINK))
			return false;
	return true;
}

/* Outside both trees a file is the same one. It must not have changed since pawl began. */
static bool check_outside(struct comparison *c, const char *path, unsigned uses)
{
	bool used = uses & (ACCESS_READ | ACCESS_EXEC | ACCESS_LISTED);
	struct stat st;

	if (is_of_the_machine(path, uses))
		return true;
	if (text_starts(path, "/proc/") || (!strcmp(path, "/proc") && (uses & ACCESS_LISTED)))
		return differs(c, "it looks at other processes or files in %s", path);
	if (stat(path, &st) < 0)
		return !used || differs(c, "%s is gone", path);
	if (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		return !used || differs(c, "it reads %s, which is not a file", path);
	/* In folders of temporary files something changes all the time, so their own time is of no use. */
	if ((S_ISREG(st.st_mode) || (uses & ACCESS_LISTED)) && file_time_order(st.st_ctim, c->sides->began) >= 0)
		return differs(c, "%s changed since pawl began", path);
	return true;
}

/* The loader, or the interpreter of a script. */
static bool check_interpreter(struct comparison *c, const char *const paths[SIDES])
{
	CLEANUP(free_ptr) char *next = NULL;
	char *names[SIDES] = { NULL };
	bool same = true;
	struct elf_file elf;

	for (unsigned i = 0; i < SIDES && same; i++) {
		char start[256] = "";
		CLEANUP(close_fd) int fd = open(paths[i], O_RDONLY | O_CLOEXEC);
		ssize_t len = fd < 0 ? -1 : read(fd, start, sizeof start - 1);

		start[len < 0 ? 0 : len] = '\0';
		if (text_starts(start, "#!")) {
			char *name = start + 2 + strspn(start + 2, " \t");

			name[strcspn(name, " \t\n")] = '\0';
			names[i] = xstrdup(name);
		} else if (elf_read(paths[i], &elf)) {
			names[i] = elf_interpreter(paths[i]) ?: xstrdup("");
		}
		same = names[i] && (!*names[i] || *names[i] == '/');
	}
	/* One file for both; a tree's own interpreter has another path on each side. */
	same = same && !strcmp(names[BASE], names[HEAD]);
	if (same && *names[HEAD])
		same = program_whose(&c->sides->programs[HEAD], names[HEAD]) == TREE_NONE &&
		       program_whose(&c->sides->programs[BASE], names[HEAD]) == TREE_NONE && check_outside(c, names[HEAD], ACCESS_EXEC);
	free(names[BASE]);
	next = names[HEAD];
	return same || differs(c, "what starts %s is not known to be the same", paths[HEAD]);
}

static bool takes_rights(const struct stat *st)
{
	return geteuid() && (st->st_mode & (S_ISUID | S_ISGID));
}

static bool check_own(struct comparison *c, const struct place *const places[SIDES], unsigned uses)
{
	const char *const paths[SIDES] = { places[BASE]->of->path, places[HEAD]->of->path };
	struct stat links[SIDES], st[SIDES];
	bool there = true, ours = uses & ACCESS_WRITTEN;

	for (unsigned i = 0; i < SIDES; i++)
		there = there && lstat(paths[i], &links[i]) == 0 && stat(paths[i], &st[i]) == 0;
	if (!there)
		return !(uses & ~(unsigned)(ACCESS_ABSENT | ACCESS_WRITTEN)) || differs(c, "%s is gone", paths[HEAD]);
	/* Rights of folders are those of the checkout. */
	if (((links[BASE].st_mode ^ links[HEAD].st_mode) & S_IFMT) || ((st[BASE].st_mode ^ st[HEAD].st_mode) & S_IFMT) ||
	    (!S_ISDIR(st[HEAD].st_mode) && st[BASE].st_mode != st[HEAD].st_mode))
		return differs(c, "kind or rights of %s differ", paths[HEAD]);
	if (!S_ISREG(st[HEAD].st_mode) && !S_ISDIR(st[HEAD].st_mode))
		return differs(c, "%s is not a file", paths[HEAD]);
	if (S_ISLNK(links[HEAD].st_mode) && !same_links(c, paths))
		return false;
	if (S_ISDIR(st[HEAD].st_mode))
		return !(uses & ACCESS_LISTED) || same_names(c, paths);
	for (unsigned i = 0; i < SIDES && !ours; i++)
		if (file_time_order(st[i].st_ctim, c->sides->kept) >= 0)
			return differs(c, "%s changed meanwhile", paths[i]);
	if (uses & (ACCESS_READ | ACCESS_EXEC))
		return same_content(c, places, (uint64_t)st[HEAD].st_size);
	if (st[BASE].st_size != st[HEAD].st_size)
		return differs(c, "the size of %s differs", paths[HEAD]);
	if (!ours && !has_cache(c, places[HEAD]->key)) {
		*VEC_ADD(c->times, c->n_times, c->cap_times) = (struct times){ { st[BASE].st_mtim, st[HEAD].st_mtim } };
	}
	return true;
}

static void count(struct comparison *c, const char *path, unsigned uses)
{
	struct stat st;

	if (!(uses & ACCESS_READ) || TEXT_IS(path, "/proc/*", "/sys/*", "/dev/*") || stat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	if (program_is_library(path))
		c->out->libraries++;
	else
		c->out->files++;
}

static bool check_place(struct comparison *c, const struct place *const places[SIDES])
{
	const char *const paths[SIDES] = { places[BASE]->of->path, places[HEAD]->of->path };
	unsigned uses = places[BASE]->of->uses;
	bool own = strchr(places[HEAD]->key, '\1') != NULL, outside = !own;
	struct stat st;

	if (strcmp(places[BASE]->key, places[HEAD]->key) != 0 || uses != places[HEAD]->of->uses)
		return differs(c, "the sides use other files: %s and %s", paths[BASE], paths[HEAD]);
	for (unsigned i = 0; i < SIDES; i++) {
		enum tree_whose whose = program_whose(&c->sides->programs[i], paths[i]);

		if (whose == TREE_OTHER || (!own && whose == TREE_OWN))
			return differs(c, "%s leads into another tree", paths[i]);
		outside = outside || whose == TREE_NONE;
	}
	if (own && !check_own(c, places, uses))
		return false;
	if (outside && !check_outside(c, paths[HEAD], uses))
		return false;
	count(c, paths[HEAD], uses);
	if (!(uses & ACCESS_EXEC))
		return true;
	/* A traced program does not get the rights of its file. */
	if (stat(paths[HEAD], &st) == 0 && takes_rights(&st))
		return differs(c, "%s takes another user's rights", paths[HEAD]);
	return check_interpreter(c, paths);
}

/* -------- all */

static int by_key(const void *a, const void *b)
{
	return strcmp(((const struct place *)a)->key, ((const struct place *)b)->key);
}

static void take_places(const struct program_side *side, const struct accesses *accesses, struct places *out)
{
	out->items = xcalloc(accesses->n + 1, sizeof *out->items);
	for (size_t i = 0; i < accesses->n; i++)
		if (accesses->items[i].uses & ~(unsigned)ACCESS_WRITTEN)
			out->items[out->n++] = (struct place){ common_text(side, accesses->items[i].path), &accesses->items[i] };
	qsort(out->items, out->n, sizeof *out->items, by_key);
}

static bool check_places(struct comparison *c)
{
	const struct places *base = &c->places[BASE], *head = &c->places[HEAD];

	for (size_t i = 0; i < base->n || i < head->n; i++) {
		const struct place *const places[SIDES] = { &base->items[i], &head->items[i] };

		if (i == base->n || i == head->n)
			return differs(c, "only one side uses %s", places[i == base->n]->of->path);
		if (!check_place(c, places))
			return false;
	}
	return true;
}

/* The variable that evens out the sides' stacks has no meaning. */
static bool check_texts(struct comparison *c, const struct strv *base, const struct strv *head)
{
	for (size_t i = 0; i < base->n || i < head->n; i++) {
		CLEANUP(free_ptr) char *was = i < base->n ? common_text(&c->sides->programs[BASE], base->items[i]) : NULL;
		CLEANUP(free_ptr) char *now = i < head->n ? common_text(&c->sides->programs[HEAD], head->items[i]) : NULL;

		if (!text_same(was, now) && !(was && now && text_starts(was, "PAWL_PAD=") && text_starts(now, "PAWL_PAD=")))
			return differs(c, "words or environment differ: %s", i < head->n ? head->items[i] : base->items[i]);
	}
	return true;
}

static int by_times(const void *a, const void *b)
{
	const struct times *x = a, *y = b;

	return file_time_order(x->of[BASE], y->of[BASE]) ?: file_time_order(x->of[HEAD], y->of[HEAD]);
}

/* Which of two files is newer decides what make and others do. */
static bool check_times(struct comparison *c)
{
	if (c->n_times)
		qsort(c->times, c->n_times, sizeof *c->times, by_times);
	for (size_t i = 1; i < c->n_times; i++) {
		int base = file_time_order(c->times[i - 1].of[BASE], c->times[i].of[BASE]);
		int head = file_time_order(c->times[i - 1].of[HEAD], c->times[i].of[HEAD]);

		if (base != head)
			return differs(c, "the files that it looks at have times in another order");
	}
	return true;
}

void same_find(const struct identical_sides *sides, struct identical *out)
{
	const struct plan *base = sides->programs[BASE].plan, *head = sides->programs[HEAD].plan;
	struct comparison c = { .sides = sides, .out = out };
	bool known = true;

	*out = (struct identical){ 0 };
	for (unsigned i = 0; i < SIDES; i++) {
		take_places(&sides->programs[i], &sides->accesses[i], &c.places[i]);
		if (sides->accesses[i].unknown)
			known = differs(&c, "%s", sides->accesses[i].unknown);
	}
	if (known && check_texts(&c, &base->target, &head->target) && check_texts(&c, &base->environment, &head->environment) &&
	    check_places(&c))
		check_times(&c);
	for (unsigned i = 0; i < SIDES; i++) {
		for (size_t k = 0; k < c.places[i].n; k++)
			free(c.places[i].items[k].key);
		free(c.places[i].items);
	}
	free(c.times);
}

/* -------- the work */

enum { WRITTEN_MOST = 256, WRITTEN_LARGEST = 64 << 20 };
enum { NAMED_MOST = 3 };

void same_work_begin(struct same_work *out, const struct program_side programs[SIDES])
{
	*out = (struct same_work){ 0 };
	for (unsigned i = 0; i < SIDES; i++) {
		const char *all[SIDE_PLACES];
		size_t n = 0;

		places_of(&programs[i], all);
		for (size_t k = 0; k < SIDE_PLACES; k++)
			if (all[k] && all[k][0] && all[k][1])
				out->places[i][n++] = all[k];
		for (size_t k = 0; k < 2; k++)
			out->printed[i].runs[k] = (struct lines)LINES_INIT(out->places[i]);
	}
}

/* Returns 0 if it is missing, or too large. */
static uint64_t hash_of(const struct same_work *work, unsigned at, const char *path)
{
	CLEANUP(lines_release) struct lines lines = LINES_INIT(work->places[at]);
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	if (file_read(path, WRITTEN_LARGEST, &text, NULL) < 0)
		return 0;
	lines_feed(&lines, text.buf, text.len);
	lines_end(&lines);
	return fnv_bytes(fnv_bytes(FNV_START, lines.hashes, lines.n * sizeof *lines.hashes), &lines.rest, sizeof lines.rest) | 1;
}

static bool is_written(const struct accesses *accesses, const char *path)
{
	for (size_t i = 0; i < accesses->n; i++)
		if ((accesses->items[i].uses & ACCESS_WRITTEN) && !strcmp(accesses->items[i].path, path))
			return true;
	return false;
}

void same_work_files(struct same_work *work, const struct program_side programs[SIDES], const struct accesses accesses[SIDES])
{
	const char *base = programs[BASE].plan->cwd, *head = programs[HEAD].plan->cwd;

	for (size_t i = 0; i < accesses[HEAD].n && work->n < WRITTEN_MOST; i++) {
		const struct access *access = &accesses[HEAD].items[i];
		const char *rest = access->uses & ACCESS_WRITTEN ? path_below(access->path, head) : NULL;
		CLEANUP(free_ptr) char *of_base = rest && *rest ? text_printf("%s%s%s", base, *rest == '/' ? "" : "/", rest) : NULL;
		struct written file;

		if (!of_base || !is_written(&accesses[BASE], of_base))
			continue;
		file = (struct written){ .hashes = { hash_of(work, BASE, of_base), hash_of(work, HEAD, access->path) } };
		if (!file.hashes[BASE] || !file.hashes[HEAD])
			continue;
		file.paths[BASE] = take_ptr(&of_base);
		file.paths[HEAD] = xstrdup(access->path);
		*VEC_ADD(work->files, work->n, work->cap) = file;
	}
}

/* True if the sides wrote other bytes, the same as in the run before. */
static bool wrote_other(const struct same_work *work, const struct written *file)
{
	if (file->hashes[BASE] == file->hashes[HEAD])
		return false;
	for (unsigned i = 0; i < SIDES; i++)
		if (hash_of(work, i, file->paths[i]) != file->hashes[i])
			return false;
	return true;
}

char *same_work_find(const struct same_work *work, bool *known_out)
{
	struct strbuf out = STRBUF_INIT;
	unsigned named = 0;
	long line;

	*known_out = work->printed[BASE].n == 2 && work->printed[HEAD].n == 2;
	line = *known_out ? lines_compare(work->printed[BASE].runs, work->printed[HEAD].runs) : LINES_SAME;
	if (line == LINES_LATER)
		strbuf_addf(&out, "head prints other output after line %d", LINES_KEPT);
	else if (line)
		strbuf_addf(&out, "head prints other output from line %ld", line);
	for (size_t i = 0; i < work->n; i++) {
		if (!wrote_other(work, &work->files[i]))
			continue;
		if (named++ < NAMED_MOST)
			strbuf_addf(&out, "%s%s", named > 1 ? ", " : out.len ? " and writes other content to " : "head writes other content to ",
				    path_name(work->files[i].paths[HEAD]));
	}
	if (named > NAMED_MOST)
		strbuf_addf(&out, " and %u more", named - NAMED_MOST);
	return out.len ? strbuf_take(&out) : NULL;
}

void same_work_release(struct same_work *work)
{
	for (unsigned i = 0; i < SIDES; i++)
		for (size_t k = 0; k < 2; k++)
			lines_release(&work->printed[i].runs[k]);
	for (size_t i = 0; i < work->n; i++) {
		free(work->files[i].paths[BASE]);
		free(work->files[i].paths[HEAD]);
	}
	free(work->files);
	*work = (struct same_work){ 0 };
}
