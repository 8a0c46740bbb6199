#include "profile/script_refuse.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/escape.h"
#include "base/mem.h"
#include "profile/script.h"

enum { QUOTED = 60 };

static const struct {
	const char *magic, *what;
} binaries[] = {
	{ "PERFILE2", "a perf.data file; give it as a file, or its text: perf script -i FILE" },
	{ "\x1f\x8b", "compressed by gzip; unpack it: gzip -dc FILE" },
	{ "\xfd" "7zXZ", "compressed by xz; unpack it: xz -dc FILE" },
	{ "\x28\xb5\x2f\xfd", "compressed by zstd; unpack it: zstd -dc FILE" },
	{ "BZh", "compressed by bzip2; unpack it: bzip2 -dc FILE" },
	{ "\x7f" "ELF", "a program or library" },
};

/* What a file that begins with LINE is, or NULL. */
static const char *binary_kind(uint64_t number, struct span line)
{
	for (size_t i = 0; i < sizeof binaries / sizeof binaries[0] && number == 1; i++) {
		size_t len = strlen(binaries[i].magic);

		if (line.len >= len && !memcmp(line.text, binaries[i].magic, len))
			return binaries[i].what;
	}
	return NULL;
}

int script_refuse_missing(uint64_t number, const char *fields, struct error *err)
{
	return error_set(err, ERR_INPUT, "line %llu: the sample has no %s; make the text with "
			 "perf script -F comm,pid,tid,time,period,event,ip,sym,dso", (unsigned long long)number, fields);
}

int script_refuse_line(uint64_t number, struct span line, struct error *err)
{
	CLEANUP(free_ptr) char *start = xstrndup(line.text, line.len < QUOTED ? line.len : QUOTED);
	CLEANUP(strbuf_release) struct strbuf shown = STRBUF_INIT;
	const char *binary = binary_kind(number, line), *missing = script_missing_fields(line);

	if (binary)
		return error_set(err, ERR_INPUT, "line 1: this is no text of perf script: it is %s", binary);
	if (missing)
		return script_refuse_missing(number, missing, err);
	escape_terminal(&shown, start);
	return error_set(err, ERR_INPUT, "line %llu: expected a sample as perf script writes it "
			 "('COMMAND PID/TID TIME: PERIOD EVENT:', then its frames), found '%s%s'; make the text with "
			 "perf script -F comm,pid,tid,time,period,event,ip,sym,dso",
			 (unsigned long long)number, shown.buf, line.len > QUOTED ? "..." : "");
}

int script_refuse_nul(uint64_t number, struct span start, struct error *err)
{
	const char *binary = binary_kind(number, start);

	return error_set(err, ERR_INPUT, "line %llu: this is no text of perf script: it %s%s", (unsigned long long)number,
			 binary ? "is " : "holds a NUL byte, as binary files do", binary ? binary : "");
}

int script_refuse_long(uint64_t number, struct error *err)
{
	return error_set(err, ERR_INPUT, "line %llu: longer than %d bytes, which no line of perf script is; is the text "
			 "damaged?", (unsigned long long)number, SCRIPT_LINE_LARGEST);
}
