#include "cause/own_costs.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cause/work.h"
#include "profile/names.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* -------- callees, by the names that callers use */

/* Internal names in libraries and kernels, and their common names. NULL: unchanged. A '*' ends a prefix. */
static const struct {
	const char *symbol, *name;
} known_as[] = {
	{ "asm_exc_page_fault", "[page fault]" }, { "exc_page_fault", "[page fault]" }, { "asm_page_fault", "[page fault]" },
	{ "page_fault", "[page fault]" }, { "do_user_addr_fault", "[page fault]" }, { "handle_mm_fault", "[page fault]" },
	{ "el0_da", "[page fault]" }, { "el0_ia", "[page fault]" }, { "do_mem_abort", "[page fault]" },
	{ "_int_malloc", "malloc" }, { "sysmalloc*", "malloc" }, { "malloc_consolidate", "malloc" }, { "ptmalloc_init*", "malloc" },
	{ "tcache_init*", "malloc" }, { "unlink_chunk*", "malloc" }, { "_int_free*", "free" }, { "systrim*", "free" },
	{ "cfree*", "free" }, { "_int_realloc", "realloc" }, { "_int_memalign", "memalign" }, { "munmap_chunk", "free" },
	{ "_dl_runtime_resolve*", "[dynamic linker]" }, { "_dl_fixup", "[dynamic linker]" },
	{ "__memmove_*", "memcpy" },
	/* unchanged */
	{ "__cxa_*", NULL }, { "__gxx_*", NULL }, { "__dynamic_cast", NULL }, { "__tls_get_addr", NULL }, { "__stack_chk_*", NULL },
	{ "__errno_location", NULL }, { "__libc_start_*", NULL },
};

/* Prefixes to remove, tried in this order. */
static const char *const prefixes[] = {
	"__x64_sys_", "__ia32_sys_", "__arm64_sys_", "__se_sys_", "__do_sys_", "ksys_", "__GI_", "__libc_", "__vdso_",
	"__isoc99_", "__isoc23_", "__ieee754_", "_IO_new_", "_IO_", "__new_", "__",
};

/* Suffixes of C library functions that exist for several kinds of CPU. */
static const char *const cpu_kinds[] = {
	"_sse2", "_sse3", "_sse4", "_ssse3", "_avx", "_evex", "_erms", "_fma", "_rtm", "_generic", "_neon", "_asimd", "_sve", "_mops",
};

/* Suffixes of the C library's internal functions. */
static const char *const suffixes[] = { "_l_internal", "_internal", "_nocancel", "_cancel", "_impl", "_chk" };

static bool matches(const char *symbol, const char *pattern)
{
	size_t len = strlen(pattern);

	return pattern[len - 1] == '*' ? !strncmp(symbol, pattern, len - 1) : !strcmp(symbol, pattern);
}

/* True for a C identifier. "list.append" and "__init__" are Python's. */
static bool is_identifier(const char *symbol)
{
	size_t len = strspn(symbol, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	CLEANUP(strbuf_release) struct strbuf bare = STRBUF_INIT;

	if (len > 4 && !symbol[len] && !strncmp(symbol, "__", 2) && text_ends(symbol, len, "__"))
		return false;
	if (symbol[len] == '.')
		name_comparable(symbol, "", &bare);
	return len && (!symbol[len] || symbol[len] == '@' || (symbol[len] == '.' && bare.len == len));
}

/* Returns the length of NAME without a suffix for a kind of CPU. */
static size_t without_cpu_kind(const char *name, size_t len)
{
	size_t least = len;

	for (size_t i = 0; i < COUNT(cpu_kinds); i++) {
		const char *at = memmem(name, len, cpu_kinds[i], strlen(cpu_kinds[i]));

		if (at && at > name && (size_t)(at - name) < least)
			least = (size_t)(at - name);
	}
	return least;
}

/* Appends a name such as "std::vector<int>::push_back(int const&)" without template arguments and parameters. */
static void add_template(const char *name, struct strbuf *out)
{
	int open = 0;

	for (; *name && (open || *name != '('); name++) {
		bool of_name = !open && (strbuf_ends_with(out, "operator") || strbuf_ends_with(out, "operator<"));

		if (*name == '<' && !of_name)
			open++;
		else if (*name == '>' && open)
			open--;
		else if (!open)
			strbuf_addc(out, *name);
	}
	while (strbuf_ends_with(out, " "))
		strbuf_truncate(out, out->len - 1);
}

void foreign_name(const char *symbol, struct strbuf *out)
{
	const char *name = symbol;
	size_t len;

	if (!is_identifier(symbol)) {
		if (text_starts(name_qualified(symbol), "std::"))
			add_template(name_qualified(symbol), out);
		else
			name_without_parameters(symbol, out);
		return;
	}
	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < COUNT(known_as); i++)
			if (matches(name, known_as[i].symbol)) {
				strbuf_adds(out, known_as[i].name ?: name);
				return;
			}
		for (size_t i = 0; i < COUNT(prefixes) && !again; i++) {
			size_t skip = strlen(prefixes[i]);

			again = text_starts(name, prefixes[i]) && (islower((unsigned char)name[skip]) || name[skip] == '_');
			name += again ? skip : 0;
		}
	}
	name += name > symbol && name[0] == '_' && islower((unsigned char)name[1]);
	len = strcspn(name, "@.");
	/* An own function with such a suffix has no underscores before its name. */
	if (name > symbol)
		len = without_cpu_kind(name, len);
	for (size_t i = 0; i < COUNT(suffixes) && name > symbol; i++)
		if (text_ends(name, len, suffixes[i]) && len > strlen(suffixes[i]))
			len -= strlen(suffixes[i]);
	strbuf_add(out, name, len);
}

/* -------- adding up */

static int compare_code(const struct code *a, const struct code *b)
{
	if (!a || !b)
		return !a - !b;
	return strcmp(a->key, b->key) ?: strcmp(a->object, b->object);
}

/* Groups pieces by function and callee, own code first, highest cost first. */
static int compare_pieces(const void *a, const void *b)
{
	const struct cost_piece *p = a, *q = b;
	int order = compare_code(p->code, q->code);

	if (!order)
		order = p->foreign && q->foreign ? strcmp(p->foreign, q->foreign) : !!p->foreign - !!q->foreign;
	if (!order)
		order = (p->cost < q->cost) - (p->cost > q->cost);
	return order ?: !p->code ? 0 : strcmp(p->code->function, q->code->function);
}

static int compare_foreign(const void *a, const void *b)
{
	const struct foreign_cost *f = a, *g = b;

	return (f->cost < g->cost) - (f->cost > g->cost) ?: strcmp(f->name, g->name);
}

static int compare_costs(const void *a, const void *b)
{
	const struct own_cost *c = a, *d = b;

	return (c->cost < d->cost) - (c->cost > d->cost) ?: strcmp(c->code->key, d->code->key) ?:
	       strcmp(c->code->object, d->code->object);
}

/* Sums the pieces of one function, which begin with those of its own code. */
static struct own_cost add_up_one(const struct cost_piece *pieces, size_t n, struct arena *arena)
{
	struct own_cost cost = { .code = pieces[0].code, .calls = NAN };
	double dearest = -1;
	size_t own = 0;

	for (size_t i = 0; i < n; i++) {
		cost.cost += pieces[i].cost;
		cost.kernel += pieces[i].kernel;
		cost.faulting += pieces[i].faulting;
		cost.allocating += pieces[i].allocating;
		if (pieces[i].cost > dearest) {
			dearest = pieces[i].cost;
			cost.code = pieces[i].code;
		}
	}
	for (; own < n && !pieces[own].foreign; own++) {
		cost.self += pieces[own].cost;
		cost.calls = own ? cost.calls + pieces[own].calls : pieces[own].calls;
	}
	cost.foreign = arena_alloc(arena, (n - own + 1) * sizeof *cost.foreign);
	for (size_t i = own; i < n; i++) {
		struct foreign_cost *last = cost.n_foreign ? &cost.foreign[cost.n_foreign - 1] : NULL;

		if (last && !strcmp(last->name, pieces[i].foreign)) {
			last->cost += pieces[i].cost;
			last->calls += pieces[i].calls;
		} else {
			cost.foreign[cost.n_foreign++] = (struct foreign_cost){
				pieces[i].foreign, pieces[i].foreign_object ?: "", pieces[i].cost, pieces[i].calls,
			};
		}
	}
	qsort(cost.foreign, cost.n_foreign, sizeof *cost.foreign, compare_foreign);
	return cost;
}

void own_costs_add_up(struct cost_piece *pieces, size_t n, struct own_costs *out)
{
	if (n)
		qsort(pieces, n, sizeof *pieces, compare_pieces);
	out->items = arena_alloc(&out->arena, (n + 1) * sizeof *out->items);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && !compare_code(pieces[i].code, pieces[end].code);)
			end++;
		for (size_t k = i; k < end; k++) {
			out->total += pieces[k].cost;
			out->unowned += pieces[k].code ? 0 : pieces[k].cost;
		}
		if (pieces[i].code)
			out->items[out->n++] = add_up_one(pieces + i, end - i, &out->arena);
	}
	qsort(out->items, out->n, sizeof *out->items, compare_costs);
}

void own_costs_release(struct own_costs *costs)
{
	arena_release(&costs->arena);
	*costs = (struct own_costs){ 0 };
}
