# Neither side can tell itself by the size of its environment and arguments, however long its folder's name is.
# The padding is drawn for each pair and is equal on both sides.

mkdir -p a a-much-longer-name-of-a-folder
for dir in a a-much-longer-name-of-a-folder; do
  mkdir -p $dir/scenarios
  printf '%s\n' '#!/bin/sh' 'env | LC_ALL=C grep -v -e ^_= -e ^PAWL_PAD= | wc -c >size' 'echo "$1" | wc -c >>size' \
    'echo "${#PAWL_PAD}" >>size' 'echo "${#PAWL_PAD}" >>pads' >$dir/measure
  chmod +x $dir/measure
  cp $dir/measure .
done
mk_scenario sizes <<'YAML'
target: { command: [./measure, "${tmp}/input"] }
measure: { pairs: in-turn }
gates: { task-clock: +300% }
YAML
cp scenarios/sizes.yaml a-much-longer-name-of-a-folder/scenarios/
expect 0 run sizes --measure-identical --base a --head a-much-longer-name-of-a-folder --runs 12 --seed 5 --no-profile

# total FOLDER STEP: the bytes around the command, without the padding, which comes in steps of 16.
total() {
  awk -v step="$2" '{ n += $1 } END { print step ? n % step : n }' "$1/size"
}
[ "$(total a 16)" = "$(total a-much-longer-name-of-a-folder 16)" ] || fail 'one side has more around it'
for dir in a a-much-longer-name-of-a-folder; do
  sort -un $dir/pads >$dir/sizes
  [ "$(wc -l <$dir/sizes)" -ge 8 ] || fail "the stack of $dir begins in one place: $(cat $dir/sizes)"
  [ "$(($(tail -n 1 $dir/sizes) - $(head -n 1 $dir/sizes)))" -lt 4096 ] || fail "too far: $(cat $dir/sizes)"
done
! cmp -s a/pads a-much-longer-name-of-a-folder/pads || fail 'both sides are moved alike'

# Stored runs always get the same padding.
cp -r a/measure .
rm -f pads
expect 0 run sizes --runs 4 --no-profile
[ "$(sort -u pads | wc -l)" = 1 ] || fail "stored runs are not alike: $(cat pads)"
