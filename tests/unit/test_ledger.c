/* Costs by project function on both sides, and names for foreign functions. */
#include "unit.h"

#include "cause/ledger/own_code.h"
#include "cause/ledger/samples.h"
#include "cause/ledger/work.h"
#include "profile/stacks.h"
#include "ledger_view.h"
#include "profile_text.h"

TEST(foreign_functions_are_named_as_their_callers_know_them)
{
	static const struct { const char *symbol, *name; } cases[] = {
		{ "strcmp", "strcmp" }, { "__strcmp_evex", "strcmp" }, { "__strcmp_avx2_rtm", "strcmp" }, { "__strlen_sse2", "strlen" },
		{ "__memmove_avx_unaligned_erms", "memcpy" }, { "__memmove_evex_unaligned_erms", "memcpy" }, { "memmove", "memmove" },
		{ "__memset_avx512_unaligned_erms", "memset" }, { "__strncasecmp_l_evex", "strncasecmp_l" }, { "__memcpy_generic", "memcpy" },
		{ "__sin_fma", "sin" }, { "__ieee754_pow_fma", "pow" }, { "__printf_chk", "printf" }, { "___printf_chk", "printf" },
		{ "__vfprintf_internal", "vfprintf" }, { "____strtol_l_internal", "strtol" }, { "__isoc99_sscanf", "sscanf" },
		{ "_IO_puts", "puts" }, { "_IO_new_fclose", "fclose" }, { "__GI___libc_read", "read" }, { "__write_nocancel", "write" },
		{ "read@plt", "read" }, { "strcmp@@GLIBC_2.2.5", "strcmp" }, { "cfree@GLIBC_2.2.5", "free" }, { "_int_malloc", "malloc" },
		{ "__libc_calloc", "calloc" }, { "__libc_malloc", "malloc" }, { "__GI___libc_malloc", "malloc" }, { "_int_free_merge_chunk", "free" },
		{ "sysmalloc.part.0", "malloc" }, { "__x64_sys_pread64", "pread64" }, { "ksys_read", "read" }, { "__vdso_clock_gettime", "clock_gettime" },
		{ "asm_exc_page_fault", "[page fault]" }, { "_dl_runtime_resolve_xsavec", "[dynamic linker]" },
		{ "__cxa_throw", "__cxa_throw" }, { "__tls_get_addr", "__tls_get_addr" }, { "__libc_start_call_main", "__libc_start_call_main" },
		{ "std::vector<int, std::allocator<int> >::push_back(int const&)", "std::vector::push_back" },
		{ "void std::__introsort_loop<int*, long>(int*, int*, long)", "std::__introsort_loop" },
		{ "std::ostream& std::operator<< <std::char_traits<char> >(std::ostream&, char const*)", "std::operator<<" },
		{ "operator new(unsigned long)", "operator new" }, { "checksum_fma_impl", "checksum_fma_impl" }, { "g_hash_table_lookup", "g_hash_table_lookup" },
		{ "__", "__" }, { "__GI_", "__GI_" }, { "", "" }, { "@", "@" }, { "_", "_" }, { "__chk", "chk" }, { "___chk", "chk" }, { "__x_chk_chk", "x_chk" },
		{ "[unknown]", "[unknown]" }, { "list.append", "list.append" }, { "posix.stat", "posix.stat" }, { "__init__", "__init__" },
		{ "JSONEncoder.__init__", "JSONEncoder.__init__" }, { "_int_free.isra.0", "free" }, { "__strcmp_evex.cold", "strcmp" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

		foreign_name(cases[i].symbol, &name);
		if (strcmp(name.buf, cases[i].name) != 0)
			fail_msg("%s: %s, not %s", cases[i].symbol, name.buf, cases[i].name);
	}
}

/* -------- the functions of both sides */

TEST(a_function_of_both_sides_has_one_number)
{
	static const struct { struct code base, head; bool same; } rows[] = {
		{ { "f", "f", "/old/p/bin/tool", NULL, 0, true }, { "f", "f", "/new/p/bin/tool", NULL, 0, true }, true },
		{ { "f", "f", "/old/p/bin/tool", NULL, 0, true }, { "g", "g", "/new/p/bin/tool", NULL, 0, true }, false },
		{ { "f.part.0", "f", "/old/p/tool", NULL, 0, true }, { "f", "f", "/new/p/tool", NULL, 0, true }, true },
		/* two scripts of one name in one tree; a tree that is elsewhere; a library */
		{ { "load", "load", "/old/p/parse.py", NULL, 0, true }, { "load", "load", "/new/p/sub/parse.py", NULL, 0, true }, false },
		{ { "load", "load", "/old/p/sub/parse.py", NULL, 0, true }, { "load", "load", "/new/p/sub/parse.py", NULL, 0, true }, true },
		{ { "f", "f", "/tmp/b1/tool", NULL, 0, true }, { "f", "f", "/new/p/tool", NULL, 0, true }, true },
		{ { "malloc", "malloc", "/lib/libc.so.6", NULL, 0, false }, { "malloc", "malloc", "/usr/lib/libc.so.6", NULL, 0, false }, true },
		{ { "malloc", "malloc", "/lib/libc.so.6", NULL, 0, false }, { "malloc", "malloc", "/lib/libjemalloc.so", NULL, 0, false }, false },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		CLEANUP(codes_release) struct codes codes = { .root = { "/old/p", "/new/p" } };
		code_id was = codes_number(&codes, BASE, &rows[i].base), now = codes_number(&codes, HEAD, &rows[i].head);

		if ((was == now) != rows[i].same)
			fail_msg("row %zu: %u and %u", i, was, now);
		assert_int_equal(codes_number(&codes, BASE, &rows[i].base), was);
		assert_ptr_equal(codes.items[now].of[HEAD], &rows[i].head);
		assert_int_equal(codes.n, rows[i].same ? 1 : 2);
	}
}

/* Two files of one name in a library are two functions, in whatever order the sides name them. */
TEST(paths_of_one_side_differ)
{
	static const struct code json[2] = { { "loads", "loads", "/usr/lib/json/__init__.py", NULL, 0, false },
					     { "loads", "loads", "/usr/lib/pickle/__init__.py", NULL, 0, false } };
	CLEANUP(codes_release) struct codes codes = { 0 };

	assert_int_equal(codes_number(&codes, BASE, &json[0]), 0);
	assert_int_equal(codes_number(&codes, BASE, &json[1]), 1);
	assert_int_equal(codes_number(&codes, HEAD, &json[0]), 0);
	assert_int_equal(codes_number(&codes, HEAD, &json[1]), 1);
}

/* A code that has a source is preferred, since it has a place. */
TEST(the_code_with_a_place_is_kept)
{
	static const struct code placed = { "f", "f", "/p/a", "/p/a.c", 3, true }, sampled = { "f", "f", "/p/a", NULL, 0, true };
	CLEANUP(codes_release) struct codes codes = { 0 };

	codes_number(&codes, HEAD, &sampled);
	codes_number(&codes, HEAD, &placed);
	codes_number(&codes, HEAD, &sampled);
	assert_ptr_equal(codes.items[0].of[HEAD], &placed);
	assert_null(codes.items[0].of[BASE]);
	assert_int_equal(codes_named(&codes, "f"), 0);
	assert_int_equal(codes_named(&codes, "g"), NO_CODE);
}

/* -------- of stacks */

#define KERNEL " ([kernel.kallsyms])"
#define LIBC " (/usr/lib/x86_64-linux-gnu/libc.so.6)"
#define PROG " (/srv/p/prog)"
#define START "|main" PROG "|__libc_start_call_main" LIBC "|_start" PROG

/* Asserts "FUNCTION COST SELF KERNEL FAULTING (FOREIGN COST, ...)" for each, most expensive first. */
static void assert_own_costs(const char *frames, const char *expected)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT, said = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };
	const struct own_code own = { .root = "/srv/p", .program = "/srv/p/prog" };

	text_sample(&text, "t", "cpu-clock", 100, frames);
	text_stacks(text.buf, &stacks);
	stacks_own_costs(&stacks, NULL, &own, &costs);
	assert_true(costs.total == 100);
	for (size_t i = 0; i < costs.n; i++) {
		const struct own_cost *c = &costs.items[i];

		assert_true(c->calls == 0 && c->code->own);
		strbuf_addf(&said, "%s", c->code->function);
		if (c->code->line)
			strbuf_addf(&said, " %s:%u", c->code->source, c->code->line);
		if (c->kernel)
			strbuf_adds(&said, " kernel");
		if (c->faulting)
			strbuf_adds(&said, " faulting");
		for (size_t k = 0; k < c->n_foreign; k++)
			strbuf_addf(&said, " (%s)", c->foreign[k].name);
	}
	if (costs.unowned)
		strbuf_adds(&said, "nobody");
	if (strcmp(said.buf, expected) != 0)
		fail_msg("%s: %s, not %s", frames, said.buf, expected);
}

TEST(a_stack_belongs_to_the_own_frame_nearest_its_leaf)
{
	static const struct { const char *frames, *owner; } cases[] = {
		{ "find" PROG START, "find" },
		{ "__strcmp_evex" LIBC "|find" PROG START, "find (strcmp)" },
		{ "strcmp@plt" PROG "|find" PROG START, "find (strcmp)" },
		{ "_int_malloc" LIBC "|malloc" LIBC "|find" PROG START, "find (malloc)" },
		/* a callback is nearer than the library's caller */
		{ "__strcmp_evex" LIBC "|by_name" PROG "|msort_with_tmp.part.0" LIBC "|qsort_r" LIBC "|sort_all" PROG START, "by_name (strcmp)" },
		/* the kernel: named by library call, by system call, a fault, an interrupt */
		{ "rep_movs_alternative" KERNEL "|ksys_read" KERNEL "|do_syscall_64" KERNEL "|entry_SYSCALL_64_after_hwframe" KERNEL
		  "|__GI___libc_read" LIBC "|fill" PROG START, "fill kernel (read)" },
		{ "rep_movs_alternative" KERNEL "|vfs_read" KERNEL "|ksys_read" KERNEL "|__x64_sys_read" KERNEL "|do_syscall_64" KERNEL
		  "|entry_SYSCALL_64_after_hwframe" KERNEL "|fill" PROG START, "fill kernel (read)" },
		{ "vfs_statx" KERNEL "|__do_sys_newfstatat" KERNEL "|do_syscall_64" KERNEL "|look" PROG START, "look kernel (fstatat)" },
		{ "clear_page_erms" KERNEL "|do_user_addr_fault" KERNEL "|exc_page_fault" KERNEL "|asm_exc_page_fault" KERNEL "|grow" PROG START,
		  "grow kernel faulting ([page fault])" },
		{ "clear_page_erms" KERNEL "|exc_page_fault" KERNEL "|asm_exc_page_fault" KERNEL "|__memset_avx2_unaligned_erms" LIBC "|grow" PROG
		  START, "grow kernel faulting (memset)" },
		{ "hrtimer_interrupt" KERNEL "|asm_sysvec_apic_timer_interrupt" KERNEL "|find" PROG START, "find kernel ([kernel])" },
		/* costs without an owner */
		{ "do_lookup_x (/lib64/ld-linux-x86-64.so.2)|_dl_start (/lib64/ld-linux-x86-64.so.2)|_start (/lib64/ld-linux-x86-64.so.2)", "nobody" },
		{ "schedule" KERNEL, "nobody" }, { "", "nobody" }, { "[unknown] ([unknown])", "nobody" },
		/* chains without names */
		{ "[unknown]" PROG, "[unknown]" }, { "[unknown]" LIBC "|find" PROG, "find (libc.so.6)" }, { "[unknown] ([unknown])|find" PROG, "find ([unknown])" },
		{ "__strlen_evex" LIBC "|[unknown]" LIBC "|find" PROG, "find (strlen)" },
		/* linked statically */
		{ "__strcmp_evex" PROG "|find" PROG "|main" PROG, "find (strcmp)" }, { "_int_free" PROG "|free" PROG "|drop" PROG, "drop (free)" },
		/* C++ */
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi" PROG "|_ZN3app5parseEi" PROG, "app::parse(int) (std::vector::push_back)" },
		{ "_Znwm (/usr/lib/x86_64-linux-gnu/libstdc++.so.6)|_ZN3app5parseEi" PROG, "app::parse(int) (operator new)" },
		/* a library of the project */
		{ "deflate (/srv/p/lib/libz.so.1)|save" PROG, "deflate" }, { "deflate (/usr/lib/libz.so.1)|save" PROG, "save (deflate)" },
		/* scripts */
		{ "Builtin:ArrayMap (/tmp/perf-77.map)|LazyCompile:*sum /srv/p/x.js:10:5 (/tmp/perf-77.map)|node::Start (/usr/bin/node)",
		  "sum /srv/p/x.js:10 (Builtin:ArrayMap)" },
		{ "JS:*run node:internal/fs:3:1 (/tmp/perf-77.map)|JS:~go file:///srv/p/m.mjs:4:1 (/tmp/perf-77.map)",
		  "go /srv/p/m.mjs:4 (run)" },
		{ "LazyCompile:* /srv/p/x.js:10:5 (/tmp/perf-77.map)", "(anonymous) /srv/p/x.js:10" },
		{ "java.lang.Object java.util.HashMap.get(java.lang.Object) (/tmp/perf-77.map)|int Main.slow(int) (/tmp/perf-77.map)",
		  "int Main.slow(int) (java.lang.Object java.util.HashMap.get)" },
		{ "py::loads:/usr/lib/python3.12/json/__init__.py (/tmp/perf-9.map)|py::go:/srv/p/go.py (/tmp/perf-9.map)",
		  "go (loads)" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_own_costs(cases[i].frames, cases[i].owner);
}

/* Each own function nearest a leaf is listed once, without counts. */
TEST(own_functions_of_samples_are_listed)
{
	static const struct own_code own = { .root = "/srv/p", .program = "/srv/p/prog" };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(work_release) struct work work = { 0 };

	text_sample(&text, "t", "cpu-clock", 1, "strcmp" LIBC "|find" PROG START);
	text_sample(&text, "t", "cpu-clock", 1, "find" PROG START);
	text_sample(&text, "t", "cpu-clock", 1, "load" PROG START);
	text_sample(&text, "t", "cpu-clock", 1, "write" LIBC);
	text_stacks(text.buf, &stacks);
	stacks_own_functions(&stacks, 0, &own, &work);
	assert_int_equal(work.n_functions, 2);
	assert_string_equal(work.functions[0].code.function, "find");
	assert_string_equal(work.functions[1].code.function, "load");
	for (size_t i = 0; i < 2; i++)
		assert_true(work.functions[i].code.own && work.functions[i].self == 0 && work.functions[i].calls == 0);
}

TEST(stacks_add_up_by_own_function)
{
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(own_costs_release) struct own_costs costs = { 0 }, others = { 0 };
	const struct own_code own = { .root = "/srv/p" };

	text_samples(&text, 3, "find" PROG START);
	text_samples(&text, 5, "__strcmp_evex" LIBC "|find" PROG START);
	text_samples(&text, 2, "__strcmp_avx2" LIBC "|find.part.0" PROG START);
	text_samples(&text, 4, "malloc" LIBC "|find" PROG START);
	text_samples(&text, 1, "insert" PROG START);
	text_samples(&text, 1, "schedule" KERNEL);
	text_sample(&text, "t", "page-faults", 9, "grow" PROG START);
	text_stacks(text.buf, &stacks);
	stacks_own_costs(&stacks, NULL, &own, &costs);
	assert_true(costs.total == 1600 && costs.unowned == 100);
	assert_int_equal(costs.n, 2);
	assert_string_equal(costs.items[0].code->key, "find");
	assert_string_equal(costs.items[0].code->object, "/srv/p/prog");
	assert_true(costs.items[0].cost == 1400 && costs.items[0].self == 300);
	assert_int_equal(costs.items[0].n_foreign, 2);
	assert_string_equal(costs.items[0].foreign[0].name, "strcmp");
	assert_true(costs.items[0].foreign[0].cost == 700);
	assert_string_equal(costs.items[0].foreign[1].name, "malloc");
	assert_string_equal(costs.items[1].code->key, "insert");
	stacks_own_costs(&stacks, "page-faults", &own, &others);
	assert_int_equal(others.n, 1);
	assert_true(others.total == 9);
}

/* A library's function in the program is foreign by its source, which samples do not have. */
TEST(samples_follow_debug_information)
{
	static const char counted[] = "events: Ir\nob=/srv/p/prog\nfl=/srv/p/a.rs\nfn=find\n3 10\ncfl=/rustc/1a2b/library/core/src/iter.rs\ncfn=fold\n"
				      "calls=1 7\n4 20\nfl=/rustc/1a2b/library/core/src/iter.rs\nfn=fold\n7 20\ntotals: 30\n";
	const struct own_code own = { .root = "/srv/p", .program = "/srv/p/prog" };
	CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT;
	CLEANUP(work_release) struct work work = { 0 };

	assert_int_equal(callgrind_read(counted, strlen(counted), &own, &work, &(struct error)ERROR_INIT), 0);
	text_samples(&text, 3, "fold" PROG "|find" PROG START);
	text_stacks(text.buf, &stacks);
	for (int known = 0; known < 2; known++) {
		CLEANUP(own_costs_release) struct own_costs costs = { 0 };

		ledger_init(&costs.ledger, &own, &own, NULL);
		if (known)
			ledger_add_work(&costs.ledger, BASE, &work);
		ledger_add_stacks(&costs.ledger, BASE, &stacks, NULL, COST_TIME, 1);
		ledger_settle(&costs.ledger);
		view_ledger(&costs, BASE, COST_TIME);
		assert_int_equal(costs.n, 1);
		assert_string_equal(costs.items[0].code->function, known ? "find" : "fold");
	}
}

TEST(broken_chains_are_seen)
{
	static const struct { const char *frames; bool whole; } cases[] = {
		{ "find" PROG START, true }, { "find" PROG "|main" PROG, true }, { "work" PROG "|start_thread" LIBC "|__clone3" LIBC, true },
		{ "dl_main (/lib64/ld-linux-x86-64.so.2)|_dl_start (/lib64/ld-linux-x86-64.so.2)", true }, { "main" PROG, true },
		{ "main.work" PROG "|main.main" PROG "|runtime.main" PROG "|runtime.goexit.abi0" PROG, true },
		{ "find" PROG, false }, { "find" PROG "|[unknown] ([unknown])", false }, { "main" PROG "|a" PROG "|b" PROG "|c" PROG "|d" PROG, false },
		{ "", false },
	};
	CLEANUP(strbuf_release) struct strbuf all = STRBUF_INIT;
	CLEANUP(stacks_release) struct stacks stacks = STACKS_INIT, kernel = STACKS_INIT;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf text = STRBUF_INIT;
		CLEANUP(stacks_release) struct stacks one = STACKS_INIT;

		text_samples(&text, 1, cases[i].frames);
		text_samples(&all, 1, cases[i].frames);
		text_stacks(text.buf, &one);
		if (stacks_whole(&one, 0) != cases[i].whole)
			fail_msg("%s", cases[i].frames);
	}
	text_samples(&all, 7, "schedule" KERNEL "|entry_SYSCALL_64_after_hwframe" KERNEL);
	text_stacks(all.buf, &stacks);
	assert_true(stacks_whole(&stacks, 0) == 0.6);
	text_stacks("t 1/1 1.5: 100 cpu-clock: \n\t 1000 schedule ([kernel.kallsyms])\n\n", &kernel);
	assert_true(isnan(stacks_whole(&kernel, 0)));
}
