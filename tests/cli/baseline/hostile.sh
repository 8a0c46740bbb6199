# Hostile text in a baseline, a scenario or a folder's name reaches neither the terminal nor GitHub's log as a command.

mk_quick a
sed -i '1a description: "\\e[31m\\n\\u3000::error::x"' scenarios/a.yaml
expect 0 baseline update --reason first
file=$(echo baselines/a/*.json)
jq '.sessions[0] |= (.commit = "\u001b]0;x\u0007\n::stop-commands::y" | .by = "##[error]x" | .reason = "\u00a0::add-mask::\u3164")' \
  "$file" >bad.json
mv bad.json "$file"

harmless() {
  expect "$@"
  lacks "$out" "$(printf '\033')" "$(printf '\007')" '##[' $'\u3164'
  ! grep -nP '^[\s\p{Z}]*::' "$out" "$err" || fail "pawl ${*:2} gives GitHub a command"
}
harmless 0 baseline show
harmless 0 baseline list
harmless 0 check
harmless 0 baseline show --json
mk_repo
jq '.sessions[0].reason = "other"' "$file" >more.json
cp "$file" hostile.json
mv more.json "$file"
commit_all 'another'
mv hostile.json "$file"
harmless 0 baseline diff
harmless 0 baseline diff --json
# Errors escape their arguments in every line.
harmless 2 check $'\n\u00a0::error::x/'
harmless 2 baseline show $'a\n::error::x'
harmless 2 $'\u3000::error::x'
