# The cost of reports of large suites; sourced by bench.sh, after lib.sh. Medians, with the smallest and the largest in brackets.
#
# Suites of 500 scenarios, all passed or all slower, are made by tests/fixtures/suite.jq, and so are suites of 125, whose
# reports may take no less than a sixth of the time: twice as many scenarios must not cost four times as much.
# shellcheck shell=bash

readonly LARGE=500 SMALL=125
formats=(html markdown json junit text)

reported() { # VERDICT SCENARIOS FORMAT: adds a scenario that prints this report
  scenario "report-$1-$2-$3" <<YAML
target: { command: "'$PAWL' report $1-$2.json --format $3 -o $1-$2.$3 || [ \$? -eq 1 ]" }
measure: { runs: 3, budget: 5m }
gates: { wall-time: { max: 60s } }
YAML
  names+=("report-$1-$2-$3")
}

names=()
for verdict in pass regression; do
  for scenarios in $SMALL $LARGE; do
    jq --argjson n "$scenarios" --arg verdict "$verdict" -f "${root:?}/tests/fixtures/suite.jq" \
      "$root/tests/fixtures/result.json" >"$verdict-$scenarios.json"
    for format in "${formats[@]}"; do reported "$verdict" "$scenarios" "$format"; done
  done
done
measured suites "${names[@]}"

# spent VERDICT SCENARIOS FORMAT METRIC: the metric's value in each run.
spent() { jq --arg s "report-$1-$2-$3" --arg m "$4" '.scenarios[] | select(.name == $s).runs[][$m]' out-suites/result.json; }
seconds() { spent "$1" "$2" "$3" cpu-time | awk '{ print $1 / 1000 }' | middle; }
# times_as_long VERDICT FORMAT
times_as_long() { awk "BEGIN { print $(seconds "$1" $LARGE "$2" | cut -d' ' -f1) / $(seconds "$1" $SMALL "$2" | cut -d' ' -f1) }"; }

echo
echo "reports of $LARGE scenarios:"
for verdict in pass regression; do
  for format in "${formats[@]}"; do
    # shellcheck disable=SC2046
    row "$verdict, $format: CPU time" s 1 $(seconds "$verdict" $LARGE "$format")
    row "  as a multiple of $SMALL scenarios" '' 6 "$(times_as_long "$verdict" "$format")"
    # shellcheck disable=SC2046
    row '  peak memory' MiB 128 $(spent "$verdict" $LARGE "$format" max-rss | awk '{ print $1 / 1048576 }' | middle)
    if [[ $format == markdown ]]; then
      row '  characters, of 65,536 in a comment' '' 65535 "$(wc -m <"$verdict-$LARGE.$format")"
    else
      row '  size' MiB 8 "$(awk "BEGIN { print $(stat -c %s "$verdict-$LARGE.$format") / 1048576 }")"
    fi
  done
done
