# The cause of a benchmark that regressed: it runs alone, with the same iterations on both sides, so that costs compare.

need valgrind strace
mk_google
sed -i 's/^static int work(int n)/__attribute__((noinline)) &/' bench.cc
mk_micro google-benchmark '[./bench]' <<<'gates: { "BM_parse/*": default }'
g++ -O1 -g -o ../base/bench bench.cc -lbenchmark -lpthread
g++ -O1 -g -DSLOWER=1 -o bench bench.cc -lbenchmark -lpthread
expect 1 run micro --base ../base --budget 240s
has "$out" 'REGRESSION micro BM_parse/512 +'
holds '.scenarios[0].causes[0] | (.kind == "work") and (.function // "" | contains("work"))'
holds '.scenarios[0].evidence | any(contains("work(int)") and contains("times on both sides"))'
