/* Differences between two sides other than their code. */
#include "unit.h"

#include "cause/evidence.h"
#include "cause/ledger/own_code.h"
#include "cause/ledger/system_calls.h"
#include "cause/ledger/work.h"
#include "cause/surroundings.h"

static void push_all(struct strv *out, const char *const words[])
{
	for (size_t i = 0; words[i]; i++)
		strv_push(out, words[i]);
}

#define WORDS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Adds files that E loads: the path and the identity of each. */
static void load(struct evidence *e, const char *const words[])
{
	for (size_t i = 0; words[i]; i += 2) {
		ARENA_GROW(&e->arena, e->libraries, e->n_libraries, e->cap_libraries);
		e->libraries[e->n_libraries++] = (struct loaded_file){ words[i], words[i + 1] };
	}
}

static void read_calls(struct evidence *e, const char *text)
{
	struct error err = ERROR_INIT;

	MUST(strace_read(text, strlen(text), &e->system_calls, &err));
}

static void count_work(struct work *work, unsigned before_main)
{
	static const struct own_code own = { .root = "/srv" };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	strbuf_addf(&text, "# callgrind format\npositions: line\nevents: Ir\nob=(1) /srv/prog\nfl=(1) prog.c\nfn=(1) main\n10 2000000\n\n"
		    "ob=(2) /usr/lib/libc.so.6\nfl=(2) libc.c\nfn=(2) __libc_start_main\n1 %u\ncob=(1)\ncfi=(1)\ncfn=(1)\ncalls=1 10\n1 2000000\n\n"
		    "totals: %u\n", before_main, before_main + 2000000);
	MUST(callgrind_read(text.buf, text.len, &own, work, &err));
}

static void end(struct evidence *e)
{
	work_release(&e->work);
	system_calls_release(&e->system_calls);
	arena_release(&e->arena);
}

static void assert_lines(const struct strv *lines, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < lines->n; i++)
		strbuf_addf(&text, "%s\n", lines->items[i]);
	assert_string_equal(text.buf, expected);
}

TEST(libraries_inputs_and_words)
{
	CLEANUP(strv_release) struct strv was_args = STRV_INIT, now_args = STRV_INIT, was_env = STRV_INIT, now_env = STRV_INIT;
	struct evidence base = { .own = { .root = "/srv/base" }, .tmp = "/tmp/b", .arguments = &was_args, .environment = &was_env };
	struct evidence head = { .own = { .root = "/srv/head" }, .tmp = "/tmp/h", .arguments = &now_args, .environment = &now_env };
	struct surroundings found;

	load(&base, WORDS("/srv/base/prog", "build-id:1111", "/lib/libc.so.6", "build-id:aaaa", "/usr/lib/libz.so.1", "build-id:12ab34cd56ef",
					"/usr/lib/libold.so", "build-id:9", "/usr/shims/python3", "fnv1a:5", "/usr/bin/python3", "fnv1a:6"));
	load(&head, WORDS("/srv/head/prog", "build-id:2222", "/lib/libc.so.6", "build-id:aaaa", "/opt/z/libz.so.1", "fnv1a:0011223344556677",
					"/usr/lib/libnew.so", "build-id:9", "/usr/shims/python3", "fnv1a:5", "/usr/bin/python3", "fnv1a:6"));
	push_all(&was_args, WORDS("prog", "-O2", "data.txt"));
	push_all(&now_args, WORDS("prog", "-O0", "data.txt"));
	push_all(&now_env, WORDS("LANG=C"));
	read_calls(&base, "7 1.1 execve(\"/srv/base/prog\", [], 0x7) = 0\n"
			  "7 1.2 openat(AT_FDCWD</srv/base>, \"data.txt\", O_RDONLY) = 3</srv/base/data.txt>\n"
			  "7 1.3 read(3</srv/base/data.txt>, \"\", 4096) = 4000\n"
			  "7 1.3 read(3</srv/base/same>, \"\", 4096) = 4000\n"
			  "7 1.3 read(3</tmp/b/made>, \"\", 4096) = 3000\n7 1.3 read(3</tmp/b/grown>, \"\", 4096) = 10\n"
			  "7 1.3 read(3</etc/passwd>, \"\", 4096) = 10\n"
			  "7 1.4 write(1<pipe:[1]>, \"\", 100) = 100\n");
	read_calls(&head, "7 1.1 execve(\"/srv/head/prog\", [], 0x7) = 0\n7 1.1 execve(\"/usr/bin/gzip\", [], 0x7) = 0\n"
			  "7 1.2 openat(AT_FDCWD</srv/head>, \"data.txt\", O_RDONLY) = 3</srv/head/data.txt>\n"
			  "7 1.2 newfstatat(3</srv/head/data.txt>, \"\", {st_mode=S_IFREG|0644, st_size=80000, ...}, AT_EMPTY_PATH) = 0\n"
			  "7 1.3 read(3</srv/head/same>, \"\", 4096) = 4001\n"
			  "7 1.3 read(3</tmp/h/made>, \"\", 4096) = 3000\n7 1.3 read(3</tmp/h/grown>, \"\", 4096) = 900\n"
			  "7 1.3 read(3</tmp/more>, \"\", 4096) = 5\n"
			  "7 1.3 read(3</etc/passwd>, \"\", 4096) = 99\n"
			  "7 1.4 write(1<pipe:[1]>, \"\", 100) = 30000000\n");
	surroundings_compare(&base, &head, &found);
	assert_lines(&found.lines, "libz.so.1 is another file: build-id 12ab34cd -> 00112233 (/usr/lib/libz.so.1 -> /opt/z/libz.so.1)\n"
				   "the head alone loads /usr/lib/libnew.so\n"
				   "the base alone loads /usr/lib/libold.so\n"
				   "the head alone runs /usr/bin/gzip\n"
				   "data.txt, which it reads, has 3.91 KiB -> 78.1 KiB\n"
				   "grown, which it reads, has 10 B -> 900 B\n"
				   "the head alone reads /tmp/more, 5 B\n"
				   "it writes 100 B -> 28.6 MiB\n"
				   "the head alone has the argument -O0\n"
				   "the base alone has the argument -O2\n"
				   "the head alone has the variable LANG=C\n");
	assert_string_equal(found.library, found.lines.items[0]);
	assert_string_equal(found.given, found.lines.items[8]);
	surroundings_release(&found);

	/* The size of the code, and the work before main */
	base.code_bytes = 14100;
	head.code_bytes = 15200;
	count_work(&base.work, 9000);
	count_work(&head.work, 140000);
	surroundings_compare(&base, &head, &found);
	assert_string_equal(found.lines.items[8], "the program has code of 13.8 KiB -> 14.8 KiB");
	assert_string_equal(found.lines.items[9], "instructions before main: 9,000 -> 140,000, from main on: 2.00 M -> 2.00 M");
	surroundings_release(&found);

	/* Another thread's work is not below main, but did not run before it */
	head.system_calls.threads = head.system_calls.processes + 1;
	surroundings_compare(&base, &head, &found);
	for (size_t i = 0; i < found.lines.n; i++)
		assert_null(strstr(found.lines.items[i], "before main"));
	surroundings_release(&found);

	/* A side against itself, then against a side without evidence */
	surroundings_compare(&head, &head, &found);
	assert_lines(&found.lines, "");
	assert_null(found.library);
	surroundings_release(&found);
	end(&base);
	base = (struct evidence){ .own = { .root = "/srv/base" }, .arguments = &now_args, .environment = &now_env };
	surroundings_compare(&base, &head, &found);
	assert_lines(&found.lines, "");
	end(&head);
	surroundings_release(&found);
}

/*
 * An amount known on one side only is not a change: a file that the other side maps, or writes first, or writes in ways
 * without a known amount.
 */
TEST(amounts_of_one_side)
{
	static const char whole[] = "7 1.3 read(3</srv/in>, \"\", 4096) = 4000\n7 1.4 write(1<pipe:[1]>, \"\", 9) = 5000\n";
	static const struct { const char *base, *lines; } rows[] = {
		{ "7 1.2 openat(AT_FDCWD, \"/srv/in\", O_RDONLY) = 3</srv/in>\n7 1.4 write(1<pipe:[1]>, \"\", 9) = 5000\n", "" },
		{ "7 1.2 write(3</srv/in>, \"\", 9) = 50\n7 1.3 read(3</srv/in>, \"\", 9) = 50\n"
		  "7 1.4 write(1<pipe:[1]>, \"\", 9) = 4950\n", "" },
		{ "7 1.3 read(3</srv/in>, \"\", 9) = 4000\n7 1.4 splice(3</srv/in>, NULL, 1<pipe:[1]>, NULL, 9, 0) = 9\n", "" },
		{ "7 1.3 read(3</srv/in>, \"\", 9) = 4000\n7 1.4 copy_file_range(3</srv/x>, NULL, 1</srv/y>, NULL, 9, 0) = 5000\n",
		  "" },
		{ "7 1.3 read(3</srv/in>, \"\", 9) = 4000\n", "it writes 0 B -> 4.88 KiB\n" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct evidence base = { .own = { .root = "/p" } }, head = base;
		struct surroundings found;

		read_calls(&base, rows[i].base);
		read_calls(&head, whole);
		surroundings_compare(&base, &head, &found);
		assert_lines(&found.lines, rows[i].lines);
		surroundings_release(&found);
		end(&base);
		end(&head);
	}
}

/* Many files, such as an interpreter's modules, do not get a line each. */
TEST(many_on_one_side_alone)
{
	struct evidence base = { .own = { .root = "/srv/base" } }, head = { .own = { .root = "/srv/head" } };
	struct surroundings found;

	load(&base, WORDS("/lib/libc.so.6", "build-id:aaaa"));
	load(&head, WORDS("/lib/libc.so.6", "build-id:aaaa", "/usr/lib/x/a.so", "build-id:1", "/usr/lib/x/b.so", "build-id:2",
					"/usr/lib/x/c.so", "build-id:3"));
	surroundings_compare(&base, &head, &found);
	assert_lines(&found.lines, "the head alone loads /usr/lib/x/a.so\nthe head alone loads /usr/lib/x/b.so\n"
				   "the head alone loads /usr/lib/x/c.so\n");
	surroundings_release(&found);
	load(&head, WORDS("/usr/lib/x/d.so", "build-id:4", "/usr/lib/x/e.so", "build-id:5"));
	surroundings_compare(&head, &base, &found);
	assert_lines(&found.lines, "the base alone loads 5 files: a.so, b.so, c.so, ...\n");
	surroundings_release(&found);
	end(&base);
	end(&head);
}

/* GCC's options. Options of only one side are listed once each. */
TEST(options_of_the_compiler)
{
	static const struct { const char *base[3], *head[3], *line; } rows[] = {
		{ { "GNU C17 12.2.0 -g -O2" }, { "GNU C17 12.2.0 -g -O0" }, "the compiler was given -O0 instead of -O2\n" },
		{ { "GNU C17 12.2.0 -g -O2" }, { "GNU C17 12.2.0 -g -O2" }, "" },
		{ { "GNU C17 12.2.0 -O2 -g", "GNU C++17 12.2.0 -O2" }, { "GNU C++17 12.2.0 -O2", "GNU C17 12.2.0 -g -O2 -fno-inline" },
		  "the compiler was given -fno-inline instead of nothing\n" },
		{ { "GNU C17 12.2.0 -O2", "GNU C++17 12.2.0 -O2 -flto" }, { "GNU C17 12.2.0 -O", "GNU C++17 12.2.0 -O" },
		  "the compiler was given -O instead of -O2 -flto\n" },
		/* A different version with the same options; a side without options */
		{ { "GNU C17 12.2.0 -O2" }, { "GNU C17 13.1.0 -O2" }, "" }, { { NULL }, { "GNU C17 12.2.0 -O2" }, "" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct evidence base = { .own = { .root = "/p" } }, head = base;
		struct surroundings found;

		push_all(&base.compilers, rows[i].base);
		push_all(&head.compilers, rows[i].head);
		surroundings_compare(&base, &head, &found);
		assert_lines(&found.lines, rows[i].line);
		assert_true(!*rows[i].line == !found.build);
		surroundings_release(&found);
		strv_release(&base.compilers);
		strv_release(&head.compilers);
	}
}
