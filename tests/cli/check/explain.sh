# --explain prints a scenario with every default filled in; that is a scenario again, and the same one.

mkdir scenarios again
printf 'target: ./prog x\ngates: {cpu-time: 5%%, ipc: default}\n' >scenarios/two.yaml
"$PAWL" check --explain
root=${LIB%/*}/../..
cp "$root"/scenarios/*.yaml "$root"/scenarios/servers/*.yaml "$root"/share/demo/*.yaml scenarios/
echo 'gates: { max-rss: 7% }' >pawl.yaml
for file in scenarios/*.yaml; do "$PAWL" check --explain "$file" >"again/${file##*/}" || fail "$file"; done
grep -q '^  max-rss: 7%$' again/two.yaml || fail 'the gate of pawl.yaml is missing'
"$PAWL" check --json scenarios/*.yaml | sed 's|scenarios/||' >../once
"$PAWL" check --json again/*.yaml | sed 's|again/||' >../twice
diff ../once ../twice || fail 'the scenarios differ'
for file in again/*.yaml; do "$PAWL" check --explain "$file" | diff "$file" - || fail "$file"; done

# Several are documents of their own.
[[ $("$PAWL" check --explain scenarios/*.yaml | grep -c '^---$') -eq $(($(ls scenarios | wc -l) - 1)) ]] || fail 'documents are not apart'
expect 2 check --explain --json two
has "$err" 'give one of them'
echo 'target: []' >scenarios/two.yaml
expect 2 check --explain two
has "$err" 'the command is empty'
nothing_measured
