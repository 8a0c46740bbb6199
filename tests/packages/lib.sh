# Sourced by the tests of what is published.
# shellcheck shell=bash disable=SC2154
. "$root/tests/results.sh"
# The checkout may belong to another user.
export HOME=$work/home
mkdir "$HOME"
git config --global safe.directory '*'
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES STATIC SAN COVERAGE WERROR CFLAGS LDFLAGS
version=$(sed -n 's/^VERSION := //p' "$root/Makefile")

# check WORDS COMMAND...: COMMAND succeeds; its output is shown only if it fails.
check() {
  local words=$1
  shift
  if "$@" >"$work/output" 2>&1; then ok "$words"; else fail "$words"; fi
}
# refused WORDS TEXT COMMAND...: COMMAND fails, and says TEXT.
refused() {
  local words=$1 text=$2
  shift 2
  if "$@" >"$work/output" 2>&1 || ! grep -q -- "$text" "$work/output"; then fail "$words"; else ok "$words"; fi
}

# heavy WORDS TOOL...: fails, and skips WORDS, unless this machine has the tools and the minutes.
heavy() {
  local tool words=$1
  shift
  [[ ${PAWL_TEST_PACKAGES:-} == 1 ]] || { skip "$words" 'takes minutes (make test-packages)'; return 1; }
  git -C "$root" rev-parse -q --verify HEAD >/dev/null 2>&1 || { skip "$words" 'this is not a git repository'; return 1; }
  for tool in "$@"; do
    command -v "$tool" >/dev/null || { skip "$words" "$tool is not installed (tools/setup.sh package)"; return 1; }
  done
}

# -------- clones, which the next script of `make test-packages` uses again

clones=$work
[[ ${PAWL_TEST_PACKAGES:-} != 1 ]] || clones=$root/build/packages/$(git -C "$root" rev-parse HEAD)

# clone NAME: prints the folder of a clone of HEAD.
clone() {
  [[ -d $clones/$1 ]] || git clone -q "$root" "$clones/$1"
  echo "$clones/$1"
}

# deb_of CLONE: prints the path of its package.
deb_of() { echo "$clones/$1"/build/dist/pawl_*.deb; }

another_second() { local now; now=$(date +%s); until [[ $(date +%s) -ne $now ]]; do sleep 0.05; done; }

# twice COMMAND FILE: runs COMMAND in two clones in different folders, at different times; FILE has the same bytes in both.
twice() {
  local folder
  folder=$(clone a) && (umask 022 && cd "$folder" && eval "$1") || return
  another_second
  folder=$(clone other/b) && (umask 077 && cd "$folder" && eval "$1") || return
  cmp "$clones/a/$2" "$clones/other/b/$2"
}

# -------- systems

# system NAME [RELEASE]: makes $work/NAME, the smallest system of this release or of another.
system() {
  local base=$root/build/packages/root${2:+-$2}
  {
    { [[ -d $base ]] || "$root/tools/debian.sh" root "$base" ${2:+"$2"}; } &&
      cp -a "$base" "$work/$1" && echo force-unsafe-io >"$work/$1/etc/dpkg/dpkg.cfg.d/scratch" && inside "$work/$1" 'apt-get -q update'
  } >"$work/output" 2>&1 || { fail "the system $1 is made"; return 1; }
}

# remove NAME: removes that system. Nothing is mounted there any more.
remove() { rm -rf --one-file-system "${work:?}/$1"; }

# inside FOLDER SCRIPT: runs the script as root of a system. What it starts and mounts ends with it.
inside() {
  unshare --mount --pid --fork --kill-child sh -ec '
    mount -t proc proc "$0/proc"
    mount --rbind /sys "$0/sys"
    mount --rbind /dev "$0/dev"
    mount -t tmpfs tmpfs "$0/run"
    mkdir -m 1777 "$0/run/lock"
    exec chroot "$0" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive sh -ec "cd; $1"' "$1" "$2" </dev/null
}
