# shellcheck shell=bash
# An AOT cache of the JVM (JEP 483, 514, 515) for ranks: they find the library's classes loaded and linked, and what is known
# of their hot code. Sourced after tools.sh and job.sh.
# shellcheck disable=SC2154  # cache_folder, java, root, mpi_jar and library_folder come from there

# Caches, and jars of class folders; the latest few of each are kept, of 25 MB each.
aot_folder=$cache_folder/aot
aot_caches_kept=8
# Training takes seconds; on a machine that is busy beyond measure ranks rather start without.
aot_training_seconds=120
# In training the second compiler begins late: what it has compiled there, it compiles at once when a rank starts.
training_thresholds=(-XX:Tier4InvocationThreshold=100000 -XX:Tier4CompileThreshold=100000)

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

# find_library: sets library_entries to what the store, the communicators below it, their one dependency and, where it is
# there, the protection of files lie in, as the JVM would find them.
find_library() {
  local -a entries
  library_entries=()
  IFS=: read -r -a entries <<< "$class_path"
  first_with org/restorej/AotTraining.class "${entries[@]}" || return 1
  library_entries=("$(realpath -- "$found_entry")")
  first_with org/restorej/comm/Communicator.class "${entries[@]}" || return 1
  found_entry=$(realpath -- "$found_entry")
  [[ $found_entry == "${library_entries[0]}" ]] || library_entries+=("$found_entry")
  if first_with it/unimi/dsi/fastutil/ints/IntSet.class "${entries[@]}" && [[ -f $found_entry ]]; then
    found_entry=$(realpath -- "$found_entry")
    [[ " ${library_entries[*]} " == *" $found_entry "* ]] || library_entries+=("$found_entry")
  fi
  if first_with org/restorej/redset/Redset.class "${entries[@]}" && [[ -f $found_entry ]]; then
    found_entry=$(realpath -- "$found_entry")
    [[ " ${library_entries[*]} " == *" $found_entry "* ]] || library_entries+=("$found_entry")
  fi
}

# choose_aot_vm_options: sets aot_vm_options to those of the user's that a cache depends on; fails where the user decides.
choose_aot_vm_options() {
  local option
  local -a heap=()
  aot_vm_options=()
  for option in "${java_options[@]}"; do
    case $option in
      -XX:AOT* | -XX:[+-]AOT* | -XX:SharedArchiveFile=* | -XX:ArchiveClassesAtExit=* | -Xshare:*) return 1 ;;
      -XX:+Use*GC | -XX:[+-]UseCompressed* | -XX:[+-]UseCompactObjectHeaders | -XX:ObjectAlignmentInBytes=* | --add-* | \
        --enable-* | --limit-modules* | -Djava.library.path=*)
        aot_vm_options+=("$option")
        ;;
      -Xm[nsx]* | -XX:*HeapSize=* | -XX:*RAM*)
        # Less than 10 GiB is small, whatever else is said.
        [[ $option =~ ^-Xmx([0-9]{1,4}[mM]|[0-9][gG])$ ]] || heap+=("$option")
        ;;
    esac
  done
  ((${#heap[@]} == 0)) || ! has_long_references "${heap[@]}" || aot_vm_options+=(-XX:-UseCompressedOops)
}

# has_long_references OPTION...: are a JVM's references longer with these options for its heap, as from some 32 GiB on? A cache
# depends on that. Only the JVM knows: the limit depends on other options, and the size may on the machine.
has_long_references() {
  "${inside[@]}" "$java" "$@" "${aot_vm_options[@]}" -XX:+PrintFlagsFinal -version 2> /dev/null |
    grep -q ' UseCompressedOops *= false '
}

# aot_stamp: prints what a cache depends on: the JVM, the processor, options, and every file of the library.
aot_stamp() {
  local entry
  stat -L -c '%n %s %Y' -- "$root${java%/bin/java}/release" "${library_entries[@]}" ${mpi_jar:+"$mpi_jar"} 2> /dev/null || true
  grep -m 1 '^flags' /proc/cpuinfo || true
  printf '%s\n' "$java" "${aot_vm_options[@]}"
  for entry in "${library_entries[@]}"; do
    [[ ! -d $entry ]] || find "$entry" -type f -printf '%p %s %T@\n' | LC_ALL=C sort
  done
}

# jar_of_folder STAMP INDEX: sets folder_jar to the jar that the classes of that entry of the library go into.
jar_of_folder() { folder_jar=$aot_folder/$1-$2.jar; }

# all_packed STAMP: is there a jar for each folder of the library?
all_packed() {
  local index
  for index in "${!library_entries[@]}"; do
    jar_of_folder "$1" "$index"
    [[ ! -d ${library_entries[index]} || -e $folder_jar ]] || return 1
  done
}

# pack_folders STAMP: caches know jars only, so a folder's classes go into one; library_entries names that from now on.
pack_folders() {
  local fresh index
  for index in "${!library_entries[@]}"; do
    [[ -d ${library_entries[index]} ]] || continue
    jar_of_folder "$1" "$index"
    if [[ ! -e $folder_jar ]]; then
      fresh=$folder_jar.$$
      if ! "${inside[@]}" "${java%/java}/jar" --create --no-compress --no-manifest --file "$fresh" \
        -C "${library_entries[index]}" . > /dev/null 2>&1; then
        rm -f -- "$fresh"
        return 1
      fi
      mv -f -- "$fresh" "$folder_jar"
    fi
    library_entries[index]=$folder_jar
  done
}

# train_aot_cache CACHE: three ranks call all that a store can do; the first one leaves the cache when it ends. Complete or
# not at all; an empty file says that there can be none. Ends the script when that is told to stop meanwhile.
train_aot_cache() {
  local fresh=$1.$$ path
  local -a jvm program=(org.restorej.AotTraining die)
  # A real death would cost rank 0 its orderly end.
  # shellcheck disable=SC2154  # from the caller
  ! $ulfm || program=(org.restorej.AotTraining)
  path=$(IFS=:; printf '%s' "${library_entries[*]}${mpi_jar:+:$mpi_jar}")
  jvm=(-Xmx256m "${training_thresholds[@]}" "${aot_vm_options[@]}" -cp "$path")
  # By a shell, since Open MPI 5 fails when ranks are started with different commands.
  # shellcheck disable=SC2016  # expanded by that shell
  run_job "$aot_training_seconds" 3 "${launcher[@]}" "${unbound[@]}" -n 3 bash -c '
    if [ "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-}}" = 0 ]; then exec "$0" "-XX:AOTCacheOutput=$1" "${@:2}"; fi
    exec "$0" -XX:TieredStopAtLevel=1 "${@:2}"' \
    "$java" "$fresh" "${jvm[@]}" "${program[@]}" < /dev/null > /dev/null 2>&1
  case $job_status in
    # HUP, INT and TERM, which this script was sent.
    129 | 130 | 143)
      rm -f -- "$fresh" "$fresh.config"
      exit "$job_status"
      ;;
  esac
  [[ $job_status == 0 && -s $fresh ]] || : > "$fresh"
  rm -f -- "$fresh.config"
  mv -f -- "$fresh" "$1"
}

# remove_old_aot_caches: those that were used longest ago, and their jars.
remove_old_aot_caches() {
  local -a caches
  local cache
  mapfile -t caches < <(ls -t -- "$aot_folder"/*.aot)
  for cache in "${caches[@]:aot_caches_kept}"; do
    rm -f -- "$cache" "${cache%.aot}"-[0-9].jar
  done
  find "$aot_folder" -name '*.[0-9]*' -mmin +60 -delete
}

# find_or_make_aot_cache: sets aot_options to the options that let ranks use a cache, and aot_path to the beginning of the
# class path that these need, with a colon at its end. Both stay empty where no cache fits, or another job is at work on it.
# Expects what mpirun-java knows: class_path, java_options, ulfm, launcher, unbound, and inside.
# shellcheck disable=SC2034  # both are read there
find_or_make_aot_cache() {
  local stamp cache lock
  aot_options=() aot_path=''
  [[ ${RESTOREJ_AOT:-} != no ]] || return 0
  if ! choose_aot_vm_options || ! find_library || ! mkdir -p -- "$aot_folder" 2> /dev/null || [[ ! -w $aot_folder ]]; then
    return 0
  fi
  stamp=$(aot_stamp | sha256sum)
  stamp=${stamp:0:32}
  cache=$aot_folder/$stamp.aot
  # What could not be made may be possible another day.
  [[ ! -e $cache || -s $cache ]] || find "$cache" -mtime +0 -delete
  if [[ ! -e $cache ]] || { [[ -s $cache ]] && ! all_packed "$stamp"; }; then
    exec {lock}> "$aot_folder/lock"
    # Nobody waits for a cache: a job that comes meanwhile starts without.
    if ! flock -n "$lock" || ! pack_folders "$stamp"; then
      # The job would hold the lock otherwise.
      exec {lock}>&-
      return 0
    fi
    train_aot_cache "$cache"
    remove_old_aot_caches
    exec {lock}>&-
  fi
  if [[ -s $cache ]]; then
    pack_folders "$stamp" || return 0
    touch -c -- "$cache"
    aot_path=$(IFS=:; printf '%s:' "${library_entries[*]}${mpi_jar:+:$mpi_jar}")
    # Should it not fit this JVM, that is no error, and not worth a word either.
    aot_options=("-XX:AOTCache=$cache" '-Xlog:aot*=off' '-Xlog:cds*=off')
  fi
}
