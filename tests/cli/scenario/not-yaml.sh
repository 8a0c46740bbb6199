# Text that is not YAML, an alias, an oversized file, a folder, and bytes that are not text are refused.

refused() {
  expect 2 run "$1"
  cat "$err"
  nothing_measured
}
mkdir scenarios
printf 'version: 1\ntarget: {command: [a\n' >scenarios/open.yaml
refused scenarios/open.yaml
printf 'version: 1\ntarget: &a {command: x}\nload: *a\n' >scenarios/alias.yaml
refused scenarios/alias.yaml
: >scenarios/empty.yaml
refused scenarios/empty.yaml
printf 'version: 1\ntarget: {command: "a\xff\xfe"}\n' >scenarios/bytes.yaml
refused scenarios/bytes.yaml
head -c 1100000 /dev/zero | tr '\0' '#' >scenarios/large.yaml
refused scenarios/large.yaml
mkdir scenarios/folder.yaml
refused scenarios/folder.yaml
mkfifo scenarios/fifo.yaml
refused scenarios/fifo.yaml
