# shellcheck shell=bash
# Starts a job again that has ended by a failure. Sourced after job.sh and hosts.sh, whose words it uses.
# shellcheck disable=SC2034,SC2154

# The exit code of a job that has saved its work and is to be continued.
continued=75

# prepare_restarts: names the file in which the ranks tell why a job ends, in a line such as "lost 120": a word and an iteration;
# beside it are their notes for later starts, and a demo has its folder of checkpoints.
# On several nodes it must be on a file system that all share, as the working folder mostly is.
prepare_restarts() {
  local folder=$PWD
  [[ -w $folder ]] || folder=$cache_folder
  if $one_node; then
    make_own_folder
    folder=$own_folder
  fi
  export RESTOREJ_JOB_STATE=$folder/.restorej-job-state.$$
  # Open MPI 4 otherwise waits a second before it ends the ranks that are left.
  export OMPI_MCA_odls_base_sigkill_timeout=${OMPI_MCA_odls_base_sigkill_timeout:-0}
  # A daemon of Open MPI or MPICH is a step of Slurm. That of a start before may still count as running, since a node has failed under
  # it, and the next would wait for its processors.
  [[ -z ${SLURM_JOB_ID:-} ]] || export SLURM_OVERLAP=${SLURM_OVERLAP:-1}
  private_folders+=("$RESTOREJ_JOB_STATE" "$RESTOREJ_JOB_STATE".{notes,notes.new,files})
}

# is_restarted RESTARTS: is the job to be started again, of which job_status is known and that was started again as often? Says why,
# and why not where more is to be said than the exit code. Sets last_exception, the iteration in which the application has thrown.
is_restarted() {
  local reason='' iteration='' before=$last_exception
  # Its end was asked for, or all is well, or the command line is wrong.
  [[ -z $job_caught && $job_status != [02] ]] || return 1
  # Most ends leave no file.
  { read -r reason iteration < "$RESTOREJ_JOB_STATE" || true; } 2> /dev/null
  last_exception=''
  # Some launchers have another exit code when ranks end with different ones.
  if [[ $reason == stopped ]]; then
    return 1
  elif ((job_status == continued)) && [[ $reason != lost ]]; then
    [[ -n $reason ]] || warn "the job has to be continued (exit code $job_status), and it is not started again: why it has ended is not in" \
      "$RESTOREJ_JOB_STATE, which all nodes must see"
    return 1
  elif [[ $reason == exception ]]; then
    last_exception=$iteration
    if [[ $iteration == "$before" ]]; then
      warn "the application has thrown an exception in iteration $iteration again: the job is not started again"
      return 1
    fi
  fi
  if (($1 >= restarts)); then
    ((restarts == 0)) || warn "the job has failed (exit code $job_status) after $restarts restarts"
    return 1
  fi
  warn "the job has failed (exit code $job_status${reason:+, $reason in iteration $iteration}): it is started again, $(($1 + 1)) of $restarts"
}

# answers HOST: does a host answer within some seconds?
answers() {
  local -a ask=(ssh -o BatchMode=yes -o ConnectTimeout=5 "$1")
  if [[ -n $agent ]]; then
    ask=("$job_folder/agent" "$1")
  elif [[ -n ${SLURM_JOB_ID:-} ]]; then
    ask=(srun --overlap --nodes=1 --ntasks=1 "--nodelist=$1")
  fi
  timeout 10 "${ask[@]}" true < /dev/null > /dev/null 2>&1
}

# hosts_of_slurm: sets hosts to those of the allocation, with their numbers of tasks, as --hosts has them.
hosts_of_slurm() {
  local item times host
  local -a tasks=()
  for item in ${SLURM_TASKS_PER_NODE//,/ }; do
    # Such as 4(x2).
    times=1
    [[ $item != *x* ]] || times=${item//[^0-9x]/} times=${times#*x}
    for ((; times > 0; times--)); do tasks+=("${item%%(*}"); done
  done
  hosts=''
  while read -r host; do
    hosts+=${hosts:+,}$host:${tasks[0]}
    tasks=("${tasks[@]:1}")
  done < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
}

# prepare_restart: what is left of the start before is removed; and a job on several nodes gets those that still answer, and ranks in
# proportion to their room, where some have gone.
prepare_restart() {
  local host entry room=0 room_before=0 slots fewer left=''
  local -A asked=()
  rm -f -- "$RESTOREJ_JOB_STATE" ${job_folder:+"$job_folder"/rank.* "$job_folder"/thrown.* "$job_folder/aborted"}
  [[ -z ${shared_memory:-} ]] || find "$shared_memory" -mindepth 1 -delete
  if [[ -z $hosts && -n ${SLURM_JOB_NODELIST:-} ]] && ! $one_node; then hosts_of_slurm; fi
  [[ -n $hosts ]] || return 0
  for entry in ${hosts//,/ }; do
    answers "${entry%:*}" &
    asked[$entry]=$!
  done
  for entry in ${hosts//,/ }; do
    host=${entry%:*} slots=1
    [[ $entry != *:* ]] || slots=${entry##*:}
    room_before=$((room_before + slots))
    if wait "${asked[$entry]}"; then
      left+=${left:+,}$entry
      room=$((room + slots))
    else
      warn "host $host doesn't answer: it gets no ranks"
    fi
  done
  [[ -n $left ]] || die "no host answers any more: $hosts"
  hosts=$left
  # As many as before for each of the slots, if these were fewer than the ranks.
  fewer=$((ranks > room_before ? ranks * room / room_before : room))
  if ((ranks > fewer)); then
    warn "there is room for $fewer ranks instead of $ranks"
    ranks=$fewer
  fi
  placement=("${first_placement[@]}" --host "$hosts")
  ! is_hydra "$mpi" || placement=("${first_placement[@]}" -hosts "$hosts")
}
