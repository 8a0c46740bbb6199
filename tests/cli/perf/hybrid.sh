# A CPU with two types of core has two rows per event. Here one type rests, and lacks an event. The rows of an ordinary
# user may have the modifier within the slashes.

mk_perf <<'SH'
separator=$(sed -n 's/.* -x\([^ ]\) .*/\1/p' <<<"$*")
"$REAL_PERF" "$@"
status=$?
[[ -z $file || ! -e $file ]] ||
  awk -F"$separator" -v OFS="$separator" -v modifier="$(cat modifier)" '
    !/[;,](cycles|instructions|branch|L1-)/ { print; next }
    { sub(/:u$/, "", $3)
      if ($3 ~ /^L1-.*misses$/) { print "<not supported>", "", "cpu_atom/" $3 modifier "/", 0, "100.00" }
      else { print "<not counted>", "", "cpu_atom/" $3 modifier "/", 0, "0.00" }
      print 1000000, "", "cpu_core/" $3 modifier "/", 5000000, "100.00" }' "$file" >x && mv x "$file"
exit $status
SH
mk_scenario a 'target: { command: "true" }' 'measure: { runs: 2 }' 'gates: { ipc: default, l1d-miss-rate: default }'
for modifier in '' :u; do
  echo "$modifier" >modifier
  expect 0 run
  result '"\(.machine.tier), \(.machine.counters) counters"'
  holds '.scenarios[0].runs | all(.ipc == 1 and .["l1d-miss-rate"] == 1)'
done
