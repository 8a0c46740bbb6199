# Text that is not YAML, an alias, an oversized file, a folder, and bytes that are not text are refused. A hundred thousand
# nested brackets are refused quickly.

mkdir scenarios
printf 'version: 1\ntarget: {command: [a\n' >scenarios/open.yaml
refused run scenarios/open.yaml
printf 'version: 1\ntarget: &a {command: x}\nload: *a\n' >scenarios/alias.yaml
refused run scenarios/alias.yaml
: >scenarios/empty.yaml
refused run scenarios/empty.yaml
printf 'version: 1\ntarget: {command: "a\xff\xfe"}\n' >scenarios/bytes.yaml
refused run scenarios/bytes.yaml
head -c 1100000 /dev/zero | tr '\0' '#' >scenarios/large.yaml
refused run scenarios/large.yaml
mkdir scenarios/folder.yaml
refused run scenarios/folder.yaml
mkfifo scenarios/fifo.yaml
refused run scenarios/fifo.yaml
{ printf 'version: 1\ntarget: '; head -c 100000 /dev/zero | tr '\0' '['; } >scenarios/deep.yaml
expect 2 run scenarios/deep.yaml
has "$err" 'scenarios/deep.yaml:2:'
nothing_measured
