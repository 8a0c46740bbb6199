/*
 * Colours of flame graphs: a frame has a class, "u3", and a style sheet says what it looks like, light and dark. The same
 * name has the same colour in every picture. The names are those of flamegraph.pl; "pawl" is the default, orange for user space and
 * blue for the kernel, which people who see no red or no green tell apart too.
 */
#ifndef PAWL_PROFILE_FLAME_SVG_H
#define PAWL_PROFILE_FLAME_SVG_H

#include "base/text.h"
#include "profile/flame.h"

/* The rules of palette COLORS (NULL: "pawl"; one that does not exist is that too), or those of a difference; appended. */
void flame_palette_style(const char *colors, bool compared, struct strbuf *out);
/* The class of a frame called NAME; appended. */
void flame_palette_class(const char *colors, const char *name, enum flame_kind kind, struct strbuf *out);

#endif
