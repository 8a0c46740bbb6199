# A difference for viewers of one profile is two files. Functions have their comparable names there, so that viewers
# match those of two builds.
need jq gzip

frame() { printf 'app 1/1  5.00000%s:     100010 cpu-clock: \n\tffff %s (/bin/app)\n\tffff main (/bin/app)\n\n' "$1" "$2"; }
for i in 1 2 3; do frame "$i" work.isra.0; done >base.txt
for i in 1 2 3 4; do frame "$i" work.constprop.1; done >head.txt

expect 0 -q flamegraph --format firefox --diff base.txt -o head.json head.txt
for side in base-head head; do
  jq -e '.shared.stringArray | index("work")' "$side.json" >"$CASE_DIR/kept/name" || fail "$side: $(jq -c .shared.stringArray "$side.json")"
done
[[ $(jq '[.threads[].samples.weight[]] | add' head.json) == 0.40004 ]] || fail 'the head has another weight'
[[ $(jq '[.threads[].samples.weight[]] | add' base-head.json) == 0.30003 ]] || fail 'the base has another weight'
[[ $(jq -r .meta.product head.json base-head.json | tr '\n' ' ') == 'head.txt base.txt ' ]] || fail 'the sides have other names'
expect 0 flamegraph --format firefox head.txt
has "$out" 'work.constprop.1'

expect 0 flamegraph --format firefox --diff base.txt -o head.json head.txt
has "$err" 'open base-head.json and head.json at https://profiler.firefox.com'
expect 0 flamegraph --format pprof --diff base.txt -o d/head.pb.gz head.txt
has "$err" 'go tool pprof -diff_base d/base-head.pb.gz d/head.pb.gz'
for side in d/base-head.pb.gz d/head.pb.gz; do
  gzip -dc "$side" >plain
  has plain work cpu-clock
done

for format in pprof firefox; do
  for output in '' '-o -'; do
    # shellcheck disable=SC2086
    expect 2 flamegraph --format "$format" --diff base.txt $output head.txt
    has "$err" "--diff with --format $format writes two files: give the name of one with -o"
  done
done

# Several events: pprof keeps them apart, the other takes one.
printf 'app 1/1  5.000005:     7 page-faults: \n\tffff main (/bin/app)\n\n' >>head.txt
expect 0 flamegraph --format pprof head.txt
gzip -dc "$out" >plain
has plain 'cpu-clock' 'page-faults'
expect 0 flamegraph --format firefox --event page-faults head.txt
[[ $(jq -c '[.threads[].samples | .weight[], .weightType]' "$out") == '[7,"samples"]' ]] || fail 'other weights of the event'

# Waits are times.
printf 'app;main;[pipe] 2000000\n' >waits.folded
expect 0 flamegraph --format firefox waits.folded
[[ $(jq -c '[.threads[] | .name, .samples.weight[0], .samples.weightType]' "$out") == '["waits.folded",2,"tracing-ms"]' ]] ||
  fail "waits: $(jq -c '[.threads[] | .name, .samples.weight[0], .samples.weightType]' "$out")"
