#!/bin/bash
# What the how-to pages quote exists: each message of troubleshooting.md stands in the source, and each artifact that a
# page downloads or names has the name that action.yml uploads by default. Nor do the benches, which no test runs, give pawl
# an option that it lacks.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/results.sh"
how_to=$root/docs/how-to

# Prints the messages of PAGE that no literal of pawl or its GitHub scripts holds. `...` stands for any text.
cat >"$work/quotes.py" <<'PYTHON'
import glob, re, sys
root, page = sys.argv[1:]
names = glob.glob(f"{root}/src/**/*.[ch]", recursive=True) + glob.glob(f"{root}/tools/github/*")
# As they are printed: neighbouring literals are one, %% is %, and arguments are not known.
source = re.sub(r'"\s*"', "", "\n".join(open(name, encoding="utf-8").read() for name in names))
source = source.replace('\\"', '"').replace("%%", "%")
entries = re.findall(r"^- ((?:`[^`]+`(?:, )?)+):", open(page, encoding="utf-8").read(), re.M)
messages = [message for entry in entries for message in re.findall(r"`([^`]+)`", entry)]
for message in messages:
    parts = [re.escape(part) for part in message.split("...")]
    if not re.search(r"[^\"\n]{0,60}".join(parts), source):
        print(f"nothing prints: {message}")
if len(messages) < 20:
    print(f"only {len(messages)} messages are quoted")
PYTHON

quotes() { python3 "$work/quotes.py" "$root" "$1" | tee "$work/output"; }

name='docs: pawl prints each message that troubleshooting.md quotes'
if [[ -z $(quotes "$how_to/troubleshooting.md") ]]; then ok "$name"; else fail "$name"; fi
sed '0,/^- `/s//- `no program prints this`, `/' "$how_to/troubleshooting.md" >"$work/wrong.md"
name='docs: a message that nothing prints is found'
if [[ $(quotes "$work/wrong.md") == 'nothing prints: no program prints this' ]]; then ok "$name"; else fail "$name"; fi

name='docs: artifacts are called as action.yml calls them'
uploaded=$(sed -n '/^  artifact:/,/^  [a-z]/s/^    default: //p' "$root/action.yml")
grep -rnoE "run download [A-Z]+ -n [a-z-]+|(name|pattern|artifact): pawl-[a-z]+|artifact \`[a-z-]+\`" "$how_to" "$root/README.md" >"$work/named"
grep -vE "[ \`]$uploaded\`?$" "$work/named" >"$work/output"
[[ $uploaded && $(wc -l <"$work/named") -ge 4 ]] || cp "$work/named" "$work/output"
if [[ ! -s $work/output ]]; then ok "$name"; else fail "$name"; fi

# Prints the options that the lists of words in FILE... begin with pawl and lack in its help.
cat >"$work/options.py" <<'PYTHON'
import re, subprocess, sys
pawl, *names = sys.argv[1:]
calls = [call for name in names for call in re.findall(r'\[PAWL, "(\w+)"([^]]*)\]', open(name, encoding="utf-8").read())]
for command, words in calls:
    known = subprocess.run([pawl, "help", "--all", command], stdout=subprocess.PIPE, text=True, check=True).stdout
    for option in re.findall(r'"(--?[a-z][a-z-]*)"', words):
        if not re.search(rf"(^|\s){option}[, \n]", known):
            print(f"pawl {command} has no {option}")
if len(calls) < 5:
    print(f"only {len(calls)} calls of pawl were found")
PYTHON
name='docs: the benches give pawl options that it has'
python3 "$work/options.py" "$B/pawl" "$root"/tests/bench/*.py >"$work/output"
if [[ ! -s $work/output ]]; then ok "$name"; else fail "$name"; fi
echo '[PAWL, "ab", "-q", "--no-profile"]' >"$work/wrong.py"
name='docs: an option that pawl lacks is found'
python3 "$work/options.py" "$B/pawl" "$work/wrong.py" >"$work/output"
if grep -qx 'pawl ab has no --no-profile' "$work/output"; then ok "$name"; else fail "$name"; fi
[[ $failures -eq 0 ]]
