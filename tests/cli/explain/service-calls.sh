# A service reads its requests byte by byte. strace counts its system calls per request on both sides, with callers.
# Afterwards strace detaches and the service goes on.

need strace
c_server reads 400 <<<'gates: { task-clock: default }'
sed -i "s|$PWD/client|client|" scenarios/reads.yaml
echo 'build: cc -O1 -g -fno-omit-frame-pointer -o server server.c' >pawl.yaml
mk_repo server
sed -i 's/define STEP 18/define STEP 1/' server.c
commit_all 'reads it byte by byte'

expect 1 run reads --base HEAD~1 --runs 20 -v
result '.scenarios[0].evidence[]' | grep 'strace may not' >/dev/null && skip 'strace may not trace here'
# 400 requests, and one that probes whether the server listens.
holds '.scenarios[0].evidence | any(startswith("read: 1, then 18; 18 B each, then 1 B; mostly on socket; from read_request"))'
holds '.scenarios[0].evidence | any(startswith("system calls per request, counted for a while on each side: 4"))'
holds '.scenarios[0].causes[0] | .kind == "system-calls" and .function == "read_request"'
holds '.scenarios[0].causes[0].sentence | contains("it calls read 18 times per request instead of 1, 1 bytes each time instead of 18")'
holds '.scenarios[0].causes[0].changed | contains("#define STEP 1")'
gone "$PWD/server"
