/* A search that was interrupted is gone on with. */
#include <inttypes.h>

#include "base/cleanup.h"
#include "base/fnv.h"
#include "base/mem.h"
#include "cmd/bisect.h"
#include "gate/bisection_json.h"
#include "store/json.h"
#include "measure/files.h"

/* Its end counts too. */
static uint64_t hash(uint64_t from, const char *text)
{
	return fnv_bytes(from, text, strlen(text) + 1);
}

int bisect_state_text(const struct bisect *c, char **out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, words = STRBUF_INIT;
	const struct options *o = &c->inv->options;

	if (project_scenario_text(c->project, c->scenario, &text, err) < 0 ||
	    file_source_read(&c->project->files, "pawl.yaml", SCENARIO_LARGEST, &text, err) < 0)
		return -1;
	strbuf_addf(&text, "runs %" PRIu64 " budget %" PRIu64 " gates %" PRIu64 " floor %s seed %" PRIu64, o->runs, o->budget_ns,
		    o->gates, o->floor ?: "", o->seed);
	strbuf_addf(&words, "fnv1a:%016" PRIx64, hash(FNV_START, text.buf));
	*out = strbuf_take(&words);
	return 0;
}

void bisect_state_place(struct bisect *c)
{
	const struct options *o = &c->inv->options;
	const struct bisection *b = &c->search;
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	CLEANUP(free_ptr) char *folder = o->out ? file_absolute(o->out) : file_join(c->project->root, c->project->config.out);

	if (o->out)
		strbuf_adds(&name, "bisect.json");
	else
		strbuf_addf(&name, "bisect-%016" PRIx64 ".json",
			    hash(hash(hash(hash(FNV_START, b->scenario), b->good), b->bad), b->class));
	c->state = file_join(folder, name.buf);
}

/* Why STORED is not this search; NULL: it is. */
static const char *difference(const struct bisection *stored, const struct bisection *now)
{
	const struct {
		const char *stored, *now, *words;
	} parts[] = {
		{ stored->pawl, now->pawl, "another pawl made it" },
		{ stored->class, now->class, "it was measured on another machine" },
		{ stored->scenario, now->scenario, "it is of another scenario" },
		{ stored->text, now->text, "the scenario, pawl.yaml or the options have changed since" },
		{ stored->good, now->good, "it begins at another commit" },
		{ stored->bad, now->bad, "it ends at another commit" },
	};

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (strcmp(parts[i].stored, parts[i].now))
			return parts[i].words;
	return NULL;
}

static void say_unused(const struct bisect *c, const char *why)
{
	cmd_say(c->inv, "the search stored in %s is not used: %s\n", c->state, why);
}

/* What is known of the search now stays; the rest is what was stored. */
static void take_over(struct bisection *now, struct bisection *stored)
{
	uint64_t seed = now->seed;
	struct bisection begun = *now;

	free(stored->good_ref);
	free(stored->bad_ref);
	stored->good_ref = take_ptr(&begun.good_ref);
	stored->argument = take_ptr(&begun.argument);
	stored->bad_ref = take_ptr(&begun.bad_ref);
	*now = *stored;
	if (seed)
		now->seed = seed;
	bisection_release(&begun);
	*stored = (struct bisection){ 0 };
}

/* 1: STORED is there and of this search. */
static int read_state(const struct bisect *c, struct bisection *stored)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	struct error why = ERROR_INIT;
	const char *words;

	if (!file_exists(c->state) || c->inv->options.force)
		return 0;
	if (file_read(c->state, JSON_LARGEST, &text, &why) < 0 ||
	    bisection_parse(text.buf, text.len, c->state, stored, &why) < 0) {
		say_unused(c, why.msg);
		return 0;
	}
	words = difference(stored, &c->search);
	if (words)
		say_unused(c, words);
	/* What could not be told may be told today. */
	return !words && stored->whole.state == BISECT_BAD;
}

int bisect_state_load(struct bisect *c, struct commits *commits, struct error *err)
{
	CLEANUP(bisection_release) struct bisection stored = { 0 };

	if (read_state(c, &stored)) {
		take_over(&c->search, &stored);
		cmd_say(c->inv, "going on with the search stored in %s: %zu comparison%s done (--force begins again)\n", c->state,
			c->search.n_steps + 1, c->search.n_steps ? "s are" : " is");
	}
	return bisection_place(&c->search, commits, err);
}

int bisect_state_save(const struct bisect *c, struct error *err)
{
	CLEANUP(free_ptr) char *text = bisection_format(&c->search);

	return file_write(c->state, text, strlen(text), err);
}
