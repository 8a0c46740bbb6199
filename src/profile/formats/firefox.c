#include "profile/formats/firefox.h"

#include <string.h>

#include "base/mem.h"
#include "profile/folded.h"

/* The part of `meta` that every profile has. Frames have the numbers of its categories. */
static const char meta[] =
	",\"startTime\":0,\"processType\":0,\"stackwalk\":1,\"version\":36,\"preprocessedProfileVersion\":70,\"importedFrom\":\"pawl\","
	"\"symbolicated\":true,\"usesOnlyOneStackType\":true,\"sourceCodeIsNotOnSearchfox\":true,\"markerSchema\":[],\n"
	"\"categories\":[{\"name\":\"Other\",\"color\":\"grey\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"User\",\"color\":\"yellow\",\"subcategories\":[\"Other\"]},"
	"{\"name\":\"Kernel\",\"color\":\"orange\",\"subcategories\":[\"Other\"]}],\n";
enum { CATEGORY_OTHER, CATEGORY_USER, CATEGORY_KERNEL };

/* Tables for scripts and addresses, of which stacks have none. */
static const char no_addresses[] =
	"\"nativeSymbols\":{\"libIndex\":[],\"address\":[],\"name\":[],\"functionSize\":[],\"length\":0},\n"
	"\"sources\":{\"id\":[],\"filename\":[],\"startLine\":[],\"startColumn\":[],\"sourceMapURL\":[],\"content\":[],\"length\":0},\n"
	"\"sourceLocationTable\":{\"source\":[],\"line\":[],\"column\":[],\"length\":0},\n";
static const char no_markers[] =
	"\"markers\":{\"data\":[],\"name\":[],\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[],\"length\":0}}";

/* A thread, with the columns of its samples as text. */
struct thread {
	const struct stack *first;
	struct strbuf nodes, weights, times;
	size_t n;
	double at;			/* where its next sample begins */
};

struct writer {
	const struct stacks *stacks;
	struct arena arena;
	const char *title;
	struct strbuf *out;
	enum stacks_unit unit;
	struct stacks strings;		/* only its strings are used: those of the profile */
	int32_t *names, *libs, *categories;	/* of each frame: a string, a library or -1, a category */
	uint32_t *lib_by_path;		/* for each string of STACKS, the library with that path, from 1; 0: none yet */
	const struct frame **lib_frames;	/* a frame of each library */
	size_t n_libs;
	struct pair_index tree;		/* nodes of the stacks' tree: parent from 1 (0: none), frame */
	uint32_t *thread_by_comm;	/* for each string of STACKS, the thread from 1; 0: none yet */
	struct thread *threads;
	size_t n_threads, cap_threads;
};

static void writer_release(struct writer *w)
{
	for (size_t i = 0; i < w->n_threads; i++) {
		strbuf_release(&w->threads[i].nodes);
		strbuf_release(&w->threads[i].weights);
		strbuf_release(&w->threads[i].times);
	}
	pair_index_release(&w->tree);
	arena_release(&w->arena);
	stacks_release(&w->strings);
}

static void collect_frame(struct writer *w, uint32_t i)
{
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;
	const struct frame *f = &w->stacks->frames[i];
	uint32_t *lib = &w->lib_by_path[f->dso];
	bool known = f->file || strcmp(stacks_text(w->stacks, f->name), "[unknown]") != 0;

	folded_frame_name(w->stacks, i, &name);
	w->names[i] = (int32_t)stacks_string(&w->strings, name.buf, name.len);
	if (!*lib && f->file) {
		w->lib_frames[w->n_libs++] = f;
		*lib = (uint32_t)w->n_libs;
	}
	w->libs[i] = (int32_t)*lib - 1;
	w->categories[i] = f->kernel ? CATEGORY_KERNEL : known ? CATEGORY_USER : CATEGORY_OTHER;
}

static struct thread *thread_of(struct writer *w, const struct stack *stack)
{
	uint32_t *number = &w->thread_by_comm[stack->comm];

	if (!*number) {
		ARENA_GROW(&w->arena, w->threads, w->n_threads, w->cap_threads);
		w->threads[w->n_threads++] = (struct thread){ .first = stack, .nodes = STRBUF_INIT, .weights = STRBUF_INIT, .times = STRBUF_INIT };
		*number = (uint32_t)w->n_threads;
	}
	return &w->threads[*number - 1];
}

static void collect_stack(struct writer *w, const struct stack *stack)
{
	struct thread *thread = thread_of(w, stack);
	double weight = w->unit == STACKS_NS ? stack->weight / 1e6 : stack->weight;
	const char *comma = thread->n++ ? "," : "";
	uint32_t node = 0;

	for (uint32_t i = 0; i < stack->n; i++)
		node = pair_index_of(&w->tree, node, w->stacks->pool[stack->first + i]) + 1;
	strbuf_addf(&thread->nodes, node ? "%s%u" : "%snull", comma, node - 1);
	/* All digits of whole numbers up to 2^53. */
	strbuf_addf(&thread->weights, "%s%.16g", comma, weight);
	strbuf_addf(&thread->times, "%s%.16g", comma, thread->at);
	thread->at += w->unit == STACKS_COUNT ? (double)stack->samples : weight;
}

static void add_column(const struct writer *w, const char *name, size_t n, const int32_t *items)
{
	strbuf_addf(w->out, "\"%s\":[", name);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(w->out, i ? ",%d" : "%d", items[i]);
	strbuf_adds(w->out, "],\n");
}

/* Columns that hold only VALUE. NAMES are separated by blanks. */
static void add_constants(const struct writer *w, const char *names, size_t n, const char *value)
{
	for (size_t len; *names; names += len + (names[len] == ' ')) {
		len = strcspn(names, " ");
		strbuf_addf(w->out, "\"%.*s\":[", (int)len, names);
		for (size_t i = 0; i < n; i++)
			strbuf_addf(w->out, i ? ",%s" : "%s", value);
		strbuf_adds(w->out, "],\n");
	}
}

static void add_libs(struct writer *w)
{
	for (size_t i = 0; i < w->n_libs; i++) {
		CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT, path = STRBUF_INIT;

		escape_json(&name, stacks_text(w->stacks, w->lib_frames[i]->file));
		escape_json(&path, stacks_text(w->stacks, w->lib_frames[i]->dso));
		strbuf_addf(w->out, "%s{\"arch\":\"\",\"name\":%s,\"path\":%s,\"debugName\":%s,\"debugPath\":%s,\"breakpadId\":\"\",\"codeId\":null}",
			    i ? ",\n" : "", name.buf, path.buf, name.buf, path.buf);
	}
}

static void add_tree(struct writer *w)
{
	int32_t *frames = arena_alloc(&w->arena, (w->tree.n + 1) * sizeof *frames), *back = arena_alloc(&w->arena, (w->tree.n + 1) * sizeof *back);

	for (size_t i = 0; i < w->tree.n; i++) {
		frames[i] = (int32_t)w->tree.items[i].b;
		/* How far back the parent is; 0: there is none. */
		back[i] = w->tree.items[i].a ? (int32_t)(i + 1 - w->tree.items[i].a) : 0;
	}
	add_column(w, "frame", w->tree.n, frames);
	add_column(w, "prefixOffset", w->tree.n, back);
	strbuf_addf(w->out, "\"length\":%zu},\n", w->tree.n);
}

/* Each frame is a function, each library a resource of type 1. */
static void add_frames(struct writer *w)
{
	size_t n = w->stacks->n_frames;
	int32_t *numbers = arena_alloc(&w->arena, (n + w->n_libs + 1) * sizeof *numbers);

	for (size_t i = 0; i < n; i++)
		numbers[i] = (int32_t)i;
	strbuf_adds(w->out, "\"frameTable\":{");
	add_column(w, "func", n, numbers);
	add_column(w, "lib", n, w->libs);
	add_column(w, "category", n, w->categories);
	add_constants(w, "address", n, "-1");
	add_constants(w, "inlineDepth subcategory innerWindowID", n, "0");
	add_constants(w, "nativeSymbol line column originalLocation", n, "null");
	strbuf_addf(w->out, "\"length\":%zu},\n\"funcTable\":{", n);
	add_column(w, "name", n, w->names);
	add_column(w, "resource", n, w->libs);
	add_constants(w, "isJS relevantForJS", n, "false");
	add_constants(w, "source lineNumber columnNumber originalLocation", n, "null");
	strbuf_addf(w->out, "\"length\":%zu},\n\"resourceTable\":{", n);
	for (size_t i = 0; i < w->n_libs; i++) {
		const char *file = stacks_text(w->stacks, w->lib_frames[i]->file);

		numbers[i] = (int32_t)stacks_string(&w->strings, file, strlen(file));
	}
	add_column(w, "name", w->n_libs, numbers);
	add_constants(w, "host", w->n_libs, "null");
	add_constants(w, "type", w->n_libs, "1");
	strbuf_addf(w->out, "\"length\":%zu},\n", w->n_libs);
}

static void add_thread(const struct writer *w, const struct thread *thread, size_t number)
{
	static const char *const weights[] = { [STACKS_COUNT] = "samples", [STACKS_NS] = "tracing-ms", [STACKS_BYTES] = "bytes" };
	CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

	if (!folded_thread_name(w->stacks, thread->first, &name))
		strbuf_adds(&name, w->title);
	strbuf_adds(w->out, number ? ",\n{\"name\":" : "{\"name\":");
	escape_json(w->out, name.buf);
	strbuf_adds(w->out, ",\"processName\":");
	escape_json(w->out, w->title);
	strbuf_addf(w->out, ",\"processType\":\"default\",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":0,"
		    "\"unregisterTime\":null,\"pausedRanges\":[],\"isMainThread\":%s,\"pid\":\"0\",\"tid\":%zu,\n\"samples\":{",
		    number ? "false" : "true", number + 1);
	strbuf_addf(w->out, "\"stack\":[%s],\n\"time\":[%s],\n\"weight\":[%s],\n\"weightType\":\"%s\",\"length\":%zu},\n%s",
		    thread->nodes.buf, thread->times.buf, thread->weights.buf, weights[w->unit], thread->n, no_markers);
}

/* The interval between samples is that of clocks, if known. */
static void add_profile(struct writer *w)
{
	const struct event_total *event = w->stacks->events;
	bool timed = w->unit == STACKS_NS && event->samples;

	strbuf_adds(w->out, "{\"meta\":{\"product\":");
	escape_json(w->out, w->title);
	strbuf_addf(w->out, ",\"interval\":%.16g%s", timed ? event->weight / (double)event->samples / 1e6 : 1, meta);
	strbuf_addf(w->out, "\"sampleUnits\":{\"time\":\"%s\",\"eventDelay\":\"ms\",\"threadCPUDelta\":\"ns\"}},\n\"libs\":[",
		    w->unit == STACKS_BYTES ? "bytes" : "ms");
	add_libs(w);
	strbuf_adds(w->out, "],\n\"shared\":{\"stackTable\":{");
	add_tree(w);
	add_frames(w);
	strbuf_addf(w->out, "%s\"stringArray\":[", no_addresses);
	for (uint32_t i = 0; i < w->strings.n_strings; i++) {
		strbuf_adds(w->out, i ? "," : "");
		escape_json(w->out, stacks_text(&w->strings, i));
	}
	strbuf_adds(w->out, "]},\n\"threads\":[");
	for (size_t i = 0; i < w->n_threads; i++)
		add_thread(w, &w->threads[i], i);
	strbuf_adds(w->out, "]}\n");
}

void firefox_write(const struct stacks *stacks, const char *title, struct strbuf *out)
{
	size_t frames = stacks->n_frames + 1, strings = stacks->n_strings + 1;
	CLEANUP(writer_release) struct writer w = {
		.stacks = stacks, .title = title, .out = out, .unit = stacks_unit(stacks, 0), .arena = ARENA_INIT, .strings = STACKS_INIT,
	};

	w.names = arena_alloc(&w.arena, frames * sizeof *w.names);
	w.libs = arena_alloc(&w.arena, frames * sizeof *w.libs);
	w.categories = arena_alloc(&w.arena, frames * sizeof *w.categories);
	w.lib_frames = arena_alloc(&w.arena, frames * sizeof *w.lib_frames);
	w.lib_by_path = arena_alloc(&w.arena, strings * sizeof *w.lib_by_path);
	w.thread_by_comm = arena_alloc(&w.arena, strings * sizeof *w.thread_by_comm);
	for (uint32_t i = 0; i < stacks->n_frames; i++)
		collect_frame(&w, i);
	for (size_t i = 0; i < stacks->n; i++)
		collect_stack(&w, &stacks->items[i]);
	add_profile(&w);
}
