# nginx in front of another nginx, which must serve first. pawl measures only the proxy.
# shellcheck shell=bash disable=SC2154
. "$SERVERS/lib.sh"
need nginx
need wrk
project nginx-proxy
measured_for_real p99-latency
gates_it
catches 'every answer compressed' 's/gzip off;/gzip on; gzip_comp_level 9;/'

sed -i.before 's/root www;/root;/' "$scenario"
measure 3 run "$scenario" --out "$CASE_DIR/broken"
cat "$out" "$err" >"$CASE_DIR/kept/both"
has "$CASE_DIR/kept/both" origin 'invalid number of arguments in "root" directive'
mv "$scenario.before" "$scenario"
ok "an origin that does not come up is named, with its words"
