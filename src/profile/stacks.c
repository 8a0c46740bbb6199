#include "profile/stacks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/profile.h"

enum { FIRST_SLOTS = 1024 };

/* -------- hash tables of numbers */

static uint64_t word_at(const char *text)
{
	uint64_t word;

	memcpy(&word, text, sizeof word);
	return word;
}

/* Mixes both halves of the product, because the upper bits of each factor count too. */
static uint64_t mix(uint64_t a, uint64_t b)
{
	unsigned __int128 product = (unsigned __int128)(a ^ 0x9e3779b97f4a7c15ull) * (b ^ 0xff51afd7ed558ccdull);

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

uint32_t stacks_hash(const void *data, size_t len, uint64_t seed)
{
	const char *at = data;
	uint64_t h = len ^ seed, word = 0;
	size_t left = len;

	for (; left > 16; at += 16, left -= 16)
		h = mix(word_at(at) ^ h, word_at(at + 8));
	/* The last words may overlap earlier ones. */
	if (len >= 8)
		return (uint32_t)mix(word_at(left > 8 ? at : (const char *)data + len - 8) ^ h, word_at((const char *)data + len - 8));
	if (len)
		memcpy(&word, data, len);
	return (uint32_t)mix(word, h);
}

static void grow(struct intern *in)
{
	struct intern wide = { .size = in->size ? in->size * 2 : FIRST_SLOTS, .n = in->n };

	wide.slots = xcalloc(wide.size, sizeof *wide.slots);
	wide.hashes = xcalloc(wide.size, sizeof *wide.hashes);
	for (size_t i = 0; i < in->size; i++) {
		size_t at = in->hashes[i] & (wide.size - 1);

		if (!in->slots[i])
			continue;
		while (wide.slots[at])
			at = (at + 1) & (wide.size - 1);
		wide.slots[at] = in->slots[i];
		wide.hashes[at] = in->hashes[i];
	}
	free(in->slots);
	free(in->hashes);
	*in = wide;
}

typedef bool same_fn(const void *owner, uint32_t number, const void *key);

/* Returns the slot of KEY's number, or the free slot for it. */
static uint32_t *slot_of(const void *owner, struct intern *in, uint32_t hash, same_fn *same, const void *key)
{
	size_t at;

	if (in->n * 2 >= in->size)
		grow(in);
	at = hash & (in->size - 1);
	while (in->slots[at] && !(in->hashes[at] == hash && same(owner, in->slots[at] - 1, key)))
		at = (at + 1) & (in->size - 1);
	in->hashes[at] = hash;
	return &in->slots[at];
}

static void take_slot(struct intern *in, uint32_t *slot, size_t number)
{
	/* 32 bits hold four billion items; real input stays far below. */
	if (number >= UINT32_MAX - 1)
		abort();
	*slot = (uint32_t)number + 1;
	in->n++;
}

static void intern_release(struct intern *in)
{
	free(in->slots);
	free(in->hashes);
}

static size_t intern_bytes(const struct intern *in)
{
	return in->size * (sizeof *in->slots + sizeof *in->hashes);
}

static bool same_pair(const void *owner, uint32_t number, const void *key)
{
	return !memcmp(&((const struct pair_index *)owner)->items[number], key, sizeof(struct pair));
}

uint32_t pair_index_of(struct pair_index *index, uint32_t a, uint32_t b)
{
	const struct pair key = { a, b };
	uint32_t *slot = slot_of(index, &index->by_pair, stacks_hash(&key, sizeof key, 2), same_pair, &key);

	if (!*slot) {
		take_slot(&index->by_pair, slot, index->n);
		*VEC_ADD(index->items, index->n, index->cap) = key;
	}
	return *slot - 1;
}

void pair_index_release(struct pair_index *index)
{
	free(index->items);
	intern_release(&index->by_pair);
	*index = (struct pair_index){ 0 };
}

/* -------- strings */

struct text_key {
	const char *text;
	size_t len;
};

const char *stacks_text(const struct stacks *stacks, uint32_t string)
{
	return stacks->n_strings ? stacks->text + stacks->strings[string] : "";
}

static bool same_string(const void *stacks, uint32_t number, const void *key)
{
	const struct text_key *k = key;
	const char *text = stacks_text(stacks, number);

	return !strncmp(text, k->text, k->len) && !text[k->len];
}

static void append_text(struct stacks *stacks, const char *text, size_t len)
{
	while (stacks->text_len + len + 1 > stacks->text_cap) {
		stacks->text_cap = stacks->text_cap ? stacks->text_cap * 2 : 4096;
		stacks->text = xrealloc_array(stacks->text, stacks->text_cap, 1);
	}
	if (stacks->text_len > UINT32_MAX - len - 1)
		abort();
	*VEC_ADD(stacks->strings, stacks->n_strings, stacks->cap_strings) = (uint32_t)stacks->text_len;
	memcpy(stacks->text + stacks->text_len, text, len);
	stacks->text[stacks->text_len + len] = '\0';
	stacks->text_len += len + 1;
}

uint32_t stacks_string(struct stacks *stacks, const char *text, size_t len)
{
	const struct text_key key = { text, len };
	uint32_t *slot;

	if (!stacks->n_strings && len)
		stacks_string(stacks, "", 0);
	slot = slot_of(stacks, &stacks->by_string, stacks_hash(text, len, 1), same_string, &key);
	if (!*slot) {
		take_slot(&stacks->by_string, slot, stacks->n_strings);
		append_text(stacks, text, len);
	}
	return *slot - 1;
}

/* -------- frames and stacks */

uint32_t stacks_frame(struct stacks *stacks, uint32_t name, uint32_t dso)
{
	uint32_t number = pair_index_of(&stacks->by_frame, name, dso);

	if (number == stacks->n_frames)
		*VEC_ADD(stacks->frames, stacks->n_frames, stacks->cap_frames) = (struct frame){ .name = name, .dso = dso };
	return number;
}

uint32_t stacks_frame_of(struct stacks *stacks, const char *name, size_t len, const char *dso)
{
	return stacks_frame(stacks, stacks_string(stacks, name, len), stacks_string(stacks, dso, strlen(dso)));
}

uint32_t stacks_event(struct stacks *stacks, const char *name, size_t len)
{
	uint32_t string = stacks_string(stacks, name, len);

	for (size_t i = 0; i < stacks->n_events; i++)
		if (stacks->events[i].name == string)
			return (uint32_t)i;
	if (stacks->n_events == UINT16_MAX)
		abort();
	VEC_GROW(stacks->events, stacks->n_events, stacks->cap_events);
	stacks->events[stacks->n_events] = (struct event_total){ .name = string };
	return (uint32_t)stacks->n_events++;
}

struct stack_key {
	uint32_t event, run, comm;
	const uint32_t *frames;
	size_t n;
};

static bool same_stack(const void *owner, uint32_t number, const void *key)
{
	const struct stacks *stacks = owner;
	const struct stack_key *k = key;
	const struct stack *s = &stacks->items[number];

	return s->event == k->event && s->run == k->run && s->comm == k->comm && s->n == k->n &&
	       (!k->n || !memcmp(stacks->pool + s->first, k->frames, k->n * sizeof *k->frames));
}

static struct stack *new_stack(struct stacks *stacks, const struct stack_key *key)
{
	while (stacks->n_pool + key->n > stacks->cap_pool) {
		stacks->cap_pool = stacks->cap_pool ? stacks->cap_pool * 2 : 4096;
		stacks->pool = xrealloc_array(stacks->pool, stacks->cap_pool, sizeof *stacks->pool);
	}
	if (stacks->n_pool > UINT32_MAX - key->n)
		abort();
	VEC_GROW(stacks->items, stacks->n, stacks->cap);
	stacks->items[stacks->n] = (struct stack){
		.event = (uint16_t)key->event, .run = (uint16_t)key->run, .comm = key->comm, .first = (uint32_t)stacks->n_pool, .n = (uint32_t)key->n,
	};
	if (key->n)
		memcpy(stacks->pool + stacks->n_pool, key->frames, key->n * sizeof *key->frames);
	stacks->n_pool += key->n;
	return &stacks->items[stacks->n++];
}

void stacks_add(struct stacks *stacks, struct stack_sample sample)
{
	const struct stack_key key = { sample.event, stacks->run, sample.comm, sample.frames, sample.n };
	uint32_t hash = stacks_hash(sample.frames, sample.n * sizeof *sample.frames,
				    (uint64_t)(sample.event << 16 | stacks->run) << 32 | sample.comm);
	uint32_t *slot = slot_of(stacks, &stacks->by_stack, hash, same_stack, &key);
	struct stack *stack;

	if (*slot) {
		stack = &stacks->items[*slot - 1];
	} else {
		take_slot(&stacks->by_stack, slot, stacks->n);
		stack = new_stack(stacks, &key);
	}
	stack->samples += sample.samples;
	stack->weight += sample.weight;
	stacks->events[sample.event].samples += sample.samples;
	stacks->events[sample.event].weight += sample.weight;
}

/* -------- sums */

static uint32_t translate(struct stacks *to, const struct stacks *from, uint32_t string)
{
	const char *text = stacks_text(from, string);

	return stacks_string(to, text, strlen(text));
}

void stacks_merge(struct stacks *to, const struct stacks *from, uint32_t event, const char *without)
{
	CLEANUP(free_ptr) uint32_t *numbers = xcalloc(from->n_frames + 1, sizeof *numbers), *frames = NULL;
	size_t room = 0;

	for (size_t i = 0; i < from->n_frames; i++) {
		const struct frame *f = &from->frames[i];
		uint32_t name = translate(to, from, f->name), dso = translate(to, from, f->dso);

		numbers[i] = stacks_frame(to, name, dso);
		if (f->shown)
			to->frames[numbers[i]] = (struct frame){
				.name = name, .dso = dso, .shown = translate(to, from, f->shown), .key = translate(to, from, f->key),
				.file = translate(to, from, f->file), .kernel = f->kernel, .halves = f->halves,
			};
	}

	for (size_t i = 0; i < from->n; i++) {
		const struct stack *s = &from->items[i];
		const char *name = stacks_text(from, from->events[s->event].name);

		if ((event != STACKS_EVERY_EVENT && s->event != event) || (without && !strcmp(stacks_text(from, s->comm), without)))
			continue;
		if (s->n > room)
			frames = xrealloc_array(frames, room = s->n, sizeof *frames);
		for (size_t k = 0; k < s->n; k++)
			frames[k] = numbers[from->pool[s->first + k]];
		stacks_add(to, (struct stack_sample){ stacks_event(to, name, strlen(name)), translate(to, from, s->comm), frames, s->n, s->samples,
			   s->weight });
	}
	to->lost += from->lost;
	if (!to->messages)
		to->message = translate(to, from, from->message);
	to->messages += from->messages;
	to->cut |= from->cut;
}

static bool event_is(const struct stacks *stacks, size_t event, const char *name)
{
	const char *own = stacks_text(stacks, stacks->events[event].name);
	size_t len = strlen(name);

	return !strncmp(own, name, len) && (!own[len] || (own[len] == ':' && !strchr(name, ':')));
}

int stacks_find_event(const struct stacks *stacks, const char *name, uint32_t *event_out, struct error *err)
{
	CLEANUP(strbuf_release) struct strbuf names = STRBUF_INIT;
	uint32_t most = 0;

	for (uint32_t i = 0; i < stacks->n_events; i++) {
		if (name && event_is(stacks, i, name)) {
			*event_out = i;
			return 0;
		}
		strbuf_addf(&names, "%s%s", i ? ", " : "", stacks_text(stacks, stacks->events[i].name));
		if (stacks->events[i].samples > stacks->events[most].samples)
			most = i;
	}
	if (name)
		return error_set(err, ERR_INPUT, "there is no event '%.60s' in it, only %.1000s", name, names.buf);
	*event_out = most;
	return 0;
}

enum stacks_unit stacks_unit(const struct stacks *stacks, uint32_t event)
{
	const char *name = stacks_text(stacks, stacks->events[event].name);

	if (profile_event_is_clock(name) || !strcmp(name, STACKS_WAITING))
		return STACKS_NS;
	return strcmp(name, STACKS_MEMORY) ? STACKS_COUNT : STACKS_BYTES;
}

bool stacks_complete(const struct stacks *stacks, uint32_t event)
{
	uint64_t samples = 0;
	double weight = 0;

	for (size_t i = 0; i < stacks->n; i++)
		if (stacks->items[i].event == event) {
			samples += stacks->items[i].samples;
			weight += stacks->items[i].weight;
		}
	/* Whole numbers add up exactly, decimals of folded text only nearly. */
	return samples == stacks->events[event].samples &&
	       fabs(weight - stacks->events[event].weight) <= 1e-9 * stacks->events[event].weight;
}

int stacks_exact(const struct stacks *stacks, struct error *err)
{
	for (size_t i = 0; i < stacks->n_events; i++)
		if (stacks->events[i].weight >= 9007199254740992.0)
			return error_set(err, ERR_INPUT, "the weights of event %.60s add up to %.3g; up to 2^53 (9.007e15) they are "
					 "exact: divide all of them, or record less",
					 stacks_text(stacks, stacks->events[i].name), stacks->events[i].weight);
	return 0;
}

const char *stacks_frame_shown(const struct stacks *stacks, uint32_t frame)
{
	const struct frame *f = &stacks->frames[frame];

	return stacks_text(stacks, f->shown ? f->shown : f->name);
}

size_t stacks_bytes(const struct stacks *stacks)
{
	return stacks->text_cap + stacks->cap_strings * sizeof *stacks->strings + stacks->cap_frames * sizeof *stacks->frames +
	       stacks->cap_pool * sizeof *stacks->pool + stacks->cap * sizeof *stacks->items +
	       stacks->cap_events * sizeof *stacks->events + intern_bytes(&stacks->by_string) +
	       stacks->by_frame.cap * sizeof *stacks->by_frame.items + intern_bytes(&stacks->by_frame.by_pair) +
	       intern_bytes(&stacks->by_stack);
}

void stacks_release(struct stacks *stacks)
{
	free(stacks->text);
	free(stacks->strings);
	free(stacks->frames);
	free(stacks->pool);
	free(stacks->items);
	free(stacks->events);
	intern_release(&stacks->by_string);
	pair_index_release(&stacks->by_frame);
	intern_release(&stacks->by_stack);
	*stacks = (struct stacks)STACKS_INIT;
}

/* The prefixes of messages that perf and its helpers write to standard error, often into the same file. */
bool stacks_message(const char *line, size_t len)
{
	static const char *const messages[] = {
		" instruction trace error type ", "Failed to open ", "no symbols found in ", "Warning:", "[ perf record: ",
		"Cannot read ", "Couldn't ", "addr2line: ", "BFD: ", "Processed ", "Check IO/CPU overload!",
	};

	for (size_t i = 0; i < sizeof messages / sizeof messages[0]; i++)
		if (len >= strlen(messages[i]) && !memcmp(line, messages[i], strlen(messages[i])))
			return true;
	return false;
}
