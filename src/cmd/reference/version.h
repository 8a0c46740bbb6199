#ifndef PAWL_CMD_REFERENCE_VERSION_H
#define PAWL_CMD_REFERENCE_VERSION_H

#include "base/text.h"

/* Appends what `pawl --version` prints: the version, its commit, the libraries that are loaded, the formats it reads. */
void version_text(struct strbuf *out);
/* A part of a page: the table of these formats. */
void version_formats(struct strbuf *out, const char *argument, const void *ctx);

#endif
