/*
 * Compares output with a file in the repository. If PAWL_UPDATE_GOLDEN=1 is in the environment, rewrites the
 * file instead. Review the resulting diff.
 */
#ifndef PAWL_TESTS_GOLDEN_H
#define PAWL_TESTS_GOLDEN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/text.h"
#include "read_file.h"

static inline void golden_write(const char *path, const struct strbuf *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text->buf, 1, text->len, file), text->len);
	assert_int_equal(fclose(file), 0);
}

/* Replaces PART of TEXT by "...", to keep it out of every golden file. */
static inline void golden_leave_out(struct strbuf *text, const char *part)
{
	struct strbuf shorter = STRBUF_INIT;
	const char *at = strstr(text->buf, part);

	assert_non_null(at);
	strbuf_add(&shorter, text->buf, (size_t)(at - text->buf));
	strbuf_adds(&shorter, "...\n");
	strbuf_adds(&shorter, at + strlen(part));
	strbuf_release(text);
	*text = shorter;
}

/* Returns how often WORD occurs in TEXT. */
static inline size_t occurrences(const char *text, const char *word)
{
	size_t n = 0;

	for (; (text = strstr(text, word)); text += strlen(word))
		n++;
	return n;
}

static inline void golden_compare(const char *path, const struct strbuf *text)
{
	const char *update = getenv("PAWL_UPDATE_GOLDEN");
	struct strbuf want;

	if (update && *update == '1') {
		golden_write(path, text);
		return;
	}
	want = read_file(path);
	if (strcmp(want.buf, text->buf))
		print_error("%s differs; PAWL_UPDATE_GOLDEN=1 rewrites it\n", path);
	assert_string_equal(text->buf, want.buf);
	strbuf_release(&want);
}

#endif
