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
      # That jar knows the commands of restore-cli, too, so completion serves both.
      demo | completion) module=restore-demo ;;
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

# tell_steps: reads what Maven prints, and tells the modules as they come and the errors; standard output stays for results.
tell_steps() {
  local line
  while IFS= read -r line; do
    if [[ $line =~ ^\[INFO\]\ Building\ (.*)\ [^\ ]+\ +\[([0-9]+)/([0-9]+)\]$ ]]; then
      warn "building ${BASH_REMATCH[1]} (${BASH_REMATCH[2]} of ${BASH_REMATCH[3]})"
    elif [[ $line != '[INFO]'* && $line != '[WARNING]'* && -n $line ]]; then
      printf '%s\n' "$line" >&2
    fi
  done
}

# build_quickly MODULE: its jars and those that it needs, without tests, Javadoc and anything that checks the code.
build_quickly() {
  warn "building $1 and what it needs, once: half a minute, and more where Maven has to download; later starts take a second"
  (maven_java && cd "$project_root" && ./mvnw -B -ntp package -Drestorej.quick -pl "$1" -am 2>&1) | tell_steps || die "the build failed"
  # Maven leaves a jar as it is whose content has not changed, though a source is newer.
  touch -c -- "$project_root/$1/target/$1"-*-all.jar
}

# find_or_build_jar: sets jar. Expects module.
find_or_build_jar() {
  if find_jar; then
    return 0
  fi
  build_quickly "$module"
  find_jar || die "the build left no current $module/target/$module-*-all.jar"
}

# prepare_command: sets jar, that with the command that the words begin with, and aot_options, for a JVM that starts faster.
prepare_command() {
  local -a training
  choose_module "$@"
  find_or_build_jar
  # The run that is remembered. That of a demo has PEs that submit, fail, pull and replenish.
  case $module in
    restore-demo) training=(demo --pes 4 --iterations 4) ;;
    restore-bench) training=(bench --help) ;;
    *) training=(plan --pes 8 --bytes-per-pe 1MiB --json) ;;
  esac
  aot_options=() java=$jdk_home/bin/java inside=()
  choose_aot_vm_options "${environment_options[@]}" && ! has_option "$gc_pattern" || return 0
  # By the time of the last change of any kind: the time of its content may be that of an older one. A use touches the cache.
  [[ ! -e ${jar%.jar}.aot || $(stat -c %.9Z -- "$jar") < $(stat -c %.9Y -- "${jar%.jar}.aot") ]] || rm -f -- "${jar%.jar}.aot"
  find_or_make_aot_cache "${jar%.jar}.aot" train_command "$jdk_home/bin/java" -XX:+UseSerialGC -jar "$jar" "${training[@]}"
}
