#include "profile/kind.h"

#include <stdbool.h>
#include <string.h>

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

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* A sample's first line has "1035.840984:     100010 cpu-clock:" in it. */
static bool is_header(const char *line, size_t len)
{
	for (size_t i = 2; i + 2 < len; i++) {
		size_t at = i, digits = i;

		if (line[i] != ':' || line[i + 1] != ' ')
			continue;
		while (digits && is_digit(line[digits - 1]))
			digits--;
		if (digits == i || digits < 2 || line[digits - 1] != '.' || !is_digit(line[digits - 2]))
			continue;
		for (at = i + 1; at < len && line[at] == ' ';)
			at++;
		for (digits = at; at < len && is_digit(line[at]);)
			at++;
		if (at > digits && at < len && line[at] == ' ' && memchr(line + at, ':', len - at))
			return true;
	}
	return false;
}

/* A thread may be called "#sh": a comment is what has a blank behind its sign. */
static bool is_comment(const char *line, size_t len)
{
	return line[0] == '#' && (len == 1 || line[1] == ' ' || line[1] == '=');
}

static enum profile_kind kind_of_text(const char *data, size_t len)
{
	const char *end = data + len;

	while (data < end) {
		const char *stop = memchr(data, '\n', (size_t)(end - data)) ?: end;
		size_t size = (size_t)(stop - data);

		if (is_header(data, size))
			return PROFILE_KIND_SCRIPT;
		while (size && (data[size - 1] == ' ' || data[size - 1] == '\t' || data[size - 1] == '\r'))
			size--;
		if (size && !is_comment(data, size))
			return PROFILE_KIND_FOLDED;
		data = stop + 1;
	}
	return PROFILE_KIND_EMPTY;
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
