#!/bin/bash
# The steps of the Containerfile: by a container engine if one works here, and else its COPY and RUN lines in a root that
# debootstrap made. What it makes measures.
# shellcheck disable=SC2016
set -u

root=$(cd "$(dirname "$0")/../.." && pwd)
. "$root/tests/packages/lib.sh"

# instructions: prints those of the Containerfile, one a line.
instructions() { sed -e '/^#/d' -e '/^$/d' "$root/Containerfile" | sed -e ':a' -e '/\\$/{N;s/\\\n *//;ba}'; }

# build_in FOLDER: executes them in a system, which stands for the image that they begin with.
build_in() {
  local word rest
  while read -r word rest; do
    case $word in
      FROM | CMD) ;;
      COPY)
        # shellcheck disable=SC2086 # its patterns
        (cd "$clones/a" && cp ${rest% *} "$1${rest##* }") || return
        ;;
      RUN) inside "$1" "$rest" || return ;;
      *) echo "the test does not know $word"; return 1 ;;
    esac
  done < <(instructions)
}

measures="perf --version && valgrind --version && pawl --version && pawl ab 'seq 3000000' 'seq 1000' | grep faster"

test_steps() {
  system image || return
  check 'its steps run in a bare system' build_in "$work/image"
  check 'which has perf, valgrind and pawl, and measures' inside "$work/image" "$measures"
  check 'and the files that were copied are gone' eval '[[ -z $(find "$work/image/tmp" "$work/image/var/lib/apt/lists" -mindepth 1) ]]'
  remove image
}

# Options for machines that are containers themselves. podman asks for higher limits there than it may set.
declare -A build=([podman]='--isolation chroot --layers=false')
declare -A run=([podman]='--cgroups=disabled --ulimit nofile=1024:1024 --ulimit nproc=1024:1024')

# start COMMAND...: runs an engine's command. crun starts nothing where both versions of cgroups have controllers, so one is
# hidden from it.
start() {
  local hide=''
  ! grep -qs . /sys/fs/cgroup/unified/cgroup.controllers || hide='umount /sys/fs/cgroup/unified; umount /sys/fs/cgroup/memory;'
  unshare --mount sh -c "$hide"'exec "$@"' - "$@"
}

# The image that it begins with is made here, so that no registry is needed.
# shellcheck disable=SC2086 # several options
test_engine() {
  local engine image
  image=$(sed -n 's/^FROM //p' "$root/Containerfile")
  for engine in podman docker; do
    if ! command -v $engine >/dev/null || ! $engine info >/dev/null 2>&1; then continue; fi
    system base || return
    check "$engine takes a bare system for $image" eval 'tar -C "$work/base" -c . | $engine import - pawl-test-base'
    remove base
    sed 's/^FROM .*/FROM pawl-test-base/' "$root/Containerfile" >"$work/Containerfile"
    check "$engine builds it" \
      $engine build ${build[$engine]:-} --network host --file "$work/Containerfile" --tag pawl-test "$clones/a"
    check 'and the image measures' start $engine run --rm --network host ${run[$engine]:-} pawl-test sh -c "$measures"
    $engine rmi -f pawl-test pawl-test-base >/dev/null 2>&1
    return
  done
  skip 'an engine builds it' 'neither podman nor docker works here'
}

heavy 'the steps of the Containerfile' dpkg-buildpackage dh lintian debootstrap apt-get || exit 0
[[ $(id -u) -eq 0 ]] || { skip 'the steps of the Containerfile' 'only root can execute them'; exit 0; }
[[ -e $(deb_of a) ]] || check 'the package is built' eval 'make -s -C "$(clone a)" deb'
test_steps
test_engine
[[ $failures -eq 0 ]]
