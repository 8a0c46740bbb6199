#!/bin/bash
# Unpacks the source of a package of this Debian or Ubuntu, with its security fixes, into FOLDER. apt checks its signature.
#
#   tools/source.sh PACKAGE FOLDER
#
# The machine's own list of sources stays as it is.
set -eu

[[ $# -eq 2 ]] || { echo 'usage: tools/source.sh PACKAGE FOLDER' >&2; exit 2; }
package=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
for tool in apt-get dpkg-source; do
  command -v "$tool" >/dev/null && continue
  echo "source.sh: $tool is missing: the source of $package comes from Debian or Ubuntu (apt-get install dpkg-dev)" >&2
  exit 1
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial"

# shellcheck source=/dev/null
. /etc/os-release
case $ID in
  ubuntu)
    printf 'deb-src http://archive.ubuntu.com/ubuntu %s main universe\n' \
      "$VERSION_CODENAME" "$VERSION_CODENAME-updates" "$VERSION_CODENAME-security"
    ;;
  *)
    printf 'deb-src http://deb.debian.org/debian %s main\n' "$VERSION_CODENAME"
    printf 'deb-src http://deb.debian.org/debian-security %s-security main\n' "$VERSION_CODENAME"
    ;;
esac >"$work/sources.list"
apt=(apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$work/lists"
  -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
"${apt[@]}" update
(cd "$work" && "${apt[@]}" source --download-only "$package")
# apt has checked the signature.
dpkg-source --no-check --extract "$work"/*.dsc "$work/source" >/dev/null
cp -r "$work/source/." "$folder/"
