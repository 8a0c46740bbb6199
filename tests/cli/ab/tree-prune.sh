# Kept trees have a cap. Those used longest ago go first; unfinished ones go, and those in use stay.

mk_work_repo 0 0
fill() { printf "%s" "$1"{,,,,,,,,,,,,,,,,,,,}; }
compare() { expect 0 run work --base base --no-profile --runs 1; }
compare
folder=$(echo "$XDG_CACHE_HOME"/pawl/trees/*)
for i in 10 11 12 13 14 15 16 17 18 19; do
  tree=$folder/$(fill $i)-0123456789abcdef
  mkdir "$tree"
  printf 'pawl tree 3 1048576\0' >"$tree.done"
  touch -d "2020-01-01 00:00:$i" "$tree.done"
done
mkdir "$folder/mine" "$folder/$(printf 'a%.0s' {1..40})-0123456789abcdef"
exec 9>"$folder/$(fill 10)-0123456789abcdef.lock"
flock -s 9
export PAWL_CACHE_SIZE=7.5MiB
compare
has "$err" 'using the kept build'
ls "$folder" >"$CASE_DIR/kept/list"
has "$CASE_DIR/kept/list" mine "$(fill 19)-" "$(fill 13)-" "$(fill 10)-" "$(git rev-parse base)-"
lacks "$CASE_DIR/kept/list" "$(fill 11)-" "$(fill 12)-" aaaaaaaa
