/* Costs by own function: how pieces add up, and what foreign functions are called. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "profile/evidence.h"

static void foreign_functions_are_named_as_their_callers_know_them(void **state)
{
	static const struct {
		const char *symbol, *name;
	} cases[] = {
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
		{ "[unknown]", "[unknown]" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		CLEANUP(strbuf_release) struct strbuf name = STRBUF_INIT;

		foreign_name(cases[i].symbol, &name);
		if (strcmp(name.buf, cases[i].name) != 0)
			fail_msg("%s: %s, not %s", cases[i].symbol, name.buf, cases[i].name);
	}
}

static void pieces_of_one_function_are_one(void **state)
{
	static const struct code hash = { .function = "hash", .key = "hash", .object = "/b/prog", .own = true },
				 again = { .function = "hash.part.0", .key = "hash", .object = "/b/prog", .own = true },
				 other = { .function = "hash", .key = "hash", .object = "/b/lib.so", .own = true };
	struct cost_piece pieces[] = {
		{ &hash, "strcmp", "/lib/libc.so.6", 10, 4 },
		{ NULL, NULL, NULL, 7, NAN },
		{ &other, NULL, NULL, 30, 2 },
		{ &again, NULL, NULL, 3, 1 },
		{ &hash, "malloc", "/lib/libc.so.6", 20, 1 },
		{ &hash, NULL, NULL, 5, 6 },
		{ &again, "strcmp", "/lib/libc.so.6", 15, 3 },
		{ NULL, "x", "", 1, 1 },
	};
	CLEANUP(own_costs_release) struct own_costs costs = { 0 };

	(void)state;
	own_costs_add_up(pieces, sizeof pieces / sizeof pieces[0], &costs);
	assert_int_equal(costs.n, 2);
	assert_true(costs.total == 91 && costs.unowned == 8 && costs.error_of_part == 0);
	assert_string_equal(costs.items[0].code->object, "/b/prog");
	assert_string_equal(costs.items[0].code->function, "hash");
	assert_true(costs.items[0].cost == 53 && costs.items[0].self == 8 && costs.items[0].calls == 7);
	assert_int_equal(costs.items[0].n_foreign, 2);
	assert_string_equal(costs.items[0].foreign[0].name, "strcmp");
	assert_true(costs.items[0].foreign[0].cost == 25 && costs.items[0].foreign[0].calls == 7);
	assert_string_equal(costs.items[0].foreign[1].name, "malloc");
	assert_string_equal(costs.items[1].code->object, "/b/lib.so");
	assert_true(costs.items[1].cost == 30 && costs.items[1].self == 30 && costs.items[1].calls == 2);
	assert_int_equal(costs.items[1].n_foreign, 0);
}

static void what_is_not_known_stays_unknown(void **state)
{
	static const struct code f = { .function = "f", .key = "f", .object = "", .own = true };
	struct cost_piece pieces[] = { { &f, "read", NULL, 1, NAN } };
	CLEANUP(own_costs_release) struct own_costs costs = { 0 }, none = { 0 };

	(void)state;
	own_costs_add_up(pieces, 1, &costs);
	assert_int_equal(costs.n, 1);
	assert_true(isnan(costs.items[0].calls) && costs.items[0].self == 0);
	assert_true(isnan(costs.items[0].foreign[0].calls));
	assert_string_equal(costs.items[0].foreign[0].object, "");
	own_costs_add_up(NULL, 0, &none);
	assert_int_equal(none.n, 0);
	assert_true(none.total == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(foreign_functions_are_named_as_their_callers_know_them),
		cmocka_unit_test(pieces_of_one_function_are_one),
		cmocka_unit_test(what_is_not_known_stays_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
