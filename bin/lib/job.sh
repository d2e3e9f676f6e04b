# shellcheck shell=bash
# Runs one command as a job of its own: a session, so that all its processes can be found and ended, and no others.
# Sourced after tools.sh. (A process group would not do: mpirun gives every rank one of its own.)

# What the caller deletes after the job, and what is deleted in its place should it be killed.
private_folders=()

# For a launcher that gives ranks sessions of their own: a variable in the environment of all the job's processes, as
# NAME=value; otherwise empty.
job_mark=''

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

# guard_job STARTER SESSION TIMEOUT JOB_MARK FOLDER...: a process beside the starting script, which holds the other end of its
# standard input. Tells it when the time is over; and cleans up in its place when it ends without a word (SIGKILL).
guard_job() {
  local starter=$1 session=$2 timeout=$3 word='' status=0
  job_mark=$4
  shift 4
  trap '' INT TERM HUP
  if ((timeout > 0)); then
    read -r -t "$timeout" word || status=$?
    # Above 128: the time is over; 1: end of file.
    if ((status > 128)); then
      kill -ALRM "$starter"
      read -r word || true
    fi
  else
    read -r word || true
  fi
  [[ $word != finished ]] || return 0
  end_session "$session"
  rm -rf -- "$@"
}

# stop_job SIGNAL_NAME: the starting script was told to stop. mpirun is ended from here, too, because a signal just before
# a wait does not interrupt it.
stop_job() {
  caught=$1
  [[ -z $session ]] || kill -TERM "$session" 2> /dev/null || true
}

# run_job TIMEOUT_SECONDS RANKS COMMAND...: sets job_status to the command's exit code, to 124 after the timeout (0 means
# none), or to 128 + signal when this script was told to stop. No process of the job is left afterwards.
# shellcheck disable=SC2034  # job_status is read by the caller
run_job() {
  local timeout=$1 ranks=$2 session='' caught='' guard
  shift 2
  trap 'caught=ALRM' ALRM
  trap 'stop_job INT' INT
  trap 'stop_job TERM' TERM
  trap 'stop_job HUP' HUP
  setsid "$@" <&0 &
  session=$!
  [[ -z $caught ]] || stop_job "$caught"
  # Without our streams: a reader of our output must not wait for the guard.
  # shellcheck disable=SC2016  # expanded by the guard
  exec {guard}> >(exec setsid "$BASH" -c '. "$0"; guard_job "$@"' "${BASH_SOURCE[0]}" \
    $$ "$session" "$timeout" "$job_mark" "${private_folders[@]}" > /dev/null 2>&1)

  job_status=0
  wait "$session" || job_status=$?
  case $caught in
    '') ;;
    ALRM)
      warn "no end after $timeout s: the stacks of all Java threads follow, then the job is ended"
      signal_session "$session" QUIT java
      # Time to print: the ranks share the cores and their output passes through mpirun.
      session_ends_within "$session" $((10 + ranks)) || true
      job_status=124
      ;;
    *) job_status=$((128 + $(kill -l "$caught"))) ;;
  esac
  end_session "$session"
  wait "$session" 2> /dev/null || true
  # The guard may have died before us; that must not end this script.
  trap '' PIPE
  say finished >&"$guard" || true
  exec {guard}>&-
  trap - ALRM INT TERM HUP PIPE
}
