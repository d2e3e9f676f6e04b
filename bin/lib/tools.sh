# shellcheck shell=bash
# Finds what the scripts in bin/ need: the project, JDK 25, Open MPI and its Java bindings.
# Sourced, never run. Results come back in variables, because a subshell per question would cost more than the answer.
# shellcheck disable=SC2034  # so they are read elsewhere

# The checkout that holds bin/.
project_root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
HOME=${HOME:-~}
# The JVM takes the encoding of file names from the locale, and can't even open a file whose name that can't say.
if [[ $(locale charmap 2> /dev/null || printf '%s' "${LC_ALL:-${LC_CTYPE:-${LANG:-}}}") != *[Uu][Tt][Ff]*8 ]]; then
  export LC_ALL=C.UTF-8
fi
cache_folder=${XDG_CACHE_HOME:-$HOME/.cache}/restorej
# What bootstrap found, so that starting a job doesn't need to ask ompi_info (0.1 s) each time.
openmpi_record=$cache_folder/openmpi.env
# A whole small system with a newer Open MPI than this one's; it is there only when complete.
ulfm_root=$cache_folder/ulfm-root
ulfm_record=$cache_folder/ulfm.env

say() { printf '%s\n' "$*"; }
warn() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
# Something is missing or failed: exit 1.
die() { warn "$@"; exit 1; }
# The command line is wrong: exit 2.
wrong_usage() { warn "$@" "(see ${0##*/} --help)"; exit 2; }

# is_jdk_25 FOLDER: reads the release file instead of starting a JVM; sets jdk_version.
is_jdk_25() {
  local line
  [[ -x $1/bin/java && -r $1/release ]] || return 1
  while read -r line; do
    if [[ $line =~ ^JAVA_VERSION=\"(25([.+-].*)?)\" ]]; then
      jdk_version=${BASH_REMATCH[1]}
      return 0
    fi
  done < "$1/release"
  return 1
}

# Sets jdk_home and jdk_version; fails when there is no JDK 25.
find_jdk() {
  local candidate on_path
  if [[ -n ${RESTOREJ_JAVA_HOME:-} ]]; then
    is_jdk_25 "$RESTOREJ_JAVA_HOME" || die "RESTOREJ_JAVA_HOME=$RESTOREJ_JAVA_HOME is not a JDK 25"
    jdk_home=$RESTOREJ_JAVA_HOME
    return 0
  fi
  on_path=$(command -v java || true)
  [[ -z $on_path ]] || on_path=$(readlink -f -- "$on_path")
  for candidate in "${JAVA_HOME:-}" "${on_path%/bin/java}" /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/java/* \
    /opt/jdk* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.m2/jdks/*; do
    if [[ -n $candidate ]] && is_jdk_25 "$candidate"; then
      jdk_home=$candidate
      return 0
    fi
  done
  return 1
}

# Lets Maven run on the JDK 25 where nothing else says what it should run on. It compiles and tests with a JDK 25 anyhow.
maven_java() {
  if [[ -z ${JAVA_HOME:-} ]] && ! command -v java > /dev/null; then
    find_jdk || die "no JDK 25 found: set RESTOREJ_JAVA_HOME or JAVA_HOME to one"
    export JAVA_HOME=$jdk_home
  fi
}

# find_mpirun: sets mpirun. OMPI_HOME and OPAL_PREFIX are how clusters name their own installation.
find_mpirun() {
  local candidate
  for candidate in "${OMPI_HOME:+$OMPI_HOME/bin/mpirun}" "${OPAL_PREFIX:+$OPAL_PREFIX/bin/mpirun}" \
    "$(command -v mpirun || true)" "$(command -v mpirun.openmpi || true)"; do
    if [[ -n $candidate && -x $candidate ]]; then
      # Another MPI may own the name mpirun; its package then leaves mpirun.openmpi to this one. The record has been asked already.
      if [[ $candidate == "${recorded_mpirun:-}" ]] || [[ $("$candidate" --version 2>/dev/null) == *'Open MPI'* ]]; then
        mpirun=$candidate
        return 0
      fi
    fi
  done
  return 1
}

# stamp_of FILE: identifies this very build of a program without starting it.
stamp_of() { stat -L -c '%i-%s-%Y' -- "$1"; }

# version_at_least 5.0 5.0.7: is the second at least the first?
version_at_least() { [[ $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]; }

# read_record FILE: key=value lines into recorded_<key>; unknown keys are ignored, nothing is executed.
read_record() {
  local key value
  recorded_mpirun='' recorded_stamp='' recorded_version='' recorded_library_folder='' recorded_mpi_jar='' recorded_java='' recorded_root='' recorded_ulfm=''
  [[ -r $1 ]] || return 1
  while IFS='=' read -r key value; do
    case $key in
      mpirun | stamp | version | library_folder | mpi_jar | java | root | ulfm) printf -v "recorded_$key" '%s' "$value" ;;
    esac
  done < "$1"
}

# write_record FILE: stores the variables found, whole or not at all.
write_record() {
  local fresh=$1.$$
  {
    say "mpirun=$mpirun"
    say "stamp=$(stamp_of "$root$mpirun")"
    say "version=$mpi_version"
    say "library_folder=$library_folder"
    say "mpi_jar=$mpi_jar"
    say "java=$java"
    say "root=$root"
    say "ulfm=$ulfm_support"
  } > "$fresh"
  mv -f -- "$fresh" "$1"
}

# find_openmpi: sets mpirun, mpi_version, library_folder (of libmpi_java.so) and mpi_jar; each is empty when missing.
# Returns 0 when all of them are there. Of java and root see find_ulfm: here they are empty.
find_openmpi() {
  mpirun='' mpi_version='' library_folder='' mpi_jar='' java='' root='' ulfm_support=''
  read_record "$openmpi_record" || true
  find_mpirun || return 1
  if [[ $mpirun == "$recorded_mpirun" && -e $recorded_library_folder/libmpi_java.so && -r $recorded_mpi_jar &&
    $recorded_stamp == "$(stamp_of "$mpirun")" ]]; then
    mpi_version=$recorded_version library_folder=$recorded_library_folder mpi_jar=$recorded_mpi_jar
    ulfm_support=$recorded_ulfm
    return 0
  fi
  ask_openmpi
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
  for candidate in "${folders[@]}"; do
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
  [[ -n $library_folder && -n $mpi_jar ]]
}

# Expects an Open MPI found by find_openmpi: can it survive the death of a rank? Sets ulfm_support to yes or no.
supports_ulfm() {
  if [[ -z $ulfm_support ]]; then
    ulfm_support=no
    if version_at_least 5.0 "$mpi_version" && [[ $("${mpirun%/*}/ompi_info" 2>/dev/null) == *'FT MPI support: yes'* ]]; then
      ulfm_support=yes
    fi
  fi
  [[ $ulfm_support == yes ]]
}

# find_ulfm: as find_openmpi, for an Open MPI with ULFM. When it lives in a root folder, root names that, the paths of
# mpirun, library_folder and java are valid inside, and mpi_jar on both sides; otherwise root and java are empty.
find_ulfm() {
  if find_openmpi && supports_ulfm; then
    return 0
  fi
  if read_record "$ulfm_record" && [[ -n $recorded_root && -d $recorded_root && -r $recorded_mpi_jar &&
    -x $recorded_root$recorded_mpirun && $recorded_stamp == "$(stamp_of "$recorded_root$recorded_mpirun")" ]]; then
    mpirun=$recorded_mpirun mpi_version=$recorded_version library_folder=$recorded_library_folder
    mpi_jar=$recorded_mpi_jar java=$recorded_java root=$recorded_root ulfm_support=yes
    return 0
  fi
  return 1
}
