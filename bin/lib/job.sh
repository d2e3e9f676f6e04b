# shellcheck shell=bash
# Runs one command as a job of its own: a session, so that all its processes can be found and ended, and no others.
# Sourced after tools.sh. (A process group would not do: mpirun gives every rank one of its own.)

# What the caller deletes after the job, and what is deleted in its place should it be killed.
private_folders=()

# For a launcher that gives ranks sessions of their own: a variable in the environment of all the job's processes, as
# NAME=value; otherwise empty.
job_mark=''

# Where ranks note how far they have come, if a rank that fails while MPI starts leaves the others waiting; otherwise empty.
watched_folder=''

# The file that a rank makes when it aborts the job, if mpirun ends the job then; otherwise empty.
aborted_file=''

# How long mpirun may take for that: Open MPI 4.1.4's was seen not to end at all.
abort_seconds=10

# processes_of_session SESSION: sets session_processes to "pid name" lines, from /proc, because procps may be missing. What
# carries the job's mark is counted among them.
processes_of_session() {
  local stat pid name marked=''
  local -a fields
  session_processes=()
  [[ -z $job_mark ]] || marked=$(grep -lszxF -- "$job_mark" /proc/[0-9]*/environ | tr '\n' ' ' || true)
  for stat in /proc/[0-9]*/stat; do
    # A process may be gone by the time it is read. Its name is in parentheses and may contain anything.
    { read -r -d '' stat < "$stat" || true; } 2> /dev/null
    [[ $stat == [0-9]* ]] || continue
    pid=${stat%% *}
    name=${stat#*(}
    read -r -a fields <<< "${stat##*) }"
    # state ppid pgrp session
    if [[ ${fields[0]} != Z && ( ${fields[3]} == "$1" || $marked == *"/proc/$pid/environ "* ) ]]; then
      session_processes+=("$pid ${name%)*}")
    fi
  done
}

# signal_session SESSION SIGNAL [NAME]: to all its processes, or to those called NAME.
signal_session() {
  local process
  processes_of_session "$1"
  for process in "${session_processes[@]}"; do
    if [[ -z ${3:-} || ${process#* } == "$3" ]]; then
      kill "-$2" "${process%% *}" 2> /dev/null || true
    fi
  done
}

# session_ends_within SESSION TENTHS: waits until none of its processes is left.
session_ends_within() {
  local tenths
  for ((tenths = $2; tenths > 0; tenths--)); do
    processes_of_session "$1"
    ((${#session_processes[@]})) || return 0
    sleep 0.1
  done
  return 1
}

# end_session SESSION: asks mpirun to end its ranks, here and on other nodes, and to clean up; then ends what is left.
end_session() {
  kill -TERM "$1" 2> /dev/null || true
  session_ends_within "$1" 30 || signal_session "$1" KILL
}

# start_has_failed FOLDER: has a rank of this node ended before it came out of MPI_Init, which another one is in? Sets has_started
# to whether all of this node have come out, and so all others.
start_has_failed() {
  local file notes is_waiting=false is_gone=false is_out=false
  for file in "$1"/rank.*; do
    notes=$(cat -- "$file" 2> /dev/null) || continue
    if [[ $notes == *initialized* ]]; then
      is_out=true
    elif ! kill -0 "${file##*.}" 2> /dev/null; then
      is_gone=true
    elif [[ $notes == *initializing* ]]; then
      is_waiting=true
    fi
  done
  has_started=$is_out
  ! $is_waiting || has_started=false
  $is_gone && $is_waiting
}

# What is written to the guard of the last job; empty before the first.
guard=''

# guard_job STARTER SESSION TIMEOUT JOB_MARK WATCHED_FOLDER ABORTED_FILE FOLDER...: a process beside the starting script, which
# holds the other end of its standard input. Tells it when the time is over, ranks wait in MPI_Init for one that has failed, or
# mpirun hangs after a rank has aborted the job; and cleans up in its place when it ends without a word (SIGKILL), also after the
# word that the job has ended.
guard_job() {
  local starter=$1 session=$2 deadline=$((SECONDS + $3)) timeout=$3 watched=$5 word='' status failures=0 pause aborts=0
  job_mark=$4 aborted_file=$6
  shift 6
  trap '' INT TERM HUP
  while :; do
    pause=''
    ((timeout == 0)) || pause=$((deadline > SECONDS ? deadline - SECONDS : 1))
    [[ -z $watched$aborted_file ]] || pause=1
    status=0
    # Above 128: the time is over; 1: end of file.
    read -r ${pause:+-t "$pause"} word || status=$?
    if [[ $word == ended ]]; then
      session='' timeout=0 watched='' aborted_file=''
      continue
    fi
    ((status > 128)) || break
    if [[ -n $watched ]]; then
      # Three times: the others may be about to come out.
      if start_has_failed "$watched"; then failures=$((failures + 1)); else failures=0; fi
      if ((failures == 3)); then kill -USR1 "$starter"; fi
      if ((failures == 3)) || $has_started; then watched=''; fi
    fi
    if [[ -n $aborted_file && -e $aborted_file ]]; then
      aborts=$((aborts + 1))
      if ((aborts == abort_seconds)); then
        kill -USR2 "$starter"
        aborted_file=''
      fi
    fi
    if ((timeout > 0 && SECONDS >= deadline)); then
      kill -ALRM "$starter"
      timeout=0 watched='' aborted_file=''
    fi
  done
  [[ $word != finished ]] || return 0
  [[ -z $session ]] || end_session "$session"
  rm -rf -- "$@"
}

# tell_guard WORD: the guard may have ended before this script; that must not end the script.
tell_guard() {
  trap '' PIPE
  say "$1" >&"$guard" || true
  trap - PIPE
}

# stop_job SIGNAL_NAME: the starting script was told to stop. mpirun is ended from here, too, because a signal just before
# a wait does not interrupt it.
stop_job() {
  caught=$1
  [[ -z $session ]] || kill -TERM "$session" 2> /dev/null || true
}

# run_job TIMEOUT_SECONDS RANKS COMMAND...: sets job_status to the command's exit code, to 124 after the timeout (0 means none), to
# 1 when a rank fails while MPI starts, or has aborted the job and mpirun hangs, or to 128 + signal when this script was told to
# stop; and job_caught to that signal, or ALRM for the timeout, else to nothing. No process of the job is left afterwards.
# shellcheck disable=SC2034,SC2064  # job_status is read by the caller; the signals in the traps are known now
run_job() {
  local timeout=$1 ranks=$2 session='' caught='' signal
  shift 2
  for signal in ALRM USR1 USR2; do trap "caught=$signal" "$signal"; done
  for signal in INT TERM HUP; do trap "stop_job $signal" "$signal"; done
  if [[ -n $guard ]]; then
    tell_guard finished
    exec {guard}>&-
  fi
  setsid "$@" <&0 &
  session=$!
  [[ -z $caught ]] || stop_job "$caught"
  # Without our streams: a reader of our output must not wait for the guard.
  # shellcheck disable=SC2016  # expanded by the guard
  exec {guard}> >(exec setsid "$BASH" -c '. "$0"; guard_job "$@"' "${BASH_SOURCE[0]}" \
    $$ "$session" "$timeout" "$job_mark" "$watched_folder" "$aborted_file" "${private_folders[@]}" > /dev/null 2>&1)

  job_status=0 job_caught=''
  wait "$session" || job_status=$?
  case $caught in
    '') ;;
    ALRM)
      job_caught=$caught
      warn "no end after $timeout s: the stacks of all Java threads follow, then the job is ended"
      signal_session "$session" QUIT java
      # Time to print: the ranks share the cores and their output passes through mpirun.
      session_ends_within "$session" $((10 + ranks)) || true
      job_status=124
      ;;
    USR1)
      warn "a rank has failed before it came out of MPI_Init, and the others would wait for it: the job is ended"
      job_status=1
      ;;
    USR2)
      warn "a rank has aborted the job, and mpirun has not ended within $abort_seconds s: the job is ended"
      job_status=1
      ;;
    *) job_caught=$caught job_status=$((128 + $(kill -l "$caught"))) ;;
  esac
  end_session "$session"
  wait "$session" 2> /dev/null || true
  # It goes on until the next job has a guard of its own: between two starts this script may be killed, too.
  tell_guard ended
  # What the guard has sent may come now.
  trap '' ALRM USR1 USR2
  trap - INT TERM HUP
}
