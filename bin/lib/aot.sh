# shellcheck shell=bash
# AOT caches of the JVM (JEP 483, 514, 515) for the ranks of jobs, of the library alone: its classes are there, loaded and linked,
# when a rank starts, and what is known of their hot code. Sourced after tools.sh.
# shellcheck disable=SC2034,SC2154  # results are read elsewhere; cache_folder comes from tools.sh

# Caches of ranks, and jars of class folders; the latest few of each are kept, of 25 MB each.
aot_folder=$cache_folder/aot
aot_caches_kept=8
# Training takes seconds; on a machine that is busy beyond measure ranks rather start without.
aot_training_seconds=120
aot_pause_minutes=10
# What has the library: the store, the communicators, their one dependency, and, where it is there, the protection of files.
library_marks=(org/restorej/internal/training/AotTraining.class org/restorej/comm/Communicator.class it/unimi/dsi/fastutil/ints/IntSet.class
  org/restorej/redset/Redset.class)

# find_or_make_aot_cache CACHE TRAINING...: sets aot_options to the options that let a JVM use the cache; to none, where there can
# be none, or is to be none (RESTOREJ_AOT=no), or somebody else is at work on it: nobody waits. TRAINING, a command, makes it
# where it is missing, in the file that is its last argument. Complete or not at all; an empty one says that it can't be made.
find_or_make_aot_cache() {
  local cache=$1 fresh=$1.$$ lock
  shift
  aot_options=()
  [[ ${RESTOREJ_AOT:-} != no && -w ${cache%/*} ]] || return 0
  # What could not be made may be possible later.
  [[ ! -e $cache || -s $cache ]] || find "$cache" -mmin "+$aot_pause_minutes" -delete
  if [[ ! -e $cache ]]; then
    exec {lock}> "${cache%/*}/aot.lock"
    if flock -n "$lock"; then
      warn "making an AOT cache, with which later starts are faster: some seconds, once (RESTOREJ_AOT=no does without)"
      "$@" "$fresh"
      [[ -s $fresh ]] || warn "no AOT cache could be made; not tried again for $aot_pause_minutes minutes"
      mv -f -- "$fresh" "$cache"
    fi
    # What is started later would hold the lock otherwise.
    exec {lock}>&-
  fi
  if [[ -s $cache ]]; then
    touch -c -- "$cache"
    # Should it not fit this JVM, that is no error, and not worth a word either.
    aot_options=("-XX:AOTCache=$cache" '-Xlog:aot*=off' '-Xlog:cds*=off')
  fi
}

# train_ranks COMMAND... FILE: a job of three ranks. Ends the script when that is told to stop meanwhile.
train_ranks() {
  local fresh=${!#}
  remove_old_aot_caches
  run_job "$aot_training_seconds" 3 "$@" < /dev/null > /dev/null 2>&1
  rm -f -- "$fresh.config"
  case $job_status in
    # HUP, INT and TERM, which this script was sent.
    129 | 130 | 143) rm -f -- "$fresh"; exit "$job_status" ;;
  esac
  [[ $job_status == 0 && -e $fresh ]] || : > "$fresh"
}

# What a rank of that job does: the first one leaves the cache when it ends. By a shell, since Open MPI 5 fails when ranks are
# started with different commands.
# shellcheck disable=SC2016  # expanded by that shell
rank_training='
option=-XX:AOTCacheOutput=${*: -1}
[ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" = 0 ] || option=-XX:TieredStopAtLevel=1
exec "$0" "$option" "${@:1:$#-1}"'

# first_with FILE ENTRY...: sets found_entry to the first class path entry that has the file; fails when none has.
first_with() {
  # Without IFS a name with a space in it stays one; patterns are expanded all the same.
  local file=$1 entry jar IFS=''
  shift
  for entry in "$@"; do
    if [[ -d $entry ]]; then
      found_entry=$entry
      [[ ! -e $entry/$file ]] || return 0
    else
      # "folder/*" stands for all jars of a folder. The names of its files stand in a jar as they are.
      [[ $entry == */\* ]] || entry=${entry//\*/\\*}
      for jar in $entry; do
        if [[ -f $jar ]] && LC_ALL=C grep -qaF -- "$file" "$jar"; then
          found_entry=$jar
          return 0
        fi
      done
    fi
  done
  return 1
}

# find_library CLASSPATH: sets library_entries to what the library lies in, as the JVM would find it. Fails when it is not there.
find_library() {
  local mark
  local -a entries
  library_entries=()
  IFS=: read -r -a entries <<< "$1"
  first_with "${library_marks[0]}" "${entries[@]}" || return 1
  for mark in "${library_marks[@]}"; do
    if first_with "$mark" "${entries[@]}"; then
      found_entry=$(realpath -- "$found_entry")
      [[ " ${library_entries[*]} " == *" $found_entry "* ]] || library_entries+=("$found_entry")
    fi
  done
}

# choose_aot_vm_options OPTION...: sets aot_vm_options to those of a JVM's options that a cache depends on; fails where there is to be
# none.
choose_aot_vm_options() {
  local option
  aot_vm_options=()
  for option in "$@"; do
    case $option in
      -XX:AOT* | -XX:[+-]AOT* | -XX:SharedArchiveFile=* | -XX:ArchiveClassesAtExit=* | -Xshare:*) return 1 ;;
      -XX:+Use*GC | -XX:[+-]UseCompressed* | -XX:[+-]UseCompactObjectHeaders | -XX:ObjectAlignmentInBytes=* | --add-* | \
        --enable-* | --limit-modules* | -Djava.library.path=*)
        aot_vm_options+=("$option")
        ;;
      -Xm[nsx]* | -XX:*HeapSize=* | -XX:*RAM*)
        # References are longer from some 32 GiB on, which a cache depends on.
        [[ $option =~ ^-Xm[nsx]([0-9]{1,4}[mM]|[12]?[0-9][gG])$ ]] || return 1
        ;;
    esac
  done
}

# aot_stamp RELEASE WORD...: sets stamp to what identifies a cache: the JVM, by its release file, the processor, options, and
# every file of the library. A file may be another with the same size and time: only that of its last change of any kind can't be set.
aot_stamp() {
  local entry
  stamp=$({
    stat -L -c '%n %s %Y %Z' -- "$1" "${library_entries[@]}" 2> /dev/null || true
    grep -m 1 '^flags' /proc/cpuinfo || true
    printf '%s\n' "${@:2}"
    for entry in "${library_entries[@]}"; do
      [[ ! -d $entry ]] || find "$entry" -type f -printf '%p %s %T@ %C@\n' | LC_ALL=C sort
    done
  } | sha256sum)
  stamp=${stamp:0:32}
}

# pack_folders STAMP COMMAND...: caches know jars only, so the classes of folders go into one, by the JDK's jar, which COMMAND
# runs; library_entries names that from now on. A cache of an older one is none.
pack_folders() {
  local jar=$aot_folder/$1.jar fresh=$aot_folder/$1.jar.$$ entry mode=--create
  local -a jars=() folders=()
  for entry in "${library_entries[@]}"; do
    if [[ -d $entry ]]; then folders+=("$entry"); else jars+=("$entry"); fi
  done
  ((${#folders[@]})) || return 0
  if [[ ! -e $jar ]]; then
    for entry in "${folders[@]}"; do
      if ! "${@:2}" "$mode" --no-compress --no-manifest --file "$fresh" -C "$entry" . > /dev/null 2>&1; then
        rm -f -- "$fresh"
        return 1
      fi
      mode=--update
    done
    # Of jobs that come at once the first one; the others use its jar, which a finished cache may depend on already.
    if ln -- "$fresh" "$jar" 2> /dev/null; then rm -f -- "$aot_folder/$1.aot"; fi
    rm -f -- "$fresh"
    [[ -e $jar ]] || return 1
  fi
  library_entries=("$jar" "${jars[@]}")
}

# remove_old_aot_caches: those that were used longest ago, and their jars.
remove_old_aot_caches() {
  local -a caches
  local cache
  mapfile -t caches < <(ls -t -- "$aot_folder"/*.aot 2> /dev/null)
  for cache in "${caches[@]:aot_caches_kept}"; do
    rm -f -- "$cache" "${cache%.aot}.jar"
  done
  find "$aot_folder" -name '*.[0-9]*' -mmin +60 -delete
}
