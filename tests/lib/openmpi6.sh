# shellcheck shell=bash
# Open MPI 6 and MPICH 5, both with the standard ABI, too, in a small Debian unstable. Sourced by bootstrap, after roots.sh.
# shellcheck disable=SC2034,SC2154  # what is missing here lies in bin/bootstrap and bin/lib/mpi.sh

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

openmpi6_names=(openmpi6 abi-openmpi mpich5 abi-mpich)

has_openmpi6() {
  local name
  for name in "${openmpi6_names[@]}"; do
    find_mpi "$name" || return 1
  done
}

ensure_openmpi6() {
  local name
  if ! has_openmpi6 && ! $check_only && can_install && find_debian_mirror; then
    [[ -d $openmpi6_root ]] || make_root "$openmpi6_root" unstable openmpi-bin mpich
    record_openmpi6_root
  fi
  if has_openmpi6; then
    for name in "${openmpi6_names[@]}"; do
      find_mpi "$name"
      report "$name" "$root$mpi_library ($mpi_version)"
    done
    find_mpi ulfm6 || say 'this Open MPI 6 has no ULFM: there is no --mpi ulfm6'
    report 'JDK 25' "$root$java"
  elif $check_only; then
    missing+=('Open MPI 6 and MPICH 5: bin/bootstrap --openmpi6')
  else
    missing+=('Open MPI 6 and MPICH 5: run bin/bootstrap --openmpi6 as root on a Debian, or where RESTOREJ_DEBIAN_MIRROR names a
         mirror, and apt-get and mmdebstrap are there')
  fi
}
