# An untrusted result cannot add markup to the report, mention people, or send commands to the terminal.

mk_quick a
expect 0 run --out good
jq '.scenarios[0].description = "<img src=x onerror=alert(1)> @maintainers [x](http://evil) | ![i](http://evil/p.png)"
  | .notes = ["\u001b[31mred\u0007 `x` <b>"] | .machine.notes = ["@everyone"] | .machine.cpu = "</details><h1>owned"
  | .commit = "`$(id)`" | .scenarios[0].failure = "::error::x\n# big" | .scenarios[0].state = "failed"
  | .scenarios[0].log_tail = "```\n<script>\n@everyone"' good/result.json >bad.json
expect 3 report bad.json --format markdown
# Text in a fence is literal. Only text outside is markup.
awk '/^(```+|~~~+)/ { match($0, /^(```+|~~~+)/); if (!fence) fence = RLENGTH; else if (RLENGTH >= fence) fence = 0; next } !fence' \
  "$out" >outside
lacks outside '<img' '<script' '<h1>' '</details><h1>' "$(printf '\033')" "$(printf '\007')" '](http://evil'
! grep -nE '(^|[^\\`&;[:alnum:]])@(everyone|maintainers)' outside || fail 'somebody is mentioned'
expect 3 report bad.json
lacks "$out" "$(printf '\033')" "$(printf '\007')"
