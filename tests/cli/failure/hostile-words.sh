# Output of a failing target reaches neither the terminal as commands nor the report as markup.

mk_scenario a <<'YAML'
target: { command: "printf '\\033]0;owned\\007\\033[31mred\\r<script>alert(1)</script> @everyone\\n::error::x\\n'; exit 1" }
measure: { runs: 2 }
YAML
expect 3 run
lacks "$out" "$(printf '\033')" "$(printf '\007')"
has "$out" '<script>alert(1)</script>'
lacks pawl-out/latest/report.md "$(printf '\033')"
expect 3 report --format markdown
