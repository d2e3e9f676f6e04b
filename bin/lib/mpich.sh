# shellcheck shell=bash
# The distribution's MPICH beside the machine's MPI, in a folder and without being installed. Sourced by bootstrap.
# shellcheck disable=SC2034,SC2154  # what is missing here lies there, and in mpi.sh

# mpich_packages: prints the names of the packages that MPICH needs and that are not installed. Packages that would only get
# newer are none of them.
mpich_packages() {
  apt-get -s -qq install --no-install-recommends mpich 2> /dev/null | sed -n 's/^Inst \([^ ]*\) (.*/\1/p'
}

# download_mpich FOLDER: its packages.
download_mpich() {
  local -a packages
  mapfile -t packages < <(mpich_packages)
  ((${#packages[@]})) || return 1
  say "downloading: ${packages[*]}"
  # Without a user of apt's own, who couldn't write here.
  (cd "$1" && apt-get -qq -o APT::Sandbox::User= download "${packages[@]}" > "$scratch/apt.log" 2>&1)
}

# unresolved_libraries: prints what the launcher and the library of the MPICH found would look for in vain.
unresolved_libraries() {
  local file
  for file in "$mpirun" "${mpirun%/*}/hydra_pmi_proxy" "$mpi_library"; do
    LD_LIBRARY_PATH=$library_path ldd "$file" 2>&1 | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p'
  done | sort -u
}

# has_mpich: is there one, with all it needs? After an upgrade of the system what was unpacked before may not fit.
has_mpich() { find_mpich && [[ -z $(unresolved_libraries) ]]; }

# make_mpich: into mpich_folder, whole or not at all. Fails when no package can be had.
make_mpich() {
  local making=$mpich_folder.making downloads=$scratch/mpich package
  : > "$scratch/apt.log"
  mkdir -p "$downloads"
  if ! download_mpich "$downloads"; then
    # Lists may be missing (containers) or out of date.
    ((EUID != 0)) || apt-get -qq update > /dev/null 2>&1 || true
    download_mpich "$downloads" || { tail -n 20 "$scratch/apt.log" >&2; return 1; }
  fi
  rm -rf -- "$making"
  mkdir -p "$making"
  for package in "$downloads"/*.deb; do
    dpkg-deb -x "$package" "$making"
  done
  rm -rf -- "$mpich_folder"
  mv -- "$making" "$mpich_folder"
}

# describe_mpich: sets what find_mpich sets, of mpich_folder.
describe_mpich() {
  local answer unresolved
  forget_mpi
  mpirun=$mpich_folder/usr/bin/mpiexec.hydra
  mpi_library=$(find "$mpich_folder/usr/lib" -name libmpich.so.12 -print -quit)
  library_path=${mpi_library%/*}
  [[ -x $mpirun && -n $mpi_library ]] || die "the packages of MPICH have no mpiexec.hydra or no libmpich.so.12"
  unresolved=$(unresolved_libraries)
  [[ -z $unresolved ]] || die "the MPICH in $mpich_folder lacks libraries: ${unresolved//$'\n'/ }"
  answer=$(LD_LIBRARY_PATH=$library_path "$mpich_folder/usr/bin/mpichversion")
  [[ $answer =~ MPICH\ Version:[[:space:]]*([^[:space:]]+) ]] || die "mpichversion gives no version: $answer"
  mpi_version=${BASH_REMATCH[1]}
}
