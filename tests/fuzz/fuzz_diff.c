/* The text of git diff, in every language: the changes are bounded in number, have a path, and contain no line breaks. */
#include "measure/git/diff.h"
#include "model/source/changes.h"
#include "model/source/source_text.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	CLEANUP(changes_release) struct changes changes = { 0 };
	CLEANUP(source_text_release) struct source_text source = { 0 };

	diff_read((const char *)data, size, NULL, NULL, &changes);
	require(changes.n <= CHANGES_MOST);
	for (size_t i = 0; i < changes.n; i++) {
		const struct change *c = &changes.items[i];

		require(c->path && c->base_path && c->before.n <= CHANGE_LINES && c->now.n <= CHANGE_LINES);
		require(c->before.n + c->now.n > 0 && c->words.n <= CHANGE_WORDS + 1);
		require(!(c->function && c->holder));
		for (size_t k = 0; k < c->now.n; k++)
			require(!strchr(c->now.items[k], '\n'));
	}
	source_text_init(&source, "x", (const char *)data, size, size ? data[0] % (LANGUAGE_SHELL + 1) : LANGUAGE_C);
	for (unsigned line = 1; line <= source.n_lines; line++)
		source.context[line - 1] = source.code[line - 1];
	for (unsigned line = 1; line <= source.n_lines; line++) {
		struct source_place place = source_text_place(&source, line);

		require(!(place.function && place.holder) && (!place.closed || place.holder) && !strchr(source.code[line - 1], '\n'));
	}
	return 0;
}
