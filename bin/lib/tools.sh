# shellcheck shell=bash
# What all scripts in bin/ need: the project, messages, JDK 25.
# Sourced, never run. Results come back in variables, because a subshell per question would cost more than the answer.
# shellcheck disable=SC2034  # so they are read elsewhere

# The checkout that holds bin/.
project_root=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd -P)
# Without it no Open MPI starts.
[[ -n ${HOME:-} ]] || { unset HOME; export HOME=~; }
# The JVM takes the encoding of file names from the locale, and can't even open a file whose name that can't say.
if [[ $(locale charmap 2> /dev/null || printf '%s' "${LC_ALL:-${LC_CTYPE:-${LANG:-}}}") != *[Uu][Tt][Ff]*8 ]]; then
  export LC_ALL=C.UTF-8
fi
cache_folder=$HOME/.cache/restorej
# A relative one counts as none, as the XDG Base Directory Specification has it.
[[ ${XDG_CACHE_HOME:-} != /* ]] || cache_folder=$XDG_CACHE_HOME/restorej
# Not TMPDIR where it can be avoided: the paths of Open MPI's sockets must stay under 108 characters.
temporary_folder=/tmp temporary_options=()
if [[ ! -w /tmp && -n ${TMPDIR:-} ]]; then
  # Java looks at no variable.
  temporary_folder=$TMPDIR temporary_options=("-Djava.io.tmpdir=$TMPDIR")
fi
# What the user has set for every JVM. Options of ours that fight with these are left out.
read -r -d '' -a environment_options <<< "${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-} ${_JAVA_OPTIONS:-}" || true

say() { printf '%s\n' "$*"; }
warn() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }
# Something is missing or failed: exit 1.
die() { warn "$@"; exit 1; }
# The command line is wrong: exit 2.
wrong_usage() { warn "$@" "(see ${0##*/} --help)"; exit 2; }

# version_at_least 5.0 5.0.7: is the second at least the first?
version_at_least() { [[ $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) == "$1" ]]; }

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

# has_option PATTERN OPTION...: does the environment, or an option given, decide it already?
has_option() {
  local option pattern=$1
  shift
  for option in "${environment_options[@]}" "$@"; do
    [[ ! $option =~ $pattern ]] || return 0
  done
  return 1
}
gc_pattern='^-XX:[+]Use[A-Za-z]*GC$'

# Lets Maven, and what it starts, run on the JDK 25, whatever JAVA_HOME and the PATH name. It chooses the garbage collector.
maven_java() {
  local variable
  for variable in JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS; do
    [[ -z ${!variable:-} ]] || export "$variable=$(sed -E 's/(^|[[:space:]])-XX:[+-]Use[A-Za-z]*GC//g' <<< "${!variable}")"
  done
  find_jdk || die "no JDK 25 found: set RESTOREJ_JAVA_HOME or JAVA_HOME to one"
  export JAVA_HOME=$jdk_home PATH=$jdk_home/bin:$PATH
}
