#include "cmd/cmd.h"

#include <errno.h>

#include "base/mem.h"
#include "base/text.h"

int cmd_print(const struct strbuf *text, struct error *err)
{
	if (fwrite(text->buf, 1, text->len, stdout) != text->len || fflush(stdout) != 0)
		return error_sys(err, errno, "cannot write to standard output");
	return 0;
}

void cmd_say(const struct invocation *inv, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT, shown = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&words, fmt, args);
	va_end(args);
	escape_lines(&shown, words.buf);
	cmd_say_raw(inv, shown.buf);
}

void cmd_say_raw(const struct invocation *inv, const char *text)
{
	if (!inv->options.quiet)
		fputs(text, stderr);
}
