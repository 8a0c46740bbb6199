#include "profile/kind.h"

#include <stdbool.h>
#include <string.h>

#include "profile/folded.h"
#include "profile/script_line.h"

/* Of text that is nobody's at first: a command's name may hold a line feed. */
enum { LINES_LOOKED_AT = 4 };

static bool begins(const char *data, size_t len, const char *with, size_t n)
{
	return len >= n && !memcmp(data, with, n);
}

const char *profile_kind_packer(const char *data, size_t len)
{
	static const struct {
		const char *magic;
		size_t len;
		const char *program;
	} packers[] = {
		{ "\x1f\x8b", 2, "gzip" },
		{ "\xfd" "7zXZ\0", 6, "xz" },
		{ "\x28\xb5\x2f\xfd", 4, "zstd" },
		{ "BZh", 3, "bzip2" },
	};

	for (size_t i = 0; i < sizeof packers / sizeof packers[0]; i++)
		if (begins(data, len, packers[i].magic, packers[i].len))
			return packers[i].program;
	return NULL;
}

/* "main;work 12" */
static bool ends_in_number(struct span line)
{
	size_t at = line.len;

	while (at && line.text[at - 1] >= '0' && line.text[at - 1] <= '9')
		at--;
	return at && at < line.len && line.text[at - 1] == ' ';
}

static bool is_script(struct span line)
{
	struct script_header header;
	struct span record;

	/* Also what misses a field: reading it as script says which. */
	return script_header(line, &header) || script_record(line, &record) ||
	       (*line.text == '\t' && script_line_below(line) <= LINE_ADDRESS);
}

static enum profile_kind kind_of_text(const char *data, size_t len)
{
	const char *end = data + len;
	enum profile_kind kind = PROFILE_KIND_EMPTY;

	for (int looked = 0; data < end && looked < LINES_LOOKED_AT;) {
		const char *stop = memchr(data, '\n', (size_t)(end - data)) ?: end;
		struct span line = { data, (size_t)(stop - data) };

		data = stop + 1;
		while (line.len && strchr(" \t\r", line.text[line.len - 1]))
			line.len--;
		if (!line.len || folded_comment(line.text, line.len))
			continue;
		if (is_script(line))
			return PROFILE_KIND_SCRIPT;
		kind = PROFILE_KIND_FOLDED;
		if (ends_in_number(line))
			break;
		looked++;
	}
	return kind;
}

static bool is_markup(const char *data, size_t len)
{
	static const char *const starts[] = { "<?xml", "<svg", "<!DOCTYPE", "<!doctype", "<html", "{", "[{" };

	for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
		if (begins(data, len, starts[i], strlen(starts[i])))
			return true;
	return false;
}

enum profile_kind profile_kind_of(const char *data, size_t len)
{
	if (begins(data, len, "PERFILE", 7) || begins(data, len, "2ELIFREP", 8))
		return PROFILE_KIND_PERF_DATA;
	if (profile_kind_packer(data, len))
		return PROFILE_KIND_PACKED;
	if (memchr(data, '\0', len))
		return PROFILE_KIND_BINARY;
	return is_markup(data, len) ? PROFILE_KIND_MARKUP : kind_of_text(data, len);
}
