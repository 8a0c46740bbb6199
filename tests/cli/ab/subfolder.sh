# The project is a folder of its repository. One base builds in its own way, another has no pawl.yaml.

mk_work_repo 0 0
mkdir -p deep/project
git mv amount build.sh pawl.yaml scenarios deep/project
commit_all 'deeper'
sed -i 's/sh build.sh/echo its own way; sh build.sh/' deep/project/pawl.yaml
commit_all 'its own way to build'
git tag own
git rm -q deep/project/pawl.yaml
commit_all 'no way to build'
git tag without
cd deep/project
echo 'build: sh build.sh' >pawl.yaml
for base in own without; do
  expect 0 run work --base $base --no-profile --runs 1
  log=$(ls "$XDG_CACHE_HOME"/pawl/trees/*/"$(git rev-parse $base)"-*.log)
  has "$log" 'building in' '/deep/project'
done
has "$(ls "$XDG_CACHE_HOME"/pawl/trees/*/"$(git rev-parse own)"-*.log)" 'its own way'
lacks "$log" 'its own way'
# The base commit does not have the folder yet.
expect 3 run work --base base --no-profile --runs 1
has "$err" 'has no folder deep/project'
