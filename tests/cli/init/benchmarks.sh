# init writes a scenario for the project's benchmarks, with or without a program beside them.

# benchmarks NAME: prints the command and the harness that init finds in the folder `next`, which becomes NAME, and how to
# build and run them.
benchmarks() {
  mv next "$1"
  (cd "$1" && git init -q . && "$PAWL" init >"$out" 2>"$err" && "$PAWL" check >>"$out" 2>"$err") || { show_kept; fail "pawl init in $1"; }
  echo "== $1"
  (cd "$1" && ls scenarios && grep -hoE '^ *(command|harness|environment): [^#]*' scenarios/benchmarks.yaml | sed 's/ *$//' && grep '^build:' pawl.yaml)
  grep -F 'pawl run' "$out"
}

mkdir -p next/bench
echo 'add_executable(tool tool.c)' >next/CMakeLists.txt
printf 'add_executable(parse_bench p.cc)\ntarget_link_libraries(parse_bench PRIVATE lib\n  benchmark::benchmark_main)\n' >next/bench/CMakeLists.txt
benchmarks cmake
mkdir -p next/benches
printf '[package]\nname = "lib"\n\n[dev-dependencies]\ncriterion = "0.5"\n\n[[bench]]\nname = "parse"\nharness = false\n' >next/Cargo.toml
benchmarks cargo
mkdir next
printf '[package]\nname = "lib"\n\n[[bench]]\nname = "late"\nharness = false\n\n[dev-dependencies.criterion]\nversion = "0.5"\n' >next/Cargo.toml
benchmarks cargo-table
mkdir -p next/parse
echo 'module example.org/lib' >next/go.mod
printf 'package parse\n\nfunc BenchmarkParse(b *testing.B) {\n}\n' >next/parse/parse_test.go
benchmarks go
mkdir next
printf '[project]\nname = "neat"\ndependencies = ["pytest-benchmark"]\n' >next/pyproject.toml
benchmarks pytest
mkdir next
printf '[project]\nname = "neat"\n' >next/pyproject.toml
echo 'pytest-benchmark>=4' >next/requirements-dev.txt
benchmarks requirements
