#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "profile/script.h"

#define BYTES(text) text, sizeof(text) - 1

static void test_kind(void **state)
{
	static const struct {
		const char *data;
		size_t len;
		enum profile_kind want;
	} rows[] = {
		{ BYTES(""), PROFILE_KIND_EMPTY },
		{ BYTES("\n  \r\n# captured on: x\n#\n"), PROFILE_KIND_EMPTY },
		{ BYTES("main;work 12\n"), PROFILE_KIND_FOLDED },
		{ BYTES("#sh;work 12\n"), PROFILE_KIND_FOLDED },
		{ BYTES("nonsense\n"), PROFILE_KIND_FOLDED },
		{ BYTES("at 10:30: it was 12 degrees"), PROFILE_KIND_FOLDED },
		{ BYTES("sh 24707/24707  1035.840984:     100010 cpu-clock: \n\tff main (/bin/a)\n"), PROFILE_KIND_SCRIPT },
		{ BYTES("# ========\n# header\n\n lead 1/1 [000] 5.000001: 1 cycles:u: \n"), PROFILE_KIND_SCRIPT },
		{ BYTES("a;b 1 2:c 7/7  8.1:  1 cpu_core/cycles/: \n"), PROFILE_KIND_SCRIPT },
		{ BYTES("swapper     0     0.000000: PERF_RECORD_MMAP -1/0: [0xffffffff81000000(0x120bb08) @ 0xf]: x [kernel.kallsyms]\n"),
		  PROFILE_KIND_SCRIPT },
		{ BYTES("a 27884   703.293774: cpu-clock: \n\t1140 leaf (/a)\n"), PROFILE_KIND_SCRIPT },
		/* What misses a field is perf script's all the same. */
		{ BYTES("a 27884 cpu-clock: \n\t            1140 leaf (/a)\n"), PROFILE_KIND_SCRIPT },
		{ BYTES("\n\t            1140 leaf (/a)\n"), PROFILE_KIND_SCRIPT },
		{ BYTES("a\nb 1/1 1.5: 10 cycles: \n"), PROFILE_KIND_SCRIPT },
		{ BYTES("main;work 12\nb 1/1 1.5: 10 cycles: \n"), PROFILE_KIND_FOLDED },
		{ BYTES("PERFILE2h\0\0\0"), PROFILE_KIND_PERF_DATA },
		{ BYTES("2ELIFREP\0"), PROFILE_KIND_PERF_DATA },
		{ BYTES("\x1f\x8b\x08\0"), PROFILE_KIND_PACKED },
		{ BYTES("\xfd" "7zXZ\0\0"), PROFILE_KIND_PACKED },
		{ BYTES("\x28\xb5\x2f\xfd" "x"), PROFILE_KIND_PACKED },
		{ BYTES("BZh91AY"), PROFILE_KIND_PACKED },
		{ BYTES("<?xml version=\"1.0\"?>\n<svg>"), PROFILE_KIND_MARKUP },
		{ BYTES("{\"schema\": 1}"), PROFILE_KIND_MARKUP },
		{ BYTES("\177ELF\2\1\1\0\0"), PROFILE_KIND_BINARY },
	};

	(void)state;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (profile_kind_of(rows[i].data, rows[i].len) != rows[i].want)
			fail_msg("row %zu: %d, expected %d", i, profile_kind_of(rows[i].data, rows[i].len), rows[i].want);
}

static void test_packer(void **state)
{
	(void)state;
	assert_string_equal(profile_kind_packer(BYTES("\x1f\x8b")), "gzip");
	assert_string_equal(profile_kind_packer(BYTES("\xfd" "7zXZ\0")), "xz");
	assert_null(profile_kind_packer(BYTES("\x1f")));
	assert_null(profile_kind_packer(BYTES("main 1")));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_kind), cmocka_unit_test(test_packer) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
