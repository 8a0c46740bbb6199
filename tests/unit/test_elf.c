/* Programs read with libdw: what they are, who compiled them, and the functions of their lines. Damaged files too. */
#include "unit.h"

#include <elf.h>
#include <unistd.h>

#include "measure/files/elf.h"
#include "root_fixture.h"

static char self[512];

static int up(void **state)
{
	ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);

	return len > 0 ? make_root(state) : -1;
}

static char *put(const char *name, const void *bytes, size_t len)
{
	char *path = in_root(name);

	assert_int_equal(file_write(path, bytes, len, NULL), 0);
	return path;
}

TEST_WITH(what_a_file_is, up, drop_root)
{
	struct { Elf64_Ehdr head; Elf64_Phdr segment; } p = { 0 };
	CLEANUP(free_ptr) char *text = put("text", "#!/bin/sh\n", 10), *is_static = NULL, *loaded = NULL;
	struct elf_file elf;

	memcpy(p.head.e_ident, ELFMAG, SELFMAG);
	p.head.e_ident[EI_CLASS] = ELFCLASS64;
	p.head.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
	p.head.e_ident[EI_VERSION] = EV_CURRENT;
	p.head.e_version = EV_CURRENT;
	p.head.e_type = ET_EXEC;
	p.head.e_ehsize = sizeof p.head;
	p.head.e_phoff = sizeof p.head;
	p.head.e_phentsize = sizeof p.segment;
	p.head.e_phnum = 1;
	p.segment.p_type = PT_LOAD;
	is_static = put("static", &p, sizeof p);
	p.segment.p_type = PT_INTERP;
	loaded = put("loaded", &p, sizeof p);

	assert_true(elf_read(is_static, &elf) && elf.is_static && !elf.symbols && !elf.lines);
	assert_true(elf_read(loaded, &elf) && !elf.is_static);
	assert_true(elf_read(self, &elf) && !elf.is_static && elf.symbols && elf.lines && elf.code_bytes > 1000);
	/* A script is not an ELF file: its interpreter decides. */
	assert_false(elf_read(text, &elf));
	assert_false(elf_read("/dev/null", &elf));
	assert_false(elf_read("/nowhere", &elf));
}

TEST_WITH(compilers_tell_their_options, up, drop_root)
{
	CLEANUP(strv_release) struct strv found = STRV_INIT;
	bool known = false;

	elf_compilers(self, &found);
	for (size_t i = 0; i < found.n; i++)
		known |= text_starts(found.items[i], "GNU C") ? strstr(found.items[i], " -g") != NULL : strstr(found.items[i], "clang") != NULL;
	assert_true(known);
	elf_compilers("/dev/null", &found);
}

static int execute(const char *command)
{
	FILE *shell = popen(command, "w");

	return shell ? pclose(shell) : -1;
}

/* -------- lines */

static volatile int ticks;

enum { FIRST = __LINE__ };
static inline __attribute__((always_inline)) void tick(int n)
{
	/* A comment has no code. */
	ticks += n;
}

static __attribute__((noinline)) void run(void)
{
	tick(3);
	ticks *= 2;
}

/* The compiler puts what is never run apart. */
static __attribute__((noipa)) void split(int n)
{
	if (__builtin_expect(n > 1000, 0)) {
		ticks++;
		abort();
	}
	ticks -= n;
}
#define COMMENT (FIRST + 3)
#define INLINED (FIRST + 4)
#define PLAIN (FIRST + 10)

struct seen {
	bool comment, inlined, plain, others;
};

static bool is_this(void *ctx, const char *source)
{
	return !strcmp(path_name(source), "test_elf.c");
}

static void take(void *ctx, const struct elf_code *code)
{
	struct seen *seen = ctx;

	seen->others |= !is_this(NULL, code->source);
	seen->comment |= code->line == COMMENT;
	seen->inlined |= code->line == INLINED && !strcmp(code->symbol, "run") && code->inlined && !strcmp(code->inlined, "tick");
	seen->plain |= code->line == PLAIN && !strcmp(code->symbol, "run") && !code->inlined;
}

TEST_WITH(lines_have_their_functions, up, drop_root)
{
	struct seen seen = { 0 };

	run();
	split(1);
	assert_true(elf_lines(self, is_this, take, &seen));
	assert_true(seen.inlined && seen.plain && !seen.comment && !seen.others);
	assert_false(elf_lines("/dev/null", is_this, take, &seen));
	assert_false(elf_lines("/nowhere", is_this, take, &seen));
}

static void count(void *ctx, const char *symbol, const char *source, unsigned line)
{
	*(unsigned *)ctx += (!strcmp(symbol, "run") || !strcmp(symbol, "split")) && is_this(NULL, source);
}

TEST_WITH(debug_information_may_be_elsewhere, up, drop_root)
{
	CLEANUP(strbuf_release) struct strbuf command = STRBUF_INIT;
	CLEANUP(free_ptr) char *stripped = in_root("stripped");
	struct seen seen = { 0 };
	struct elf_file elf;
	unsigned n = 0;

	strbuf_addf(&command, "cd %s && objcopy --only-keep-debug %s all.debug && objcopy --strip-all --add-gnu-debuglink=all.debug %s stripped",
		    root, self, self);
	if (execute(command.buf) != 0)
		skip();
	assert_true(elf_read(stripped, &elf) && elf.elsewhere && !elf.lines);
	assert_true(elf_lines(stripped, is_this, take, &seen) && seen.inlined);
	assert_true(elf_functions(stripped, count, &n) > 0 && n == 2);
	/* The same for one that is of another build. */
	strbuf_reset(&command);
	strbuf_addf(&command, "cd %s && objcopy --only-keep-debug --remove-section=.note.gnu.build-id %s all.debug", root, self);
	assert_int_equal(execute(command.buf), 0);
	assert_false(elf_lines(stripped, is_this, take, &seen));
}

/* Neither a cut nor a damaged file may do harm. */
TEST_WITH(damaged_files_give_less, up, drop_root)
{
	CLEANUP(strbuf_release) struct strbuf bytes = STRBUF_INIT;
	uint32_t random = 12345;

	assert_int_equal(file_read(self, 256 << 20, &bytes, NULL), 0);
	for (int i = 0; i < 24; i++) {
		CLEANUP(strbuf_release) struct strbuf copy = STRBUF_INIT;
		CLEANUP(strv_release) struct strv compilers = STRV_INIT;
		CLEANUP(free_ptr) char *path = NULL;
		struct elf_file elf;
		struct seen seen;
		unsigned n = 0;

		strbuf_add(&copy, bytes.buf, i % 2 ? bytes.len : bytes.len / 13 * (size_t)(i / 2 + 1));
		for (int k = 0; k < 200 * i; k++) {
			random = random * 1664525 + 1013904223;
			copy.buf[(random >> 4) % copy.len] ^= (char)(1 << (random & 7));
		}
		/* The head of the file stays, so that the rest is read. */
		memcpy(copy.buf, bytes.buf, sizeof(Elf64_Ehdr));
		path = put("damaged", copy.buf, copy.len);
		elf_read(path, &elf);
		elf_compilers(path, &compilers);
		elf_functions(path, count, &n);
		elf_lines(path, is_this, take, &seen);
	}
}
