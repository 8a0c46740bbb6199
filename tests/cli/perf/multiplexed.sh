# A multiplexed, extrapolated value does not count as measured.

mk_perf <<'SH'
separator=$(sed -n 's/.* -x\([^ ]\) .*/\1/p' <<<"$*")
"$REAL_PERF" "$@"
status=$?
[[ ! -e armed || -z $file || ! -e $file ]] ||
  awk -F"$separator" -v OFS="$separator" '/minor-faults/ { $5 = "40.00" } { print }' "$file" >x && mv x "$file"
exit $status
SH
judge_minor_faults
