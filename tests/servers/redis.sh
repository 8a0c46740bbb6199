# redis under redis-benchmark; a large hash stored as one long list makes it slower.
# shellcheck shell=bash disable=SC2154
. "$SERVERS/lib.sh"
need redis-server
need redis-benchmark
project redis
measured_for_real p99-latency
gates_it
catches 'a large hash kept as a list' 's/- "64"/- "100000"/; s/-r 2000/-r 8000/'
ordinary_user p99-latency
