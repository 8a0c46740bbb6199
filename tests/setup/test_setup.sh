#!/bin/bash
# tools/setup.sh and tools/no-daemons.sh, with fake apt-get and dpkg. Checks the installed packages and
# the messages, and that changes to the machine last only as long as the installation.
# shellcheck disable=SC2016
set -u

here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../../tools
. "$here/../results.sh"

# check WORDS COMMAND...: COMMAND succeeds.
check() {
  local words=$1
  shift
  if "$@"; then ok "$words"; else fail "$words"; fi
}

unset "${!PAWL_@}"
export DPKG_ROOT=$work/root STRAW=$work
sbin=$DPKG_ROOT/usr/sbin etc=$DPKG_ROOT/etc

# machine KIND: makes a machine. `furnished` has a policy of its own, and postgresql.
machine() {
  rm -rf "$DPKG_ROOT" "$work/apt" "$work/output"
  mkdir -p "$sbin" "$etc/apt"
  : >"$work/output"
  : >"$work/apt"
  if [[ $1 == furnished ]]; then
    printf '#!/bin/sh\n# of this machine\nexit 0\n' >"$sbin/policy-rc.d"
    mkdir "$etc/postgresql-common"
    echo 'ssl = on' >"$etc/postgresql-common/createcluster.conf"
  fi
  before=$(state)
}

state() { (cd "$DPKG_ROOT" && find . -type f -exec grep -H '' {} + && find . -type d) 2>/dev/null | sort; }
unchanged() { [[ $(state) == "$before" ]] || { diff <(echo "$before") <(state) >>"$work/output"; return 1; }; }

# -------- no-daemons.sh

no_daemons() { "$tools/no-daemons.sh" "$@" >>"$work/output" 2>&1; }
ends_with() {
  local wanted=$1 status=0
  shift
  "$@" || status=$?
  [[ $status -eq $wanted ]] || { echo "status $status, not $wanted" >>"$work/output"; return 1; }
}

refuses='sh "$DPKG_ROOT/usr/sbin/policy-rc.d"; [ $? -eq 101 ] &&
  grep -q "create_main_cluster = false" "$DPKG_ROOT"/etc/postgresql-common/createcluster.d/*.conf'

test_no_daemons() {
  local kind status=0
  for kind in bare furnished; do
    machine $kind
    check "$kind: nothing may start meanwhile" no_daemons sh -c "$refuses"
    check "$kind: what was there is there again" unchanged
    check "$kind: the status is the command's" ends_with 7 no_daemons sh -c 'exit 7'
    check "$kind: also when it failed" unchanged
    "$tools/no-daemons.sh" sh -c 'kill -TERM $PPID; echo on >>"$STRAW/output"; '"$refuses" >>"$work/output" 2>&1 || status=$?
    check "$kind: a signal ends it" test "$status" -eq 143
    check "$kind: also after a signal, which waits for the command" eval 'unchanged && grep -q "^on" "$work/output"'
    { no_daemons sh -c 'kill -KILL $PPID'; } 2>/dev/null
    check "$kind: when it was killed, the policy stays behind" ends_with 1 unchanged
    check "$kind: and the next one ends it" eval 'no_daemons true && unchanged'
  done
  check 'no command is misuse' ends_with 2 no_daemons
}

# -------- setup.sh

# The fakes: $STRAW/installed lists the installed packages, and apt-get logs its actions in $STRAW/apt.
mkdir "$work/bin"
cat >"$work/bin/apt-get" <<'END'
#!/bin/sh
policy=$(grep -c '^exit 101' "$DPKG_ROOT/usr/sbin/policy-rc.d" 2>/dev/null)
echo "$* [${policy:-0}]" >>"$STRAW/apt"
case "$*" in *install*" ${STRAW_REFUSES:-nothing}"*) exit 100 ;; esac
END
cat >"$work/bin/dpkg-query" <<'END'
#!/bin/sh
sed 's/$/ installed/' "$STRAW/installed"
END
printf '#!/bin/sh\necho 6.1\n' >"$work/bin/perf"
printf '#!/bin/sh\necho "npm $*" >>"$STRAW/apt"\n' >"$work/bin/npm"
printf '#!/bin/sh\n' | tee "$work/bin/node" >"$work/bin/chromium"
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
chmod +x "$work"/bin/*

setup() { PATH=$work/bin:$PATH "$tools/setup.sh" "$@" >>"$work/output" 2>&1; }
installed() { printf '%s\n' "$@" >"$work/installed"; }
servers=(nginx wrk redis-server redis-tools postgresql slurmctld slurmd slurm-client munge jq python3 python3-yaml)
optional=(podman crun busybox-static libbenchmark-dev python3-pytest-benchmark hyperfine catch2 golang-go cargo librust-criterion-dev)
asked() { grep -qE -- "$1" "$work/apt" || { sed 's/^/asked: /' "$work/apt" >>"$work/output"; return 1; }; }

test_setup() {
  machine furnished
  installed "${servers[@]}" "${optional[@]}"
  check 'nothing is done when nothing is missing' eval 'setup servers && [[ ! -s $work/apt && ! -s $work/output ]]'

  machine furnished
  installed "${servers[@]:1}" "${optional[@]}"
  check 'only what is missing is installed, and not started' eval 'setup servers && asked " nginx \[1\]$"'
  check 'the machine is as before' unchanged

  machine furnished
  installed "${servers[@]}" crun "${optional[@]:3}"
  check 'what is optional is installed' eval 'setup servers && asked " busybox-static podman \[1\]$"'
  machine furnished
  check 'what is optional may fail' eval 'STRAW_REFUSES=busybox setup servers && grep -q "could not install busybox-static podman" "$work/output"'
  check 'the machine is as before then, too' unchanged

  machine bare
  installed jq
  check 'what is needed may not fail' eval 'STRAW_REFUSES=nginx ends_with 1 setup servers && grep -q "still needed:.* nginx" "$work/output"'
  check 'the machine is as before then as well' unchanged

  machine bare
  check 'printing changes nothing' eval 'PAWL_NO_INSTALL=1 setup servers && [[ ! -s $work/apt ]] && unchanged'
  check 'printing says how' grep -q '^+ .*no-daemons.sh .*apt-get install .* nginx' "$work/output"

  machine bare
  check 'without a group, no server' eval 'setup && ! asked "nginx|redis|podman" && asked "install .* gcc"'
  check 'other groups need no policy' eval 'asked "install .*\[0\]$"'
  machine bare
  check 'an unknown group is misuse' eval 'ends_with 2 setup server && grep -q "unknown group .server." "$work/output"'
}

# -------- the Makefile without a library

# missing LIBRARY TARGET: runs make with a pkg-config that does not know LIBRARY.
missing() {
  local status=0
  printf '#!/bin/sh\ncase " $* " in *" %s "*) exit 1 ;; esac\n' "$1" >"$work/pkg-config"
  chmod 755 "$work/pkg-config"
  make -C "$here/../.." --no-print-directory B="$work/build" PKG_CONFIG="$work/pkg-config" "$2" >"$work/output" 2>&1 || status=$?
  [[ $status -ne 0 ]]
}

test_make() {
  check 'without cmocka, units names make setup' eval 'missing cmocka units && grep -q "cmocka.*is missing: run .make setup." "$work/output"'
  check 'without cJSON, all names make setup' eval 'missing libcjson all && grep -q "libelf, PCRE2 or zlib is missing: run .make setup." "$work/output"'
  check 'and no compiler is asked' eval '! grep -q "fatal error" "$work/output"'
}

test_no_daemons
test_setup
test_make
[[ $failures -eq 0 ]]
