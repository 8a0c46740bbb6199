# With a load that reports a rate, system calls are per request too. Without work they are shares of all calls.

need strace
c_server reads 3s <<'YAML'
measure: { window: 700ms }
gates: { task-clock: default }
YAML
sed -i "s/did (\[0-9\]+)', as: count/rate ([0-9.]+)', as: rate/" scenarios/reads.yaml
mkdir old new
build_server old/server
build_server new/server -DSTEP=1
# reads FILTER: jq's FILTER holds for the numbers of read on both sides, $was and $now.
reads() {
  rm -rf {old,new}/scenarios
  cp -r scenarios old
  cp -r scenarios new
  expect 0 run reads --base old --head new --runs 1 --explain -v --no-profile
  result '.scenarios[0].evidence[]' | grep 'strace may not' >/dev/null && skip 'strace may not trace here'
  holds "[.scenarios[0].evidence[] | capture(\"^read: (?<was>[0-9.]+).*, then (?<now>[0-9.]+)[ %]*;\")][0] |
    (.was | tonumber) as \$was | (.now | tonumber) as \$now | $1"
}

reads '$was > 0.6 and $was < 1.6 and $now > 11 * $was and $now < 27 * $was'
has "$out" 'system calls per request'

# One call in four is a read, then 18 in 21.
sed -i '/^ *work:/d' scenarios/reads.yaml
reads '$was > 22 and $was < 28 and $now > 82 and $now < 88'
has "$out" 'as parts of all: how much was done meanwhile is not known'
