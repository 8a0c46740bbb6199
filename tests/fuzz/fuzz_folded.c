/* Untrusted folded text: read completely, or rejected with the line. Writing and reading it again loses nothing. */
#include "profile/flame.h"
#include "profile/folded.h"
#include "profile/foreign.h"
#include "profile/stacks.h"
#include "fuzz.h"

static double weight_of(const struct stacks *stacks)
{
	return stacks->n_events ? stacks->events[0].weight : 0;
}

static void write_and_read(const struct stacks *stacks)
{
	struct stacks again = STACKS_INIT;
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;

	require(folded_write(stacks, FOLDED_BY_TEXT, &text, &err) == 0);
	/* A name that ends in a number may be read as a second weight. */
	if (folded_read(text.buf, text.len, &again, &err) == 0)
		require(fabs(weight_of(&again) - weight_of(stacks)) <= 1e-9 * weight_of(stacks));
	else
		require(strstr(err.msg, "two weights") != NULL);
	strbuf_release(&text);
	stacks_release(&again);
}

static void draw(const struct stacks *stacks)
{
	struct flame_options options = { .waiting = true };
	struct strbuf out = STRBUF_INIT;

	flame_svg(stacks, stacks, &options, &out);
	require(!memchr(out.buf, '\x01', out.len) && strstr(out.buf, "</svg>"));
	strbuf_reset(&out);
	flame_json(stacks, NULL, &options, &out);
	require(out.len > 2 && out.buf[0] == '{');
	strbuf_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stacks stacks = STACKS_INIT;
	struct error err = ERROR_INIT;

	profile_kind_of((const char *)data, size);
	if (folded_read((const char *)data, size, &stacks, &err) == 0) {
		write_and_read(&stacks);
		draw(&stacks);
	} else {
		require(err.kind == ERR_INPUT && err.msg[0]);
	}
	stacks_release(&stacks);
	return 0;
}
