#!/bin/bash
# Run a command that installs packages, while none of them may start its daemon or make a database
# cluster, as Debian's do:
#
#   tools/no-daemons.sh COMMAND [ARGUMENT...]     as root; its status is the command's
#
# However the command ends, what it found in the two places below is put back. A signal waits for
# the command. Should this be killed outright, the next one puts back what was there.
set -eu

# What a package's scripts ask before they start something; 101 is no (invoke-rc.d(8)).
policy=${DPKG_ROOT:-}/usr/sbin/policy-rc.d
saved=$policy.before-pawl
mark='# Put here by tools/no-daemons.sh of pawl, for as long as it installs.'
# What postgresql's packages read before they make a cluster (pg_createcluster(1)).
clusters=${DPKG_ROOT:-}/etc/postgresql-common/createcluster.d
no_cluster=$clusters/pawl-no-cluster.conf

[[ $# -gt 0 ]] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }

restore() {
  if [[ -e $saved || -L $saved ]]; then
    mv -f "$saved" "$policy"
  elif grep -qsxF "$mark" "$policy"; then
    rm -f "$policy"
  fi
  rm -f "$no_cluster"
  rmdir "$clusters" "${clusters%/*}" 2>/dev/null || true
}

refuse_all() {
  # In one step each, so that at no moment is there half a file.
  printf '#!/bin/sh\n%s\nexit 101\n' "$mark" >"$policy.pawl"
  chmod 755 "$policy.pawl"
  if [[ -e $policy || -L $policy ]]; then mv -f "$policy" "$saved"; fi
  mv -f "$policy.pawl" "$policy"
  mkdir -p "$clusters"
  echo 'create_main_cluster = false' >"$no_cluster"
}

# Two at once would save each other's policy. The command must not keep the lock.
exec 9<"${policy%/*}"
flock 9
trap restore EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
restore
refuse_all
"$@" 9>&-
