/*
 * What the files that build a project say of its programs. Text in, names out: the files are read, never run, so that what
 * they compute is not known, and each name is a guess that people look at. Names are appended, the likeliest first, each
 * once: letters, digits and . _ + - /, relative to the file's folder.
 */
#ifndef PAWL_CMD_BUILDFILES_H
#define PAWL_CMD_BUILDFILES_H

#include <stdbool.h>

#include "base/text.h"

/* PATH is made so: it needs no quoting in a shell or in YAML, and does not lead out of its folder. */
bool buildfiles_plain(const char *path);
void buildfiles_make(const char *text, struct strv *out);	/* a Makefile, also of automake */
/* KNOWN: "NAME=value" of the files above this one, to which its own are added. */
void buildfiles_cmake(const char *text, struct strv *known, struct strv *out);
void buildfiles_meson(const char *text, struct strv *known, struct strv *out);

struct cargo_file {
	char *package;			/* or NULL */
	struct strv programs, members;	/* of [[bin]] and of a workspace */
};

/* Harmless on an empty one. */
void buildfiles_cargo_release(struct cargo_file *file);
void buildfiles_cargo(const char *text, struct cargo_file *out);
/* What an installed Python package can be started as, of pyproject.toml, setup.cfg or setup.py: "name=module:function". */
void buildfiles_python(const char *text, struct strv *out);

#endif
