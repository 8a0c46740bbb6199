# Services start in order, each once the previous one serves. They stop in reverse, and cleanup runs last.

service() {
  echo "  - { name: $1, command: \"echo start $1 >>order; trap 'echo stop $1 >>order; exit' TERM; touch $1.up; while :; do sleep 0.02; done\", ready: { file: $1.up } }"
}
mk_scenario order <<YAML
setup: echo setup >>order
cleanup: echo cleanup >>order
env:
$(service a)
$(service b)
$(service c)
target: { command: "echo target >>order" }
warmup: { runs: 0 }
measure: { runs: 1 }
YAML
expect 0 run
cat order
