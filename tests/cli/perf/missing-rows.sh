# An event missing from perf's output is not measured. The other events are.

mk_perf <<'SH'
"$REAL_PERF" "$@"
status=$?
[[ ! -e armed || -z $file || ! -e $file ]] || sed -i '/minor-faults/d' "$file"
exit $status
SH
judge_minor_faults
holds '.scenarios[0].runs | all(.["minor-faults"] == null and .["task-clock"] > 0)'
