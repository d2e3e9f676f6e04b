# shellcheck shell=bash
# Finds the MPIs that ranks can run under. Sourced after tools.sh; results come back in variables, as there.
#
# Each of the functions that find one sets: mpirun, what starts ranks; mpi_version; mpi_library, the libmpi that ranks load;
# library_folder (of libmpi_java.so) and mpi_jar, Open MPI's Java bindings, which few have; library_path, where the launcher and the ranks look
# for libraries before the system does; ulfm_support. What is missing or not needed is empty. When the MPI lives in a root
# folder, root names that, java is the JVM in it, and all other paths but mpi_jar are valid inside; otherwise both are empty.
# shellcheck disable=SC2034,SC2154

# What --mpi may name. The last five live in one root folder.
mpi_names=(openmpi ulfm mpich openmpi6 ulfm6 mpich5 abi-openmpi abi-mpich)
# Whole small systems with newer MPIs than this one's, and MPICH beside this system's; each is there only when complete.
ulfm_root=$cache_folder/ulfm-root
openmpi6_root=$cache_folder/openmpi6-root
mpich_folder=$cache_folder/mpich

is_mpi_name() { [[ $1 != *' '* && " ${mpi_names[*]} " == *" $1 "* ]]; }

# is_hydra NAME: are its ranks started by MPICH's launcher?
is_hydra() { [[ $1 == *mpich* ]]; }

# is_ulfm NAME: do its ranks go on when others fail?
is_ulfm() { [[ $1 == ulfm* ]]; }

# find_mpi NAME: one of mpi_names.
find_mpi() {
  case $1 in
    openmpi) find_openmpi ;;
    ulfm) find_ulfm ;;
    mpich) find_mpich ;;
    # The same Open MPI, started in another way.
    ulfm6) find_recorded openmpi6 && [[ $ulfm_support != no ]] ;;
    *) find_recorded "$1" ;;
  esac
}

# find_mpirun: sets mpirun. OMPI_HOME and OPAL_PREFIX are how clusters name their own installation.
find_mpirun() {
  local candidate
  for candidate in "${OMPI_HOME:+$OMPI_HOME/bin/mpirun}" "${OPAL_PREFIX:+$OPAL_PREFIX/bin/mpirun}" \
    "$(command -v mpirun || true)" "$(command -v mpirun.openmpi || true)"; do
    [[ -n $candidate && -x $candidate ]] || continue
    # Another MPI may own the name mpirun; its package then leaves mpirun.openmpi to this one. The record has been asked already.
    if [[ $candidate == "${recorded[mpirun]:-}" ]] || [[ $("$candidate" --version 2>/dev/null) == *'Open MPI'* ]]; then
      mpirun=$candidate
      return 0
    fi
  done
  return 1
}

# stamp_of FILE: identifies this very build of a program without starting it.
stamp_of() { stat -L -c '%i-%s-%Y' -- "$1"; }

# What is known of an MPI, and what a record calls that.
declare -A mpi_facts=([mpirun]=mpirun [mpi_version]=version [mpi_library]=library [library_folder]=library_folder
  [mpi_jar]=mpi_jar [library_path]=library_path [java]=java [root]=root [ulfm_support]=ulfm)

forget_mpi() {
  mpirun='' mpi_version='' mpi_library='' library_folder='' mpi_jar='' library_path='' java='' root='' ulfm_support=''
}

# A record is what bootstrap found, so that starting a job doesn't need to ask the installation (0.1 s) each time.
# read_record NAME: key=value lines into the array recorded; nothing is executed.
read_record() {
  local key value record=$cache_folder/$1.env
  declare -gA recorded=()
  [[ -r $record ]] || return 1
  while IFS='=' read -r key value; do
    [[ -z $key ]] || recorded[$key]=$value
  done < "$record"
}

# use_record: takes what was recorded for found. Fails when it is not there any more, or was replaced.
use_record() {
  local fact program=${recorded[root]:-}${recorded[mpirun]:-}
  [[ -n ${recorded[library]:-} && -e ${recorded[root]:-}${recorded[library]} && -x $program &&
    ${recorded[stamp]:-} == "$(stamp_of "$program")" && (-z ${recorded[mpi_jar]:-} || -r ${recorded[mpi_jar]}) ]] || return 1
  for fact in "${!mpi_facts[@]}"; do printf -v "$fact" '%s' "${recorded[${mpi_facts[$fact]}]:-}"; done
}

# write_record NAME: stores what was found, whole or not at all.
write_record() {
  local fact record=$cache_folder/$1.env
  {
    say "stamp=$(stamp_of "$root$mpirun")"
    for fact in "${!mpi_facts[@]}"; do say "${mpi_facts[$fact]}=${!fact}"; done
  } > "$record.$$"
  mv -f -- "$record.$$" "$record"
}

# find_recorded NAME: an MPI that only bootstrap makes.
find_recorded() {
  forget_mpi
  read_record "$1" && use_record
}

# find_openmpi: the Open MPI of the system, with its Java bindings where it has them.
find_openmpi() {
  forget_mpi
  read_record openmpi || true
  find_mpirun || return 1
  if [[ $mpirun == "${recorded[mpirun]:-}" ]] && recorded_bindings_are_current && use_record; then
    return 0
  fi
  ask_openmpi
}

# recorded_bindings_are_current: what was recorded is still there; and where nothing was, no mpi.jar has come to the cache.
recorded_bindings_are_current() {
  if [[ -n ${recorded[mpi_jar]:-} ]]; then
    [[ -r ${recorded[mpi_jar]} && -e ${recorded[library_folder]:-}/libmpi_java.so ]]
  else
    [[ ! -e $cache_folder/openmpi/${recorded[version]:-}/mpi.jar ]]
  fi
}

# has_bindings: has the Open MPI found Java bindings?
has_bindings() { [[ -n $library_folder && -n $mpi_jar ]]; }

# find_bindings: the Open MPI of the system, asked itself where the record knows of no Java bindings. Fails without them.
find_bindings() {
  find_openmpi || return 1
  if ! has_bindings; then
    forget_mpi
    find_mpirun
    ask_openmpi
  fi
  has_bindings
}

# The slow way: asks the installation itself. Expects mpirun.
ask_openmpi() {
  local answer bin candidate
  answer=$("$mpirun" --version)
  [[ $answer =~ \(Open\ MPI\)\ ([0-9][0-9.]*) ]] || die "$mpirun --version gives no Open MPI version: $answer"
  mpi_version=${BASH_REMATCH[1]}
  bin=${mpirun%/*}

  local -a folders=()
  answer=$("$bin/ompi_info" --parsable --path libdir 2>/dev/null || true)
  [[ $answer =~ path:libdir:([^$'\n']+) ]] && folders+=("${BASH_REMATCH[1]}")
  folders+=("${bin%/bin}/lib" "${bin%/bin}/lib64")
  # The distribution's library goes with the distribution's mpirun only.
  if command -v dpkg > /dev/null && dpkg -S "$(readlink -f -- "$mpirun")" > /dev/null 2>&1; then
    while read -r candidate; do
      [[ $candidate == */libmpi_java.so ]] && folders+=("${candidate%/*}")
    done < <(dpkg -L libopenmpi-dev 2>/dev/null || true)
  fi
  linked_library "$bin/ompi_info" 'libmpi\.so[.0-9]*' || true
  for candidate in "${folders[@]}"; do
    if [[ -z $mpi_library && -e $candidate/libmpi.so.40 ]]; then
      mpi_library=$candidate/libmpi.so.40
    fi
    if [[ -z $library_folder && -e $candidate/libmpi_java.so ]]; then
      library_folder=$candidate
    fi
  done

  local -a jars=()
  answer=$("$bin/mpijavac" --showme 2>/dev/null || true)
  [[ $answer =~ ([^:[:space:]]*/mpi\.jar) ]] && jars+=("${BASH_REMATCH[1]}")
  jars+=("${folders[@]/%//mpi.jar}" "$cache_folder/openmpi/$mpi_version/mpi.jar")
  for candidate in "${jars[@]}"; do
    if [[ -z $mpi_jar && -r $candidate ]]; then
      mpi_jar=$candidate
    fi
  done
}

# find_default_mpi: Open MPI; else MPICH, where that is all there is. Sets mpi, too.
find_default_mpi() {
  mpi=openmpi
  find_mpi openmpi && return 0
  mpi=mpich
  find_mpi mpich
}

# linked_library PROGRAM PATTERN: sets mpi_library to the library of that name which the program itself is linked with.
linked_library() {
  local answer
  answer=$(ldd "$1" 2>/dev/null || true)
  [[ $answer =~ [[:space:]]$2\ =\>\ (/[^[:space:]]+) ]] && mpi_library=${BASH_REMATCH[1]}
}

# Expects an Open MPI found by find_openmpi: can it survive the failure of a rank? Sets ulfm_support to yes or no.
supports_ulfm() {
  if [[ -z $ulfm_support ]]; then
    ulfm_support=no
    if version_at_least 5.0 "$mpi_version" && [[ $("${mpirun%/*}/ompi_info" 2>/dev/null) == *'FT MPI support: yes'* ]]; then
      ulfm_support=yes
    fi
  fi
  [[ $ulfm_support == yes ]]
}

# find_ulfm: an Open MPI with ULFM; the system's own, if it is one.
find_ulfm() {
  { find_mpi openmpi && supports_ulfm; } || find_recorded ulfm
}

# find_mpich: the MPICH that MPICH_HOME or the PATH name, else the one that bootstrap unpacked. Other launchers of that name
# have no mpichversion.
find_mpich() {
  local bin answer candidate library
  forget_mpi
  for candidate in "${MPICH_HOME:+$MPICH_HOME/bin/mpiexec.hydra}" "$(command -v mpiexec.hydra || true)"; do
    bin=${candidate%/*}
    if [[ -x $candidate ]] && answer=$("$bin/mpichversion" 2> /dev/null) &&
      [[ $answer =~ MPICH\ Version:[[:space:]]*([^[:space:]]+) ]]; then
      mpirun=$candidate mpi_version=${BASH_REMATCH[1]}
      linked_library "$bin/mpichversion" 'libmpi[a-z]*\.so[.0-9]*' ||
        for library in "${bin%/bin}"/lib{64,}/libmp{i,ich}.so.12; do [[ ! -e $library ]] || mpi_library=$library; done
      return 0
    fi
  done
  find_recorded mpich
}
