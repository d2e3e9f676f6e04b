# shellcheck shell=bash
# Small Debian systems in folders of their own, with newer MPIs than the machine's. Sourced by bootstrap.
# shellcheck disable=SC2034,SC2154  # what is missing here lies there, and in mpi.sh

# make_root ROOT SUITE PACKAGE...: a Debian of that suite with these packages. Made in a folder beside it and renamed when
# complete, so that an interrupted one is never taken for a root.
make_root() {
  local new=$1 making=$1.making suite=$2
  shift 2
  local -a inside=("$project_root/bin/lib/in-root" "$making" --)
  rm -rf --one-file-system -- "$making"
  command -v debootstrap > /dev/null || install_packages debootstrap || die "debootstrap can't be installed"
  say "making a Debian $suite with $* in $new (about a minute)"
  # In a mount namespace of its own: debootstrap mounts, and may be interrupted before it unmounts.
  unshare --mount --propagation private debootstrap --variant=minbase --include=ca-certificates "$suite" "$making" "$mirror" \
    > "$scratch/debootstrap.log" 2>&1 ||
    { tail -n 20 "$scratch/debootstrap.log" >&2; die "debootstrap failed; the mirror $mirror must offer Debian $suite"; }
  # No services, and no waiting for the disk: a root that didn't get complete is thrown away.
  printf '#!/bin/sh\nexit 101\n' > "$making/usr/sbin/policy-rc.d"
  chmod +x "$making/usr/sbin/policy-rc.d"
  say force-unsafe-io > "$making/etc/dpkg/dpkg.cfg.d/unsafe-io"
  # A mirror that keeps a certain day is older than its lists allow.
  say 'Acquire::Check-Valid-Until "false";' > "$making/etc/apt/apt.conf.d/any-day"
  export DEBIAN_FRONTEND=noninteractive LC_ALL=C
  local -a install=("${inside[@]}" apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends)
  "${install[@]}" "$@" openjdk-25-jdk-headless > "$scratch/apt.log" 2>&1 ||
    { tail -n 20 "$scratch/apt.log" >&2; die "$* and JDK 25 can't be installed in $making"; }
  "${install[@]}" libisal2 > "$scratch/apt.log" 2>&1 || say 'without libisal2, which is optional'
  "${inside[@]}" apt-get clean
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

# make_ulfm_mpi_jar: for a root that has been described.
make_ulfm_mpi_jar() {
  local source_version
  # shellcheck disable=SC2016  # expanded by dpkg-query
  source_version=$(dpkg-query --root="$root" -W -f '${source:Version}' libopenmpi-dev)
  say "making mpi.jar from Debian's source package openmpi $source_version"
  say "$mirror trixie main" | download_openmpi_source debian "$source_version" "$scratch/source"
  mpi_jar=$cache_folder/openmpi/$mpi_version/mpi.jar
  compile_bindings "$scratch/source" "$mpi_jar" "$project_root/bin/lib/in-root" "$root" --
}

# record_openmpi6_root: the four MPIs of a complete root, each under its name.
record_openmpi6_root() {
  local version
  enter_root "$openmpi6_root"
  version=$(package_version openmpi-bin)
  version_at_least 6.0~ "$version" || die "$root: this Debian unstable has Open MPI $version and no 6"
  use_program /usr/bin/mpirun.openmpi
  mpi_version="$version, PRRTE $(package_version libprrte-bin)"
  use_packaged_library libopenmpi40 'libmpi\.so\.40'
  # Without MPIX_ functions the standard ABI knows no ULFM.
  ulfm_support=no
  if [[ $("$project_root/bin/lib/in-root" "$root" -- ompi_info 2> /dev/null) == *'FT MPI support: yes'* ]]; then
    ulfm_support=yes
  fi
  write_record openmpi6
  ulfm_support=no
  use_packaged_library libopenmpi40 'libmpi_abi_openmpi\.so\.[0-9.]*'
  write_record abi-openmpi
  use_program /usr/bin/mpiexec.hydra
  mpi_version=$(package_version mpich)
  use_packaged_library libmpich12 'libmpich\.so\.12'
  write_record mpich5
  use_packaged_library libmpich12 'libmpi_abi_mpich\.so\.[0-9.]*'
  write_record abi-mpich
}
