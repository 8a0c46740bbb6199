# The change's program writes to the base's executable, so no measured value is reliable.

printf '#!/bin/sh\ni=0; while [ $i -lt 3000 ]; do i=$((i+1)); done\n' >prog
chmod +x prog
work_named work '[./prog]'
cp -r . ../base
printf 'echo "# changed" >>"%s"\n' "$CASE_DIR/base/prog" >>prog
expect 3 run work --base ../base --no-profile --no-explain --runs 2
holds '.scenarios[0] | .state == "failed" and (.failure | contains("the base'"'"'s program") and contains("/base/prog changed while pairs were measured"))'

# A new timestamp with the same bytes is not a change.
sed -i '$d' prog
echo 'touch "$0"' >>prog
cp prog ../base/prog
expect 0 run work --base ../base --no-profile --no-explain --runs 1
holds '.scenarios[0].state == "measured"'
