# The command is missing, not executable, a folder, of unknown format, or not found by a shell.
. "$LIB"

touch plain
mk_scenario a <<'YAML'
target: { command: [./not-here, x] }
YAML
mk_scenario b <<'YAML'
target: { command: [./plain] }
YAML
mk_scenario c <<'YAML'
target: { command: [.] }
YAML
mk_scenario d <<'YAML'
target: { command: no-such-program-here --fast }
YAML
mk_scenario e <<'YAML'
target: { command: "true", cwd: nowhere }
YAML
mk_scenario g <<'YAML'
target: { command: [./empty] }
YAML
mk_scenario h <<'YAML'
target: { command: [unformatted], environment: { PATH: "bin:/usr/bin:/bin" } }
YAML
mkdir bin
echo exit 0 >bin/unformatted
: >empty
chmod +x empty bin/unformatted
mk_quick f
expect 3 run
result '.scenarios[] | "\(.name): \(.failure)"'
has "$out" no-such-program-here
