# shellcheck shell=bash
# The distribution's MPICH beside the machine's MPI, in a folder and without being installed. Sourced by bootstrap.
# shellcheck disable=SC2034,SC2154  # what is missing here lies there, and in mpi.sh

# unresolved_libraries: prints what the launcher and the library of the MPICH found would look for in vain.
unresolved_libraries() {
  local file
  for file in "$mpirun" "${mpirun%/*}/hydra_pmi_proxy" "$mpi_library"; do
    LD_LIBRARY_PATH=$library_path ldd "$file" 2>&1 | sed -n 's/^[[:space:]]*\([^ ]*\) => not found.*/\1/p'
  done | sort -u
}

# has_mpich: is there one, with all it needs? After an upgrade of the system what was unpacked before may not fit.
has_mpich() { find_mpich && [[ -z $(unresolved_libraries) ]]; }

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
