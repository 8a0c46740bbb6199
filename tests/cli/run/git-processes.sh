# pawl reads the judge from a commit with few git processes, however many scenarios exist. Each edited file takes two
# more.

mk_repo
mkdir bin
printf '#!/bin/sh\necho "$*" >>%s\nexec %s "$@"\n' "$PWD/started" "$(command -v git)" >bin/git
chmod +x bin/git
printf '/bin/\n/started\n' >>.gitignore

# starts MOST ARGUMENTS...: pawl starts at most MOST git processes.
starts() {
  local most=$1
  shift
  : >started
  PATH=$PWD/bin:$PATH expect 0 "$@"
  [[ $(wc -l <started) -le $most ]] || fail "$(wc -l <started) processes of git: $(cat started)"
}

for n in 1 10; do
  for i in $(seq "$n"); do
    printf 'target: { command: [/bin/true] }\nmeasure: { runs: 1 }\ngates: { task-clock: off, page-faults: +90%% }\n' | mk_scenario "s$i"
  done
  expect 0 baseline update --reason first
  commit_all "$n"
  printf '# another\n' >>scenarios/s1.yaml
  commit_all 'an edit'
  printf '# and more\n' >>scenarios/s1.yaml
  starts 9 run --judge HEAD~1
  has "$out" 'what judged are the files of HEAD~1'
  starts 0 check
  starts 14 run --base HEAD~1 --runs 1 --budget 100ms --no-profile
done
