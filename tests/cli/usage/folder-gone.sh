# If the working folder was removed, every command says so and ends.

mk_scenario a 'target: { command: [/bin/true] }'
for args in check run 'run scenarios/a.yaml' 'baseline list' 'calibrate a' 'run a --base . --head .' \
  'ab true true' init 'init true'; do
  mkdir gone
  # shellcheck disable=SC2086
  (cd gone && rmdir ../gone && ends 2 timeout -k 1 60 "$PAWL" $args)
  has "$err" 'working folder is not known (No such file or directory)'
done
