# shellcheck shell=bash
# The jars with programs and all they need. Sourced after tools.sh.
# shellcheck disable=SC2154  # project_root comes from there

# What goes into them.
library_sources=(pom.xml restore-mpi-api/pom.xml restore-mpi-api/src/main restore-comm/pom.xml restore-comm/src/main
  restore-core/pom.xml restore-core/src/main restore-redset/pom.xml restore-redset/src/main)
command_sources=("${library_sources[@]}" restore-cli/pom.xml restore-cli/src/main)

# newest_jar MODULE SOURCE...: sets found_jar to the newest build; fails when there is none, or a source is newer.
newest_jar() {
  local candidate newer module=$1
  shift
  found_jar=''
  for candidate in "$project_root/$module/target/$module"-*-all.jar; do
    if [[ -e $candidate && ( -z $found_jar || $candidate -nt $found_jar ) ]]; then
      found_jar=$candidate
    fi
  done
  [[ -n $found_jar ]] || return 1
  newer=$(cd "$project_root" && find "$@" -newer "$found_jar" -print -quit)
  [[ -z $newer ]]
}

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

# find_jar: sets jar to the jar of a module with commands; fails when there is none that is up to date. Expects module.
find_jar() {
  local -a sources=("${command_sources[@]}")
  [[ $module == restore-cli ]] || sources+=("$module/pom.xml" "$module/src/main")
  newest_jar "$module" "${sources[@]}" || return 1
  # shellcheck disable=SC2034  # read by the scripts
  jar=$found_jar
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

# find_or_make_aot_cache: sets aot_options. Classes that are loaded and linked already make starts and first calls faster
# (JEP 483, 514); the cache lies beside the jar, and is made anew when that is newer. Where it can't be made, an empty file
# says so, and everything works without. Expects module, jar and jdk_home.
# shellcheck disable=SC2034  # aot_options is read by the caller
find_or_make_aot_cache() {
  local cache=${jar%.jar}.aot fresh
  local -a training
  aot_options=()
  if [[ ! -e $cache || $jar -nt $cache ]]; then
    # The run that is remembered. That of a demo has PEs that submit, fail, pull and replenish.
    case $module in
      restore-demo) training=(demo --pes 4 --iterations 4) ;;
      restore-bench) training=(bench --help) ;;
      *) training=(plan --pes 8 --bytes-per-pe 1MiB --json) ;;
    esac
    # Renamed when complete: starts may come at once. Whoever is interrupted leaves nothing behind.
    fresh=$(mktemp "$cache.XXXXXX" 2> /dev/null) || return 0
    (
      trap 'rm -f -- "$fresh"' EXIT
      trap 'exit 130' INT
      trap 'exit 143' TERM HUP
      "$jdk_home/bin/java" "-XX:AOTCacheOutput=$fresh" -XX:+UseSerialGC -jar "$jar" "${training[@]}" \
        < /dev/null > /dev/null 2>&1 || : > "$fresh"
      mv -f -- "$fresh" "$cache"
    )
  fi
  if [[ -s $cache ]]; then
    # Should it not fit this JVM, that is no error, and not worth a word either.
    aot_options=("-XX:AOTCache=$cache" '-Xlog:aot*=off')
  fi
}
