# Neither side can be told by the size of its environment and its arguments, however long its folder's name is.
. "$LIB"

mkdir -p a a-much-longer-name-of-a-folder
for dir in a a-much-longer-name-of-a-folder; do
  mkdir -p $dir/scenarios
  printf '%s\n' '#!/bin/sh' 'env | LC_ALL=C grep -v ^_= | wc -c >size' 'echo "$1" | wc -c >>size' >$dir/measure
  chmod +x $dir/measure
  cp $dir/measure .
done
mk_scenario sizes <<'YAML'
target: { command: [./measure, "${tmp}/input"] }
gates: { task-clock: default }
YAML
cp scenarios/sizes.yaml a-much-longer-name-of-a-folder/scenarios/
expect 0 ab sizes --base a --head a-much-longer-name-of-a-folder --runs 1 --no-profile
diff a/size a-much-longer-name-of-a-folder/size || fail 'one side has more around it'
