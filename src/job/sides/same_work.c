#include "job/sides/same_work.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "measure/files/files.h"
#include "scenario/scenario.h"

enum { WRITTEN_MOST = 256, WRITTEN_LARGEST = 64 << 20 };
enum { NAMED_MOST = 3 };

void same_work_begin(struct same_work *out, const struct program_side programs[SIDES])
{
	*out = (struct same_work){ 0 };
	for (unsigned i = 0; i < SIDES; i++) {
		const struct program_side *side = &programs[i];
		const char *const all[] = { side->out, side->tmp, side->map->own, side->map->own_real };
		size_t n = 0;

		for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
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
static bool differs(const struct same_work *work, const struct written *file)
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
		if (!differs(work, &work->files[i]))
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
