# The command is missing, not executable, a folder, of unknown format, or not found by a shell.

touch plain
mk_scenario a 'target: { command: [./not-here, x] }'
mk_scenario b 'target: { command: [./plain] }'
mk_scenario c 'target: { command: [.] }'
mk_scenario d 'target: { command: no-such-program-here --fast }'
mk_scenario e 'target: { command: "true", cwd: nowhere }'
mk_scenario g 'target: { command: [./empty] }'
mk_scenario h 'target: { command: [unformatted], environment: { PATH: "bin:/usr/bin:/bin" } }'
mkdir bin
echo exit 0 >bin/unformatted
: >empty
chmod +x empty bin/unformatted
mk_quick f
expect 3 run
result '.scenarios[] | "\(.name): \(.failure)"'
has "$out" no-such-program-here
