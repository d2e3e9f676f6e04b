# shellcheck shell=bash
# Packages of the distribution, unpacked into folders of the cache without being installed. Sourced by bootstrap.
# shellcheck disable=SC2154  # what is missing here lies there

# missing_packages PACKAGE...: prints the names of those, and of what they need, that are not installed. Packages that would
# only get newer are none of them.
missing_packages() {
  apt-get -s -qq install --no-install-recommends "$@" 2> /dev/null | sed -n 's/^Inst \([^ ]*\) (.*/\1/p'
}

# download_packages FOLDER PACKAGE...: what of them is missing.
download_packages() {
  local folder=$1
  local -a packages
  shift
  mapfile -t packages < <(missing_packages "$@")
  ((${#packages[@]})) || return 1
  say "downloading: ${packages[*]}"
  # Without a user of apt's own, who couldn't write here.
  (cd "$folder" && apt-get -qq -o APT::Sandbox::User= download "${packages[@]}" > "$scratch/apt.log" 2>&1)
}

# unpack_packages FOLDER PACKAGE...: what of them is missing, whole or not at all. Fails when no package can be had.
unpack_packages() {
  local folder=$1 making=$1.making downloads=$scratch/packages package
  shift
  : > "$scratch/apt.log"
  rm -rf -- "$downloads" && mkdir -p "$downloads" || return 1
  if ! download_packages "$downloads" "$@"; then
    # Lists may be missing (containers) or out of date.
    ((EUID != 0)) || apt-get -qq update > /dev/null 2>&1 || true
    download_packages "$downloads" "$@" || { tail -n 20 "$scratch/apt.log" >&2; return 1; }
  fi
  # Callers ask whether this fails, so nothing ends it by itself.
  rm -rf -- "$making" && mkdir -p "$making" || return 1
  for package in "$downloads"/*.deb; do
    dpkg-deb -x "$package" "$making" || return 1
  done
  rm -rf -- "$folder" && mv -- "$making" "$folder"
}
