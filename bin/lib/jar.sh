# shellcheck shell=bash
# The jars with programs and all they need. Sourced after tools.sh.
# shellcheck disable=SC2154  # project_root comes from there

# choose_module WORD...: sets module to the one whose jar has the command that the words begin with, options left aside.
choose_module() {
  local word
  module=restore-cli
  for word in "$@"; do
    case $word in
      -*) continue ;;
      demo) module=restore-demo ;;
      bench) module=restore-bench ;;
    esac
    return 0
  done
}

# find_jar: sets jar to the newest build of a module with commands; fails when there is none, or a source of what goes into it is
# newer. Expects module.
find_jar() {
  local candidate newer
  jar=''
  for candidate in "$project_root/$module/target/$module"-*-all.jar; do
    if [[ -e $candidate && ( -z $jar || $candidate -nt $jar ) ]]; then
      jar=$candidate
    fi
  done
  [[ -n $jar ]] || return 1
  newer=$(cd "$project_root" && find pom.xml {restore-{mpi-api,comm,testing,core,redset,cli},"$module"}/{pom.xml,src/main} bin/{bootstrap,mpirun-java,lib} \
    -newer "$jar" -print -quit 2> /dev/null)
  [[ -z $newer ]]
}

# build_quickly MODULE: its jars and those that it needs, without tests, Javadoc and anything that checks the code.
build_quickly() {
  warn "building $1 and what it needs, once: half a minute, and more where Maven has to download; later starts take one or two"
  (maven_java && cd "$project_root" && ./mvnw -B -q -ntp package -Drestorej.quick -pl "$1" -am >&2) || die "the build failed"
  # Maven leaves a jar as it is whose content has not changed, though a source is newer.
  touch -c -- "$project_root/$1/target/$1"-*-all.jar
}

# find_or_build_jar WORD...: sets jar to that with the command that the words begin with.
find_or_build_jar() {
  choose_module "$@"
  if find_jar; then
    return 0
  fi
  build_quickly "$module"
  find_jar || die "the build left no current $module/target/$module-*-all.jar"
}
