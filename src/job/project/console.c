#include "job/project/console.h"

#include <errno.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/text.h"
#include "job/project/request.h"
#include "measure/files/files.h"

int console_print(const struct strbuf *text, struct error *err)
{
	if (fwrite(text->buf, 1, text->len, stdout) != text->len || fflush(stdout) != 0)
		return error_sys(err, errno, "cannot write to standard output");
	return 0;
}

bool console_is_file(const char *path)
{
	return path && strcmp(path, "-");
}

int console_write(const char *path, const struct strbuf *text, struct error *err)
{
	return console_is_file(path) ? file_write(path, text->buf, text->len, err) : console_print(text, err);
}

void console_say(const struct request *request, const char *fmt, ...)
{
	CLEANUP(strbuf_release) struct strbuf words = STRBUF_INIT, shown = STRBUF_INIT;
	va_list args;

	va_start(args, fmt);
	strbuf_vaddf(&words, fmt, args);
	va_end(args);
	escape_lines(&shown, words.buf);
	console_raw(request, shown.buf);
}

void console_raw(const struct request *request, const char *text)
{
	if (!request->quiet)
		fputs(text, stderr);
}
