# shellcheck shell=bash
# Small Debian systems in folders of their own, with newer MPIs than the machine's. Sourced by bootstrap.
# shellcheck disable=SC2034,SC2154  # what is missing here lies there, and in mpi.sh

# make_root ROOT SUITE PACKAGE...: a Debian of that suite with these packages and JDK 25. Made in a folder beside it and renamed when
# complete, so that an interrupted one is never taken for a root.
make_root() {
  local new=$1 making=$1.making suite=$2
  shift 2
  rm -rf --one-file-system -- "$making"
  command -v mmdebstrap > /dev/null || install_packages mmdebstrap || die "mmdebstrap can't be installed"
  say "making a Debian $suite with $* in $new (about a minute)"
  # In a mount namespace of its own: mmdebstrap mounts, and may be interrupted before it unmounts. A mirror that keeps a certain
  # day is older than its lists allow.
  unshare --mount --propagation private mmdebstrap --quiet --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' \
    --dpkgopt=force-unsafe-io --include="ca-certificates mount openjdk-25-jdk-headless libisal2 $*" "$suite" "$making" "$mirror" \
    > "$scratch/mmdebstrap.log" 2>&1 ||
    { tail -n 20 "$scratch/mmdebstrap.log" >&2; die "mmdebstrap failed; the mirror $mirror must offer Debian $suite with $*"; }
  mv -- "$making" "$new"
}

# enter_root ROOT: sets root and java, and forgets the rest.
enter_root() {
  forget_mpi
  root=$1
  java=$("$project_root/bin/lib/in-root" "$root" -- sh -c 'echo /usr/lib/jvm/java-25-openjdk-*/bin/java')
}

# package_version PACKAGE: in the root.
package_version() { dpkg-query --root="$root" -W -f '${Version}' "$1"; }

# use_program PROGRAM: sets mpirun. Links in a root are absolute, and would lead out of it.
use_program() { mpirun=$("$project_root/bin/lib/in-root" "$root" -- readlink -f "$1"); }

# use_packaged_library PACKAGE PATTERN: sets mpi_library to the file of such a name in a package of the root.
use_packaged_library() {
  mpi_library=$(dpkg-query --root="$root" -L "$1" | grep -m 1 "/$2\$") || die "$root: $1 $(package_version "$1") has no $2"
}

# Expects a complete root.
describe_ulfm_root() {
  local answer
  enter_root "$ulfm_root"
  ulfm_support=yes
  use_program /usr/bin/mpirun.openmpi
  answer=$("$project_root/bin/lib/in-root" "$root" -- "$mpirun" --version)
  [[ $answer =~ \(Open\ MPI\)\ ([0-9][0-9.]*) ]] || die "$root: no Open MPI version in: $answer"
  mpi_version=${BASH_REMATCH[1]}
  library_folder=$(dpkg-query --root="$root" -L libopenmpi-dev | sed -n 's#/libmpi_java\.so$##p' | head -n 1)
  use_packaged_library libopenmpi40 'libmpi\.so\.40'
  mpi_jar=$cache_folder/openmpi/$mpi_version/mpi.jar
  [[ -r $mpi_jar ]] || mpi_jar=''
}
