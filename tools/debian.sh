#!/bin/bash
# Gets files of this Debian or Ubuntu. Installs nothing: apt works in a folder of its own, with the machine's sources, and
# checks signatures.
#
#   tools/debian.sh source PACKAGE FOLDER             the source of PACKAGE, with its security fixes
#   tools/debian.sh packages ARCH FOLDER PACKAGE...   the packages of an architecture, such as arm64, and what they depend on
#   tools/debian.sh root FOLDER [RELEASE]             the smallest system with apt, of this release or another; needs root
#
# FOLDER appears when it is complete.
set -eu

die() { echo "debian.sh: $*" >&2; exit 1; }
needs() {
  local tool
  for tool in "$@"; do command -v "$tool" >/dev/null || die "$tool is missing: run tools/setup.sh package, on Debian or Ubuntu"; done
}

# targets FORMAT: a line for each component that this machine installs from.
targets() {
  # shellcheck source=/dev/null
  (. /etc/os-release && apt-get indextargets --format "$1" 'Created-By: Packages' "Origin: ${ID^}" | sort -u)
}

# private_apt KIND OPTIONS: sets `apt`, a command with its own lists, and with KIND, deb or deb-src, of the machine's sources.
private_apt() {
  mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
  : >"$work/status"
  # Where apt knows no file of keys, it leaves its variable as it is.
  targets "$1 [$2 signed-by=\$(SIGNED_BY)] \$(REPO_URI) \$(RELEASE) \$(COMPONENT)" |
    sed 's/ signed-by=[^/]*\]/]/; s/ \[ *\]//' >"$work/sources.list"
  [[ -s $work/sources.list ]] || die 'apt knows no package of this distribution: run apt-get update'
  apt=(apt-get -qq -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State="$work"
    -o Dir::State::Status="$work/status" -o Dir::Cache="$work/cache" -o APT::Sandbox::User=root)
}

get_source() {
  needs apt-get dpkg-source
  private_apt deb-src ''
  "${apt[@]}" update
  (cd "$work" && "${apt[@]}" source --download-only "$1")
  # apt has checked the signature.
  dpkg-source --no-check --extract "$work"/*.dsc "$work/made" >/dev/null
}

get_packages() {
  local arch=$1 file link
  shift
  needs apt-get dpkg-deb
  private_apt deb "arch=$arch"
  apt+=(-o APT::Architecture="$arch" -o APT::Architectures="$arch")
  "${apt[@]}" update || die "the sources of this machine have no packages of $arch"
  "${apt[@]}" install --download-only --no-install-recommends "$@"
  mkdir "$work/made"
  for file in "$work"/cache/archives/*.deb; do dpkg-deb -x "$file" "$work/made"; done
  # A compiler that is given this folder as its root would leave it by a link to /lib.
  find "$work/made" -type l -lname '/*' | while read -r link; do ln -sfnr "$work/made$(readlink "$link")" "$link"; done
}

get_root() {
  local mirror release components
  needs apt-get debootstrap
  # shellcheck source=/dev/null
  release=$(. /etc/os-release && echo "$VERSION_CODENAME")
  # shellcheck disable=SC2016
  components=$(targets '$(CODENAME) $(COMPONENT)' | awk -v release="$release" '$1 == release { print $2 }' | paste -sd ,)
  # debootstrap reads no other sources, such as lists of mirrors, and knows a mirror itself.
  # shellcheck disable=SC2016
  mirror=$(targets '$(CODENAME) $(REPO_URI)' | awk -v release="$release" '$1 == release && $2 ~ /^https?:/ { print $2; exit }')
  # Its mounts end with it.
  unshare --mount debootstrap --variant=minbase --components="${components:-main}" "${1:-$release}" "$work/made" ${mirror:+"$mirror"}
}

case "${1:-} $#" in
  'source 3') folder=$3 arguments=("$2") ;;
  'root 2' | 'root 3') folder=$2 arguments=("${@:3}") ;;
  packages\ [4-9] | packages\ [1-9][0-9]) folder=$3 arguments=("$2" "${@:4}") ;;
  *) sed -n '5,7s/^# *//p' "$0" >&2; exit 2 ;;
esac
mkdir -p "$(dirname "$folder")"
folder=$(cd "$(dirname "$folder")" && pwd)/${folder##*/}
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT
"get_$1" "${arguments[@]}"
rm -rf "$folder"
mv "$work/made" "$folder"
