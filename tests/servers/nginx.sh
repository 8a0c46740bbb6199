# nginx serves a page to wrk; compressing each answer makes it slower.
# shellcheck shell=bash disable=SC2154
. "$SERVERS/lib.sh"
need nginx
need wrk
project nginx
measured_for_real p99-latency
gates_it
catches 'every answer compressed' 's/gzip off;/gzip on; gzip_comp_level 9;/'
ordinary_user p99-latency
