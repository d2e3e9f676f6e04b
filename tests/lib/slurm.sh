# shellcheck shell=bash
# Slurm: the packages, unpacked by bootstrap, and its daemons on the nodes of a cluster of tests/nodes. Sourced after tools.sh.
# shellcheck disable=SC2034,SC2154  # what is missing here lies in tests/nodes and bin/bootstrap

# What Debian and Ubuntu have, unpacked; laid over /usr on the nodes, where it then looks installed.
slurm_folder=$cache_folder/slurm
slurm_packages=(slurmctld slurmd slurm-client munge)
slurm_head=10.77.0.254

# Says what is missing, or the version. Run where Slurm looks installed.
# shellcheck disable=SC2016  # expanded by the shell that runs it
slurm_question='
for program in munged slurmctld slurmd slurmstepd srun sbatch scontrol sinfo; do
  file=$(command -v "$program") || { echo "there is no $program: bin/bootstrap --slurm"; exit 1; }
  ! ldd "$file" | grep "not found" || exit 1
done
slurmd -V'

# with_slurm COMMAND...: in a mount namespace of its own, where the packages are laid over /usr.
with_slurm() {
  # shellcheck disable=SC2016  # expanded by the shell inside
  unshare --mount --propagation private -- "$BASH" -c '
    [[ ! -d $0/usr ]] || mount -t overlay -o "ro,lowerdir=$0/usr:/usr" slurm /usr
    exec "$@"' "$slurm_folder" "$@"
}

# check_slurm: sets reason to why there can't be Slurm on nodes, or leaves it empty, and slurm_version.
check_slurm() {
  local answer
  reason='' slurm_version=''
  if ((EUID != 0)); then
    reason='it takes root'
  elif ! answer=$(with_slurm "$BASH" -c "$slurm_question" 2>&1); then
    reason=${answer//$'\n'/ }
  elif [[ $answer =~ [[:space:]]([0-9]+\.[0-9.]*[0-9]) ]]; then
    slurm_version=${BASH_REMATCH[1]}
  else
    reason="slurmd -V gives no version: $answer"
  fi
}

# ensure_slurm: for bootstrap. Only root can have nodes to run it on.
ensure_slurm() {
  check_slurm
  if [[ -n $reason ]] && ! $check_only && can_install && command -v dpkg-deb > /dev/null &&
    unpack_packages "$slurm_folder" "${slurm_packages[@]}"; then
    link_slurm_programs "$slurm_folder"
    check_slurm
  fi
  if [[ -z $reason ]]; then
    report 'Slurm' "$slurm_version ($(if [[ -d $slurm_folder ]]; then say "$slurm_folder"; else say 'of this machine'; fi))"
  else
    missing+=("Slurm: $reason")
  fi
}

# require_slurm [PRINTER]: ends the script, by a line of the printer, where there can't be Slurm.
require_slurm() {
  check_slurm
  [[ -z $reason ]] || { "${1:-warn}" "no Slurm can be had here: $reason"; exit 3; }
}

# link_slurm_programs FOLDER: what an installation would call by shorter names.
link_slurm_programs() {
  local program
  for program in slurmctld slurmd slurmstepd; do
    [[ ! -e $1/usr/sbin/$program-wlm ]] || ln -sf "$program-wlm" "$1/usr/sbin/$program"
  done
}

# slurm_node CLUSTER NODE COMMAND...: the words of a command that runs on a node, or on the head, with Slurm there.
slurm_node() { slurm_command=("$project_root/tests/lib/in-node" --slurm "$@"); }

# write_slurm_settings CLUSTER NODES CPUS: no cgroups, since no systemd can be expected; no accounting. Processors are only counted,
# and may be more than there are: ranks share them.
write_slurm_settings() {
  local slurm=$names_folder/$1/slurm memory
  memory=$(sed -n 's/^MemTotal: *\([0-9]*\) kB/\1/p' /proc/meminfo)
  cat > "$slurm/slurm.conf.making" << END
ClusterName=$1
SlurmctldHost=head($slurm_head)
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool-%n
TmpFS=$slurm/tmp-%n
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd-%n.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=2
ReturnToService=2
SlurmctldTimeout=10
SlurmdTimeout=20
InactiveLimit=0
KillWait=5
UnkillableStepTimeout=60
MpiDefault=none
SlurmdParameters=config_overrides
NodeName=node[1-$2] NodeAddr=10.77.0.[1-$2] CPUs=$3 RealMemory=$((memory / 1024)) State=UNKNOWN
PartitionName=nodes Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  # Before this word was known, no cgroups meant none.
  : > "$slurm/cgroup.conf"
  ! version_at_least 23.02 "$slurm_version" || say 'CgroupPlugin=disabled' > "$slurm/cgroup.conf"
  mv -- "$slurm/slurm.conf.making" "$slurm/slurm.conf"
}

# add_head CLUSTER: the node of the controller and of those who submit, which no failure of a node reaches. It has a name when it is
# complete.
add_head() {
  local hosts=$names_folder/$1/hosts head=restorej-$1-head switch=restorej-$1-switch
  ! grep -q ' head$' "$hosts" || return 0
  if [[ -e /run/netns/$head ]]; then
    ip netns del "$head"
    ip -n "$switch" link del head 2> /dev/null || true
  fi
  add_node "$head" head "$slurm_head"
  say "$slurm_head head" >> "$hosts"
}

# start_daemon CLUSTER NODE NAME COMMAND...: unless it is running there.
start_daemon() {
  local cluster=$1 node=$2 daemon=$3 pid
  shift 3
  for pid in $(ip netns pids "restorej-$cluster-$node"); do
    [[ $(tr '\0' '\n' 2> /dev/null < "/proc/$pid/cmdline" | sed -n '1s#.*/##p') != "$daemon" ]] || return 0
  done
  slurm_node "$cluster" "$node" "$@"
  setsid "${slurm_command[@]}" < /dev/null >> "$names_folder/$cluster/slurm/$daemon-$node.out" 2>&1 &
}

# slurm_up CLUSTER CPUS NODE...: starts what isn't running, and waits until all nodes are ready. Processors are those of the first
# time.
slurm_up() {
  local cluster=$1 cpus=$2 slurm=$names_folder/$1/slurm node deadline started
  shift 2
  if [[ -e $slurm/slurm.conf ]]; then
    started=$(sed -n 's/^NodeName=.* CPUs=\([0-9]*\) .*/\1/p' "$slurm/slurm.conf")
    [[ ${cpus:-$started} == "$started" ]] ||
      wrong_usage "a node of the Slurm on the cluster $cluster has $started processors, not --cpus $cpus: down and up make another"
  fi
  add_head "$cluster"
  mkdir -p -- "$slurm/state"
  if [[ ! -e $slurm/slurm.conf ]]; then
    (umask 277 && head -c 128 /dev/urandom > "$slurm/munge.key")
    [[ ! -d $slurm_folder ]] || ln -sfn -- "$slurm_folder" "$slurm/packages"
    write_slurm_settings "$cluster" $# "${cpus:-4}"
  fi
  start_daemon "$cluster" head munged munged --foreground --key-file "$slurm/munge.key" --socket "$slurm/munge.socket" \
    --pid-file "$slurm/munged.pid" --log-file "$slurm/munged.log" --seed-file "$slurm/munged.seed"
  deadline=$((SECONDS + 60))
  while [[ ! -S $slurm/munge.socket ]]; do await_slurm "$cluster" "$deadline"; done
  start_daemon "$cluster" head slurmctld slurmctld -D
  for node in "$@"; do
    # PMIx takes it for the node's own, which /tmp is not.
    mkdir -p -- "$slurm/tmp-node$node"
    start_daemon "$cluster" "$node" slurmd slurmd -D
  done
  slurm_node "$cluster" head sinfo --noheader --Node --states=idle,alloc,mix --responding -o %N
  while (($("${slurm_command[@]}" 2> /dev/null | wc -l) < $#)); do await_slurm "$cluster" "$deadline"; done
}

# await_slurm CLUSTER DEADLINE: a moment, until the deadline.
await_slurm() {
  if ((SECONDS > $2)); then
    tail -n 5 "$names_folder/$1"/slurm/*.log "$names_folder/$1"/slurm/*.out >&2
    die "Slurm didn't get ready in 60 s: tests/nodes --name $1 down"
  fi
  sleep 0.2
}
