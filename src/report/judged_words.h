/* Whose files judged, in words: what stands right under the headline, in every format. */
#ifndef PAWL_REPORT_JUDGED_WORDS_H
#define PAWL_REPORT_JUDGED_WORDS_H

#include "model/result.h"

/*
 * Lines that hold foreign names: escape them. The first one says who judged, with each file that the change edits once; what
 * follows explains single files, and what is not protected. None where a tree is judged by its own files, and nothing differs.
 */
void judged_lines(struct strv *out, const struct judged_by *by);
/* The change edits what judges it, or something is not protected: not to be overlooked. */
bool judged_is_loud(const struct result *result);
/* How many files that is. */
size_t judged_edits(const struct result *result);

#endif
