/* The text of git diff: changed lines, their functions and definitions, odd names and damaged texts. */
#include "unit.h"

#include "measure/git/diff.h"
#include "model/source/changes.h"
#include "model/source/source_text.h"

/* As git does: a line that begins with a letter begins what follows. In Python, a function at any depth. */
static void find_contexts(void *ctx, struct source_text *const texts[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *context = NULL;

		for (unsigned line = 0, at = 0; line < texts[i]->n_lines; line++) {
			const char *text = texts[i]->text + at;

			if ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z'))
				context = arena_strndup(&texts[i]->arena, text, strcspn(text, "\n"));
			texts[i]->context[line] = context ?: texts[i]->context[line];
			at += (unsigned)strcspn(text, "\n") + 1;
		}
	}
}

/* Appends "PATH:LINE,N BASE,N function|holder: before -> now (words)" per change, then "other PATH". */
static void describe(const char *text, struct strbuf *out)
{
	CLEANUP(changes_release) struct changes changes = { 0 };

	diff_read(text, strlen(text), find_contexts, NULL, &changes);
	for (size_t i = 0; i < changes.n; i++) {
		const struct change *c = &changes.items[i];

		strbuf_addf(out, "%s:%u,%u %u,%u %s|%s: %s -> %s (", c->path, c->line, c->n_lines, c->base_line, c->n_base_lines,
			    c->function ?: "", c->holder ?: "", c->before.n ? c->before.items[0] : "", c->now.n ? c->now.items[0] : "");
		for (size_t k = 0; k < c->words.n; k++)
			strbuf_addf(out, "%s%s", k ? " " : "", c->words.items[k]);
		strbuf_adds(out, ")\n");
	}
	for (size_t i = 0; i < changes.others.n; i++)
		strbuf_addf(out, "other %s\n", changes.others.items[i]);
}

#define FILE_HEAD "diff --git a/f.c b/f.c\nindex 1..2 100644\n--- a/f.c\n+++ b/f.c\n"

TEST(changes_lie_in_functions)
{
	static const struct { const char *text, *found; } cases[] = {
		{ "", "" }, { "nothing\nof it\n", "" },
		/* The diff shows the whole file. */
		{ FILE_HEAD "@@ -1,8 +1,8 @@\n int a(void)\n {\n-\tsize *= 2;\n+\tsize += STEP; /* x */\n }\n int b(void)\n {\n-\treturn 1;\n+\treturn 2;\n }\n",
		  "f.c:3,1 3,1 a|: size *= 2; -> size += STEP; (STEP)\nf.c:7,1 7,1 b|: return 1; -> return 2; ()\n" },
		/* One hunk spans two functions, one of them new. */
		{ FILE_HEAD "@@ -1,3 +1,6 @@\n int a(void)\n {\n-\treturn 1; }\n+\treturn 2; }\n+/* text */\n+int b(void)\n+{ return 3; }\n",
		  "f.c:3,1 3,1 a|: return 1; } -> return 2; } ()\nf.c:5,2 3,0 b|:  -> int b(void) ()\n" },
		/* Removed lines */
		{ FILE_HEAD "@@ -1,5 +1,3 @@\n int a(void)\n {\n-\tcheap();\n-\tother();\n }\n",
		  "f.c:2,0 3,2 a|: cheap(); ->  (cheap other)\n" },
		/*
		 * The diff has little context. The function is the one that git shows, unless the lines begin one
		 * themselves.
		 */
		{ FILE_HEAD "@@ -12 +12 @@ static int find_by_sval(const char *s)\n-\tx = 1;\n+\tx = y;\n", "f.c:12,1 12,1 find_by_sval|: x = 1; -> x = y; ()\n" },
		{ FILE_HEAD "@@ -12,0 +13,4 @@ int before(void)\n+int begun(int a)\n+{\n+\treturn a;\n+}\n", "f.c:13,4 12,0 begun|:  -> int begun(int a) (begun)\n" },
		/* Comments, blanks and indentation are not changes. */
		{ FILE_HEAD "@@ -1,5 +1,6 @@\n int a(void)\n {\n-\tx(1,2); // old\n+  x( 1, 2 ); /* new\n+    lines { */\n \ty();\n }\n", "" },
		{ FILE_HEAD "@@ -1,4 +1,4 @@\n /* begins\n-  a text\n+  another text\n */\n int x;\n", "" },
		/* Macros, tables, types, and lines outside all of them */
		{ FILE_HEAD "@@ -1,2 +1,2 @@\n-#define N 64\n+#define N 8\n int x;\n", "f.c:1,1 1,1 |N: #define N 64 -> #define N 8 (N)\n" },
		{ FILE_HEAD "@@ -1,3 +1,3 @@\n #define GROW(x) \\\n-\tx *= 2; \\\n+\tx += LITTLE; \\\n \ty\n", "f.c:2,1 2,1 |GROW: x *= 2; \\ -> x += LITTLE; \\ (GROW)\n" },
		{ FILE_HEAD "@@ -1,3 +1,3 @@\n static const int prices[] = {\n-\t1,\n+\tMANY,\n };\n", "f.c:2,1 2,1 |prices: 1, -> MANY, (prices)\n" },
		{ FILE_HEAD "@@ -1,3 +1,3 @@\n struct node {\n-\tchar pad[8];\n+\tchar pad[SIZE];\n };\n", "f.c:2,1 2,1 |node: char pad[8]; -> char pad[SIZE]; (pad node)\n" },
		{ FILE_HEAD "@@ -1 +1 @@\n-enum { ROOM = 64, WORKERS = 2 };\n+enum { ROOM = 64, WORKERS = 1 };\n",
		  "f.c:1,1 1,1 |: enum { ROOM = 64, WORKERS = 2 }; -> enum { ROOM = 64, WORKERS = 1 }; (WORKERS)\n" },
		{ FILE_HEAD "@@ -1 +1 @@\n-enum { FEW = 3, LOTS = FEW * 2 };\n+enum { FEW = 4, LOTS = FEW * 3 };\n",
		  "f.c:1,1 1,1 |: enum { FEW = 3, LOTS = FEW * 2 }; -> enum { FEW = 4, LOTS = FEW * 3 }; (FEW LOTS)\n" },
		{ FILE_HEAD "@@ -1 +1 @@\n-static unsigned limit = 3, other[4];\n+static unsigned limit = f(a, b), other[5];\n\\ No newline at end of file\n",
		  "f.c:1,1 1,1 |: static unsigned limit = 3, other[4]; -> static unsigned limit = f(a, b), other[5]; (limit other)\n" },
		/* In Python, indentation is significant. */
		{ "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,3 +1,3 @@\n def f(x):\n     g()\n-    return 1\n+        return 1\n",
		  "x.py:3,1 3,1 f|: return 1 -> return 1 ()\n" },
		{ "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -40 +40 @@ def parse(self, x):\n-    a\n+    b\n", "x.py:40,1 40,1 parse|: a -> b ()\n" },
		{ "diff --git a/x.rs b/x.rs\n--- a/x.rs\n+++ b/x.rs\n@@ -40 +40 @@ fn foo<T>(..)\n-    a\n+    b\n", "x.rs:40,1 40,1 foo|: a -> b ()\n" },
		{ "diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -40 +40 @@ func (r *T) Name(a int) {\n-    a\n+    b\n", "x.go:40,1 40,1 Name|: a -> b ()\n" },
		{ "diff --git a/x.java b/x.java\n--- a/x.java\n+++ b/x.java\n@@ -40 +40 @@ class A {\n-    a\n+    b\n", "x.java:40,1 40,1 |A: a -> b (A)\n" },
		{ "diff --git a/x.sh b/x.sh\n--- a/x.sh\n+++ b/x.sh\n@@ -40 +40 @@ name() {\n-    a\n+    b\n", "x.sh:40,1 40,1 name|: a -> b ()\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;

		describe(cases[i].text, &found);
		assert_string_equal(found.buf, cases[i].found);
	}
}

TEST(files_are_named)
{
	static const struct { const char *text, *found; } cases[] = {
		{ "diff --git a/a b.c b/c d.c\nsimilarity index 90%\nrename from a b.c\nrename to c d.c\n--- a/a b.c\t\n+++ b/c d.c\t\n@@ -1 +1 @@\n-int a;\n+int b;\n",
		  "c d.c:1,1 1,1 |: int a; -> int b; ()\n" },
		{ "diff --git \"a/\\303\\274\\\"\\t.c\" \"b/\\303\\274\\\"\\t.c\"\n--- \"a/\\303\\274\\\"\\t.c\"\n+++ \"b/\\303\\274\\\"\\t.c\"\n@@ -1 +1 @@\n-int aa;\n+int bb;\n",
		  "\303\274\"\t.c:1,1 1,1 |: int aa; -> int bb; (bb aa)\n" },
		/* Deleted and new functions */
		{ "diff --git a/f.c b/f.c\ndeleted file mode 100644\n--- a/f.c\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-int a(void)\n-{}\n", "f.c:0,0 1,2 a|: int a(void) ->  ()\n" },
		{ "diff --git a/f.c b/f.c\nnew file mode 100644\n--- /dev/null\n+++ b/f.c\n@@ -0,0 +1,2 @@\n+int a(void)\n+{}\n", "f.c:1,2 0,0 a|:  -> int a(void) ()\n" },
		/* Lines that look like headers */
		{ FILE_HEAD "@@ -1,2 +1,2 @@\n--- a/x.c\n-+++ b/x.c\n+++ x;\n+@@ -1 +1 @@\n", "f.c:1,2 1,2 |: -- a/x.c -> ++ x; ()\n" },
		/* Files without code */
		{ "diff --git a/Makefile b/Makefile\n--- a/Makefile\n+++ b/Makefile\n@@ -1 +1 @@\n-CFLAGS = -O2\n+CFLAGS = -O0\n", "other Makefile\n" },
		{ "diff --git a/data/in.txt b/data/in.txt\n--- a/data/in.txt\n+++ b/data/in.txt\n@@ -1 +1,2 @@\n 1\n+2\n", "other data/in.txt\n" },
		{ "diff --git a/x.bin b/x.bin\nnew file mode 100644\nBinary files /dev/null and b/x.bin differ\n", "other x.bin\n" },
		{ "diff --git a/old.txt b/new name.txt\nsimilarity index 100%\nrename from old.txt\nrename to new name.txt\n", "other new name.txt\n" },
		{ "diff --git a/old.c b/new.c\nsimilarity index 100%\nrename from old.c\nrename to new.c\n", "" },
		{ "diff --git a/f.sh b/f.sh\nold mode 100644\nnew mode 100755\n", "" },
		{ "diff --git a/lib b/lib\nindex 1..2 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n", "other lib\n" },
		{ "diff --git a/tool b/tool\n--- a/tool\n+++ b/tool\n@@ -1,2 +1,2 @@\n #!/bin/sh\n-a\n+b\n", "tool:2,1 2,1 |: a -> b ()\n" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf found = STRBUF_INIT;

		describe(cases[i].text, &found);
		assert_string_equal(found.buf, cases[i].found);
	}
}

TEST(functions_have_their_lines)
{
	static const char text[] = FILE_HEAD "@@ -1,9 +1,10 @@\n int x;\n int a(void)\n {\n-\treturn 1;\n-\t;\n+\treturn 2;\n }\n"
		"+int new(void) {\n+}\n int b(void)\n {\n-\treturn 1; }\n+\treturn 2; }\n";
	CLEANUP(changes_release) struct changes changes = { 0 };

	diff_read(text, strlen(text), find_contexts, NULL, &changes);
	assert_int_equal(changes.n, 3);
	assert_memory_equal(&changes.items[0].base_span, (&(struct line_span){ 2, 6 }), sizeof(struct line_span));
	assert_memory_equal(&changes.items[0].span, (&(struct line_span){ 2, 5 }), sizeof(struct line_span));
	assert_memory_equal(&changes.items[1].base_span, (&(struct line_span){ 0, 0 }), sizeof(struct line_span));
	assert_memory_equal(&changes.items[1].span, (&(struct line_span){ 6, 7 }), sizeof(struct line_span));
	assert_memory_equal(&changes.items[2].base_span, (&(struct line_span){ 7, 9 }), sizeof(struct line_span));
	assert_memory_equal(&changes.items[2].span, (&(struct line_span){ 8, 10 }), sizeof(struct line_span));
}

TEST(damaged_texts_give_less)
{
	static const char text[] =
		"diff --git \"a/\\303\\274.c\" b/f.c\nrename from x\n--- a/f.c\n+++ b/f.c\n@@ -1,3 +1,3 @@ int f(void)\n int a(void)\n {\n-x();\n+y();\n"
		"@@ -99999999999,99999999999 +1,18446744073709551615 @@\n+z\n@@ - + @@\n@@ -1\n-a\n";

	for (size_t len = 0; len < sizeof text; len++) {
		CLEANUP(changes_release) struct changes changes = { 0 };
		CLEANUP(free_ptr) char *part = xcopy(text, len ?: 1);

		diff_read(part, len, NULL, NULL, &changes);
		assert_true(changes.n <= 2);
	}
}

TEST(many_changes_are_cut)
{
	CLEANUP(changes_release) struct changes changes = { 0 };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;

	strbuf_adds(&text, FILE_HEAD);
	for (int i = 0; i < CHANGES_MOST + 10; i++)
		strbuf_addf(&text, "@@ -%d +%d @@\n-a%d\n+b%d\n", 2 * i + 1, 2 * i + 1, i, i);
	diff_read(text.buf, text.len, NULL, NULL, &changes);
	assert_int_equal(changes.n, CHANGES_MOST);
	assert_true(changes.cut);
}

TEST(kinds_of_files_are_told_apart)
{
	static const struct { const char *others, *code; unsigned what; bool build, data; } cases[] = {
		{ NULL, NULL, 0, false, false }, { NULL, "a.c", CHANGED_CODE, false, false },
		{ "Makefile", NULL, CHANGED_BUILD, true, false }, { "sub/CMakeLists.txt", "tests/a.c", CHANGED_BUILD | CHANGED_TESTS, true, false },
		{ "input.json", NULL, CHANGED_DATA, false, true }, { "README.md", NULL, CHANGED_DOCUMENTS, false, false },
		{ "docs/x.txt", "src/test_x.c", CHANGED_DOCUMENTS | CHANGED_TESTS, false, false },
		{ "Makefile", "latest/a.c", CHANGED_BUILD | CHANGED_CODE, false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(changes_release) struct changes changes = { .known = true };
		struct change change = { .path = cases[i].code };

		changes.items = &change;
		changes.n = cases[i].code ? 1 : 0;
		if (cases[i].others)
			arena_push(&changes.arena, &changes.others, cases[i].others);
		assert_int_equal(changes_what(&changes), cases[i].what);
		assert_int_equal(changes_only_build(&changes), cases[i].build);
		assert_int_equal(changes_only_data(&changes), cases[i].data);
	}
}
