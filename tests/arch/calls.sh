# Dependencies between folders point one way in calls too: an object uses only symbols of its own folder and of the
# folders it may depend on. The test of includes would miss a declaration written by hand.
# shellcheck shell=bash
set -eu

. "$(dirname "${BASH_SOURCE[0]}")/drawing"

folder_of() { case $1 in */*) echo "${1%/*}" ;; *) echo . ;; esac; }

declare -A may
# back: prints the lines of standard input, USER OWNER NAME, that break the rule.
back() {
  local user owner name from to
  while read -r user owner name; do
    from=$(folder_of "$user") to=$(folder_of "$owner")
    [[ $from != "$to" ]] || continue
    [[ -n ${may[$from]:-} ]] || may[$from]=" $(allowed "$from" | tr -s '\n ' ' ') "
    [[ ${may[$from]} == *" $to "* ]] || echo "src/$user.c: src/$from may not know of $name in src/$owner.c"
  done
}

[[ -n $(back <<<'stats/rank judge/judge judge_scenario') ]] || { echo 'a call the wrong way was not found'; exit 1; }
[[ -z $(back <<<'judge/judge stats/rank stats_median') ]] || { echo 'a call the right way was refused'; exit 1; }

objects=()
while read -r source; do
  object=$B/${source#src/}
  objects+=("${object%.c}.o")
done < <(find src -name '*.c')
found=$(uses "${objects[@]}" | sed "s|$B/||g" | back)
[[ -z $found ]] || { echo "$found"; exit 1; }
