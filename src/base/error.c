#include "base/error.h"

#include <stdarg.h>

static void format(struct error *err, const char *fmt, va_list args)
{
	if (vsnprintf(err->msg, sizeof err->msg, fmt, args) < 0)
		err->msg[0] = '\0';
}

int error_set(struct error *err, enum error_kind kind, const char *fmt, ...)
{
	va_list args;

	if (!err)
		return -1;
	*err = (struct error){ .kind = kind };
	va_start(args, fmt);
	format(err, fmt, args);
	va_end(args);
	return -1;
}

int error_sys(struct error *err, int sys, const char *fmt, ...)
{
	va_list args;
	size_t len;

	if (!err)
		return -1;
	*err = (struct error){ .kind = ERR_SYSTEM, .sys = sys };
	va_start(args, fmt);
	format(err, fmt, args);
	va_end(args);
	len = strlen(err->msg);
	snprintf(err->msg + len, sizeof err->msg - len, ": %s", strerrordesc_np(sys) ?: "unknown error");
	return -1;
}

int error_wrap(struct error *err, const char *fmt, ...)
{
	char inner[sizeof err->msg];
	va_list args;
	size_t len;

	if (!err)
		return -1;
	memcpy(inner, err->msg, sizeof inner);
	va_start(args, fmt);
	format(err, fmt, args);
	va_end(args);
	len = strlen(err->msg);
	snprintf(err->msg + len, sizeof err->msg - len, ": %s", inner);
	return -1;
}

int error_at(struct error *err, const char *path, unsigned line, unsigned column)
{
	if (!err)
		return -1;
	snprintf(err->at.path, sizeof err->at.path, "%s", path);
	err->at.line = line;
	err->at.column = column;
	return -1;
}

int error_status(const struct error *err)
{
	switch (err->kind) {
	case ERR_NONE:
		return 0;
	case ERR_INPUT:
		return 2;
	case ERR_INTERRUPTED:
		return 128 + err->sys;
	default:
		return 3;
	}
}
