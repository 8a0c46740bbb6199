# A base commit is checked out and built once. The working tree is built too, and triple work is a regression.

mk_work_repo 3
expect 1 run --base base --no-profile --no-explain
has "$out" 'REGRESSION work CPU time +' 'limit 2 %'
has "$err" 'checking out' 'building the working tree' '[1/1] work: '
[[ $(builds) -eq 2 ]] || fail "$(builds) builds"
has pawl-out/latest/build-head.log "building in $PWD"
has "$(echo "$XDG_CACHE_HOME"/pawl/trees/*/*.log)" "building in $XDG_CACHE_HOME/pawl/trees/"
holds '.mode == "paired" and .status == 1 and (.scenarios[0].pairs | length) >= 10'
holds '.scenarios[0] | (.runs | length) == (.pairs | length)'
holds '.scenarios[0].gates[0] | .verdict == "regression" and .change_pct > 30 and .low_pct > 10'
holds ".scenarios[0].pairing | .base.label == \"base ($(git rev-parse --short=12 base))\" and .base.commit == \"$(git rev-parse base)\""
holds '.scenarios[0].pairing.head.label | startswith("working tree (")'
holds '.scenarios[0].pairing | .base.executable != .head.executable'
[[ $(git worktree list | wc -l) -eq 2 ]] || fail "$(git worktree list)"

# The second time the tree exists, so only the working tree is built.
seed=$(result '.scenarios[0].pairing.seed')
has "$out" "--seed $seed"
expect 0 run work --base base --no-profile --seed 7 --runs 2
has "$err" 'using the kept build'
[[ $(builds) -eq 3 ]] || fail "$(builds) builds"
holds '.scenarios[0].pairing.seed == "7" and (.command | endswith("--runs 2"))'

# With commits on both sides the working tree is neither built nor read.
commit_all 'three times the work'
echo 'target:' >scenarios/work.yaml
expect 0 run --base base --head HEAD --no-profile --seed 7 --runs 2
[[ $(builds) -eq 4 && $(trees) -eq 2 ]] || fail "$(builds) builds, $(trees) trees"
holds ".commit == \"$(git rev-parse --short=12 HEAD)\""
tidy || fail "left: $(ls -A "$TMPDIR")"
