# vars, built-in names, one free port per name, and $$ for a dollar sign. Relative paths start at the project's root, from
# whichever folder pawl runs. cwd applies to the target.

mk_scenario a <<'YAML'
vars: { word: "two words" }
setup: |
  printf '%s\n' "word ${word}" "dollar $$HOME $${word}" "dir ${scenario_dir}" "out ${out}" "tmp ${tmp}" >said
  printf '%s %s %s\n' "${port}" "${port}" "${port.admin}" >ports
  test -d "${tmp}" && test -d "${out}"
target:
  command: [sh, -c, 'printf "%s|" "$$0" "$$@" "$$GREETING" >>said', "${word}", "$$"]
  environment: { GREETING: "hello ${word}" }
warmup: { runs: 0 }
measure: { runs: 1 }
gates: { page-faults: +50% }
YAML
mkdir -p deep/er sub
touch pawl.yaml
mk_scenario where <<'YAML'
setup: pwd >here
target: { command: pwd >>"$$(dirname "$$PWD")/here", cwd: sub }
warmup: { runs: 0 }
measure: { runs: 1 }
YAML
cd deep/er
expect 0 run
cd ../..
cat here
sed -E "s#$HOME#HOME#; s#tmp .*/pawl-[0-9]+-[0-9a-f]{8}-[A-Za-z0-9]{6}/#tmp SCRATCH/#" said
echo
read -r one again other <ports
[[ $one == "$again" && $one != "$other" ]] || fail "the ports: $(cat ports)"
[[ $one -gt 1023 && $other -gt 1023 ]] || fail "the ports: $(cat ports)"
holds '.scenarios[0].settings.command[3] == "${word}" or .scenarios[0].settings.command[3] == "two words"'
