# A change that edits, removes, renames or adds judge files is judged by the base's files, and each one is named.

mk_judged
slower
again() {
  git checkout -q HEAD -- pawl.yaml scenarios baselines
  git clean -qfd scenarios baselines
}
loose() { sed 's/^measure/gates: { page-faults: +900% }\nmeasure/' scenarios/a.yaml; }

loose >x && mv x scenarios/a.yaml
caught 'this change edits scenarios/a.yaml'
again
for file in baselines/a/*.json; do
  jq '.sessions[0].metrics["page-faults"] |= map(1000000)' "$file" >x
  mv x "$file"
  name=$file
done
caught "this change edits $name"
again
rm -r baselines
caught "this change removes $name"
again
rm scenarios/a.yaml
caught 'this change removes scenarios/a.yaml'
again
echo -- a new name for the file, and looser gates in it
{ echo 'name: a'; loose; } >scenarios/b.yaml && rm scenarios/a.yaml
caught 'this change renames scenarios/a.yaml to scenarios/b.yaml'
pull 1 run scenarios/b.yaml
pull 1 run a
again
echo -- a second file of that name
{ echo 'name: a'; loose; } >scenarios/b.yaml
caught 'this change adds scenarios/b.yaml' 'scenarios/b.yaml: its name, a, is that of scenarios/a.yaml, which was used'
pull 1 run scenarios/b.yaml
again
echo -- tags and programs that are required
sed -i 's/^tags.*/tags: [other]\nrequires: [no-such-program]/' scenarios/a.yaml
pull 1 run --tag gate
pull 2 run --tag other
again
echo -- .gitattributes, and links in place of files
echo '* text eol=crlf export-ignore filter=none -diff' >.gitattributes
loose >scenarios/b.txt && ln -sf b.txt scenarios/a.yaml
caught 'this change edits scenarios/a.yaml'
rm .gitattributes
again
echo -- several at once, each named once
loose >x && mv x scenarios/a.yaml
echo 'gates: { page-faults: off }' >pawl.yaml
caught 'this change edits pawl.yaml, scenarios/a.yaml: what judged'
for file in "$out" pawl-out/latest/report.md pawl-out/latest/report.html; do
  [[ $(grep -o 'scenarios/a\.*yaml' "$file" | sort | uniq -c | awk '{ print $1 }') -ge 1 ]] || fail "$file does not name it"
  [[ $(grep -c 'this change edits' "$file") -eq 1 ]] || fail "$file names it more than once"
done
has pawl-out/latest/junit.xml 'name="note" value="this change edits pawl.yaml, scenarios/a.yaml'
GITHUB_ACTIONS=true pull 1 run
has "$err" '::warning title=JUDGE EDITED::this change edits pawl.yaml, scenarios/a.yaml'
holds '[.judge.edits[] | .path, .change] == ["pawl.yaml", "edited", "scenarios/a.yaml", "edited"]'
git checkout -q pawl.yaml scenarios
git clean -qfd
pull 1 run
lacks "$out" 'JUDGE EDITED'
has "$out" 'are those of origin/main' 'this change edits none of them'
