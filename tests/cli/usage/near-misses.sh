# A near miss of any kind of word is answered by the word that was meant.

mk_quick parse
sed -i '1a tags: [slow]' scenarios/parse.yaml
echo 'build: "true"' >pawl.yaml
mk_repo
git branch release-1
# meant WORD ARGUMENT...: pawl refuses the arguments, and asks for WORD.
meant() {
  local word=$1
  shift
  expect 2 "$@"
  has "$err" "did you mean $word?"
}
meant "'compare'" comapre a b
meant --judge run --jugde HEAD
meant "'parse'" run prase
meant "'release-1'" run --base relaese-1
meant "'release-1'" run --judge release1
meant "'markdown'" report --format markdwon
meant "'wall-time'" ab --metric wal-time true false
meant "'update'" baseline updaet
meant "'slow'" run --tag slwo
echo 'biuld: make' >pawl.yaml
meant "'build'" check
echo 'gates: { page-fault: +1% }' >pawl.yaml
meant "'page-faults'" check
printf 'version: 1\ntarget: { comand: "true" }\n' >scenarios/parse.yaml
meant "'command'" check
