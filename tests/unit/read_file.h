/* Reads files of the repository. Those whose name ends in .xz are unpacked; without xz the test is skipped. */
#ifndef PAWL_TESTS_READ_FILE_H
#define PAWL_TESTS_READ_FILE_H

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/text.h"

/* The caller includes cmocka first. */
static inline struct strbuf read_file(const char *path)
{
	struct strbuf text = STRBUF_INIT;
	bool packed = text_ends(path, strlen(path), ".xz");
	char command[256], block[65536];
	int status;
	FILE *in;

	snprintf(command, sizeof command, "xz -dc %s", path);
	in = packed ? popen(command, "r") : fopen(path, "r");
	if (!in)
		fail_msg("%s cannot be read; tests run from the root of the repository", path);
	for (size_t n; (n = fread(block, 1, sizeof block, in)) > 0;)
		strbuf_add(&text, block, n);
	status = packed ? pclose(in) : fclose(in);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
		print_message("xz is not installed\n");
		skip();
	}
	assert_int_equal(status, 0);
	return text;
}

#endif
