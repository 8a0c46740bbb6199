#!/bin/bash
# The files that pawl generates. Man pages pass roff, mandoc and lexgrog without warnings and name every command,
# option and metric. docs/reference is what the program prints. Shells load the completions, which complete words.
#
# PAWL is the binary to run (default build/pawl). A missing tool is a skip.
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
PAWL=$(readlink -f "${PAWL:-$root/build/pawl}")
. "$root/tests/results.sh"

# expect WORDS COMMAND...: COMMAND succeeds and prints nothing.
expect() {
  local words=$1
  shift
  if "$@" >"$work/output" 2>&1 && [[ ! -s $work/output ]]; then ok "$words"; else fail "$words"; fi
}
have() { command -v "$1" >/dev/null; }

commands() { "$PAWL" help --all | sed -n 's/^  \([a-z][a-z]*\)  .*/\1/p'; }
# choices WORDS...: what the option that ends WORDS takes, by its error.
choices() { "$PAWL" "$@" no-such 2>&1 | sed -n 's/.*expected one of \(.*\), found.*/\1/p' | sed 's/, /\n/g'; }
formats() { choices report --format | sort | paste -sd' '; }
options() { "$PAWL" help --all "$@" | grep -oE '^ +(-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+'; }

# -------- man pages

mkdir "$work/man"
"$PAWL" help --man >"$work/man/pawl.1"
for command in $(commands); do "$PAWL" help --man "$command" >"$work/man/pawl-$command.1"; done
for page in scenario:pawl-scenario.5 pawl-yaml:pawl.yaml.5 result:pawl-result.5 metrics:pawl-metrics.7; do
  "$PAWL" help --man "${page%:*}" >"$work/man/${page#*:}"
done

quiet_roff() { local page; for page in "$work"/man/*; do groff -ww -man -Tutf8 -z "$page" || return; done; }
quiet_mandoc() { mandoc -T lint "$work"/man/*; }
# Each page has a line for whatis and apropos, under the name of its file.
named() {
  local page name
  for page in "$work"/man/*; do
    name=$(basename "${page%.*}")
    lexgrog "$page" | grep -qF "\"$name - " || echo "${page##*/}: lexgrog finds no name"
  done
}

# Each page contains the options of its command's help, in roff's spelling.
pages_are_complete() {
  local command word
  for command in $(commands); do
    for word in $(options "$command"); do
      grep -qF -- "\\fB${word//-/\\-}\\fR" "$work/man/pawl-$command.1" || echo "pawl-$command.1 lacks $word"
    done
    grep -qx '.SH EXAMPLES' "$work/man/pawl-$command.1" || echo "pawl-$command.1 lacks examples"
    grep -qF "\\fBpawl\\-$command\\fR(1)" "$work/man/pawl.1" || echo "pawl.1 lacks $command"
  done
  for word in $(metrics); do
    grep -qF "\\fB${word//-/\\-}\\fR" "$work/man/pawl-metrics.7" || echo "pawl-metrics.7 lacks $word"
  done
}
metrics() { sed -n '/^const struct metric metric_catalogue/,/^};/s/^\t\[METRIC_.*\(name = \|GROWS([A-Z0-9_]*, \)"\([A-Za-z0-9-]*\)".*/\2/p' "$root/src/model/metrics/metric.c"; }

if [[ $(metrics | wc -l) -lt 20 || $(commands | wc -l) -lt 8 ]]; then
  echo "the lists of commands and metrics cannot be read any more" >"$work/output"
  fail 'generated: lists to check by'
fi
expect 'generated: man pages name every command, option and metric' pages_are_complete
if have groff; then expect 'generated: groff -ww takes the man pages' quiet_roff; else
  skip 'generated: groff -ww takes the man pages' 'groff is not installed'
fi
if have mandoc; then expect 'generated: mandoc takes the man pages' quiet_mandoc; else
  skip 'generated: mandoc takes the man pages' 'mandoc is not installed'
fi
if have lexgrog; then expect 'generated: whatis finds the man pages' named; else
  skip 'generated: whatis finds the man pages' 'lexgrog (man-db) is not installed'
fi

# -------- docs/reference: `make docs` rewrites it

for page in scenario pawl-yaml metrics commands result baseline exit-status formats; do
  expect "generated: docs/reference/$page.md is what pawl prints" \
    diff "$root/docs/reference/$page.md" <("$PAWL" help --markdown "$page")
done
printed_action() { (cd "$root" && awk -f tools/github/reference.awk action.yml comment/action.yml); }
expect 'generated: docs/reference/action.md is what the actions say' diff "$root/docs/reference/action.md" <(printed_action)
expect 'generated: docs/reference has no other page' \
  diff <(basename -s .md -a "$root"/docs/reference/*.md) \
  <(printf '%s\n' action baseline commands exit-status formats metrics pawl-yaml result scenario)
# Every input that has not gone has a row; the script reads YAML by its lines.
inputs_of() { python3 -c 'import sys, yaml
for name, entry in yaml.safe_load(open(sys.argv[1]))["inputs"].items():
    if "deprecationMessage" not in entry: print("| `%s` | %s. |" % (name, entry["description"]))' "$1"; }
inputs() {
  local file row
  for file in action.yml comment/action.yml; do
    while IFS= read -r row; do grep -qF "$row" "$root/docs/reference/action.md" || echo "$file: no row $row"; done < <(inputs_of "$root/$file")
  done
}
if python3 -c 'import yaml' 2>/dev/null; then expect 'generated: every input of the actions is documented' inputs; else
  skip 'generated: every input of the actions is documented' 'PyYAML is not installed'
fi

# -------- JSON Schemas: `make schemas` rewrites those in share/

for schema in $(choices help --schema); do
  expect "generated: share/$schema.schema.json is what pawl prints" \
    diff "$root/share/$schema.schema.json" <("$PAWL" help --schema "$schema")
done

# -------- completions

mkdir -p "$work/project/scenarios" "$work/bin"
ln -s "$PAWL" "$work/bin/pawl"
PATH=$work/bin:$PATH
echo 'scenarios: scenarios' >"$work/project/pawl.yaml"
printf 'version: 1\ntarget: { command: "true" }\n' | tee "$work/project/scenarios/first.yaml" >"$work/project/scenarios/second.yaml"
for shell in bash zsh fish; do "$PAWL" completion "$shell" >"$work/pawl.$shell"; done

# The help does not list the hidden command of the completions.
hidden() { { "$PAWL" help; "$PAWL" help --man; "$PAWL" help completion; "$PAWL" help __complete; "$PAWL" __complte; } 2>&1 | grep -v 'no command' | grep __comp; [[ $? -eq 1 ]]; }
expect 'generated: help does not list what the completions ask' hidden
described() { "$PAWL" __complete ba | grep -v "^baseline	[a-z]" || [[ $? -eq 1 ]]; }
expect 'generated: a candidate stands before its description' described

# bash_offers WORD...: prints bash's candidates for the last WORD.
bash_offers() {
  (
    cd "$work/project" || exit
    # shellcheck source=/dev/null
    . "$work/pawl.bash"
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
    _pawl pawl
    printf '%s\n' "${COMPREPLY[@]}" | sort | paste -sd' '
  )
}
fish_offers() {
  (cd "$work/project" && HOME=$work fish -c "source $work/pawl.fish; complete -C '$*'" | cut -f1 | sort | paste -sd' ')
}
# Replaces zsh's functions with ones that print their arguments. zsh itself would select by the typed word.
zsh_offers() {
  (
    cd "$work/project" || exit
    PAWL_ZSH=$work/pawl.zsh zsh -f -c '
      compdef() { :; }; compset() { :; }
      _files() { print -- ":files $*"; }
      _describe() { print -l -- ${${(P)@[-1]}%%:*}; }
      source $PAWL_ZSH
      words=("$@") CURRENT=$# PREFIX=${@[-1]}
      _pawl
    ' zsh "$@" | sed 's/ $//; /^$/d' | sort | paste -sd' '
  )
}

# offers SHELL EXPECTED WORDS...: SHELL offers EXPECTED after WORDS.
offers() {
  local shell=$1 expected=$2 got
  shift 2
  got=$("${shell}_offers" "$@")
  printf 'expected: %s\n     got: %s\n' "$expected" "$got" >"$work/output"
  if [[ $got == "$expected" ]]; then ok "generated: $shell completes '$*'"; else fail "generated: $shell completes '$*'"; fi
}

all=$(commands | sort | paste -sd' ')
expect 'generated: bash takes its completions' bash -n "$work/pawl.bash"
offers bash "$all" pawl ''
offers bash 'cache calibrate check compare completion' pawl c
offers bash 'first scenarios second' pawl run ''
offers bash first pawl -q run fir
offers bash first pawl --color always run fir
offers bash first pawl run --runs 3 second fir
offers bash 'always auto' pawl run --color a
offers bash always pawl run --color = al
offers bash 'first scenarios second' pawl run --color = never ''
offers bash scenarios/first.yaml pawl run scenarios/f
offers bash 'diff list show update' pawl baseline ''
offers bash second pawl baseline update se
offers bash "$(formats)" pawl report --format ''
offers bash 'firefox folded json pprof svg top' pawl flamegraph --format ''
offers bash pawl.yaml pawl report p
offers bash scenarios pawl run --out ''
offers bash '' pawl run --runs ''
offers bash 'bash fish zsh' pawl completion ''
offers bash '' pawl run -- --
offers bash "$(options run | sort | paste -sd' ')" pawl run --
offers bash "$(options check | sort | paste -sd' ')" pawl check --
offers bash '--base' pawl run --bas
offers bash "$all" pawl help ''
offers bash '' pawl unknown ''
offers bash '' pawl doctor ''

if have shellcheck; then expect 'generated: shellcheck takes the bash completions' shellcheck -s bash "$work/pawl.bash"; else
  skip 'generated: shellcheck takes the bash completions' 'shellcheck is not installed'
fi
zsh_loads() { zsh -f -n "$work/pawl.zsh" && HOME=$work zsh -f -c "autoload -Uz compinit && compinit -D && source $work/pawl.zsh && [[ \$_comps[pawl] == _pawl ]]"; }
if have zsh; then expect 'generated: zsh takes its completions' zsh_loads; else
  skip 'generated: zsh takes its completions' 'zsh is not installed'
fi
if have zsh; then
  offers zsh "$all" pawl ''
  offers zsh ':files -g *.(yaml|yml) first second' pawl run ''
  offers zsh ':files -g *.(yaml|yml) first' pawl -q --color always run fi
  offers zsh 'diff list show update' pawl baseline ''
  offers zsh "$(formats)" pawl report --format ''
  offers zsh '--format=html' pawl report --format=h
  offers zsh ':files' pawl report --output ''
  offers zsh ':files -/' pawl run --out ''
  offers zsh '' pawl run --runs ''
  offers zsh "$(options run | sort | paste -sd' ')" pawl run --
fi
if have fish; then
  expect 'generated: fish takes its completions' fish -n "$work/pawl.fish"
  offers fish "$all" 'pawl '
  offers fish 'first' 'pawl run fi'
  offers fish 'diff list show update' 'pawl baseline '
  offers fish 'second' 'pawl baseline list se'
  offers fish 'first' 'pawl --color always run fi'
  offers fish "$(formats)" 'pawl report --format '
  offers fish 'bash fish zsh' 'pawl completion '
  offers fish '--format=html' 'pawl report --format=h'
  offers fish 'scenarios/' 'pawl run --out s'
  offers fish '--out=scenarios/' 'pawl run --out=s'
  offers fish 'pawl.yaml' 'pawl report p'
  offers fish '' 'pawl run --runs '
  offers fish "$(options run | sort | paste -sd' ')" 'pawl run --'
else
  skip 'generated: fish takes its completions' 'fish is not installed'
fi

# -------- files that make install installs

installed() {
  make -C "$root" -s B="$(dirname "$PAWL")" DESTDIR="$work/root" prefix=/usr install >"$work/made" 2>&1 || { cat "$work/made"; return 1; }
  local command file
  for file in bin/pawl share/man/man1/pawl.1 share/bash-completion/completions/pawl share/zsh/site-functions/_pawl \
    share/fish/vendor_completions.d/pawl.fish share/pawl/scenario.schema.json share/man/man5/pawl-scenario.5 share/man/man5/pawl.yaml.5 \
    share/man/man5/pawl-result.5 share/man/man7/pawl-metrics.7 share/doc/pawl/README.md share/doc/pawl/docs/reference/scenario.md; do
    [[ -s $work/root/usr/$file ]] || echo "$file is not installed"
  done
  for command in $(commands); do
    [[ -s $work/root/usr/share/man/man1/pawl-$command.1 ]] || echo "pawl-$command.1 is not installed"
  done
  make -C "$root" -s DESTDIR="$work/root" prefix=/usr uninstall >/dev/null 2>&1
  find "$work/root" -type f | sed 's/^/uninstall leaves /'
}
if [[ -x $(dirname "$PAWL")/pawl && -e $(dirname "$PAWL")/libpawl.a ]]; then
  expect 'generated: make install puts all of it in place, uninstall takes it away' installed
else
  skip 'generated: make install' "$PAWL is in no folder of the build"
fi

[[ $failures -eq 0 ]]
