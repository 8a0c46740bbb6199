# The key of a cached tree is its build command, environment and compiler. Variables that the shell or the job
# changes on its own do not count.

mk_judged
printf 'build: "cat library/file library/words/file; touch built"\n' >>pawl.yaml
printf 'built\n' >>.gitignore
git init -q ../library
echo word >../library/file
git init -q ../words
echo nested >../words/file
git -C ../words add file
git -C ../words commit -qm words
git -C ../library add file
git -C ../library -c protocol.file.allow=always submodule --quiet add "$PWD/../words" words
git -C ../library commit -qm library
git -c protocol.file.allow=always submodule --quiet add "$PWD/../library" library
git -c protocol.file.allow=always submodule --quiet update --init --recursive
commit_all 'with a build and a submodule'
compare() { expect 0 run a --base HEAD --head . --no-profile --runs 1; }
trees_are() { [[ $(trees) -eq $1 ]] || fail "$2: $(trees) trees, expected $1"; }

compare
has "$(echo "$XDG_CACHE_HOME"/pawl/trees/*/*.log)" word nested # the submodules that the repository has fetched
COLUMNS=33 GITHUB_RUN_ID=7 MAKEFLAGS=' -j2 --jobserver-auth=3,4' compare
trees_are 1 noise
has "$err" 'using the kept build'
CMAKE_BUILD_TYPE=Debug compare
trees_are 2 CMAKE_BUILD_TYPE
for version in 1 2; do
  printf '#!/bin/sh\necho cc %s\n' "$version" >"$CASE_DIR/kept/cc"
  chmod +x "$CASE_DIR/kept/cc"
  CC=$CASE_DIR/kept/cc compare
done
trees_are 4 'the version of CC'
