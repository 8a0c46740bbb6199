# Catch2 against a baseline: benchmarks of one name in several sections stay apart, and only the slow one regresses.
# shellcheck shell=bash disable=SC2154
. "$SERVERS/lib.sh"

need jq
need g++
cat >bench.cc <<'CC'
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_ENABLE_BENCHMARKING
#include <catch2/catch.hpp>
#endif
#include <fstream>
static int work(int n) { volatile unsigned h = 1; for (int i = 0; i < n; i++) h = h * 31 + i; return h; }
static int size() { int n = 0; std::ifstream("size") >> n; return n; }
TEST_CASE("plain") { REQUIRE(work(0) == 1); }
TEST_CASE("parse <x> \"y\"", "[bench]") {
	int n = size();
	BENCHMARK("outside") { return work(400); };
	SECTION("small") { BENCHMARK("param-1") { return work(300); }; }
	SECTION("large") {
		BENCHMARK("param-1") { return work(n); };
		SECTION("deep & more") { BENCHMARK("param-1") { return work(500); }; }
	}
}
CC
echo '#include <catch2/catch_all.hpp>' | g++ -E -xc++ - >/dev/null 2>&1 && libraries='-lCatch2Main -lCatch2' || libraries=
# shellcheck disable=SC2086
g++ -O0 -std=c++17 -o bench bench.cc $libraries 2>"$CASE_DIR/kept/compiler" ||
  { grep -q 'catch2/catch' "$CASE_DIR/kept/compiler" && skip 'catch2 is not installed'; cat "$CASE_DIR/kept/compiler" >&2; fail 'cannot compile'; }
echo 1000 >size
mk_scenario micro <<'YAML'
target: { command: [./bench, "[bench]"], harness: catch2 }
measure: { runs: 5, window: 60ms }
gates: { "*": 900% }
YAML
expect 0 run micro
expect 0 baseline update micro
echo 100000 >size
expect 1 run micro
has "$out" 'REGRESSION micro parse <x> "y"/large/param-1 +'
diff - <(verdicts) <<'TXT' || fail 'other verdicts'
parse <x> "y"/large/deep & more/param-1 pass
parse <x> "y"/large/param-1 regression
parse <x> "y"/outside pass
parse <x> "y"/small/param-1 pass
TXT

# A filter that matches nothing, and a test that fails.
mk_scenario micro <<<'target: { command: [./bench], harness: catch2, filter: "nothing*" }'
expect 3 run micro
has "$out" "target.filter 'nothing*' matches none"
ok 'catch2: names, values, verdicts and an empty filter'
