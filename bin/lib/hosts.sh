# shellcheck shell=bash
# Jobs on several nodes. Sourced after launchers.sh, whose words it uses. docs/cluster.md has the experiments behind the settings.
# shellcheck disable=SC2034,SC2154

# is_hosts TEXT: such as "node1:2,10.77.0.2:2"?
is_hosts() { [[ $1 =~ ^[^,:[:space:]]+(:[1-9][0-9]*)?(,[^,:[:space:]]+(:[1-9][0-9]*)?)*$ ]]; }

# find_out_one_node HOSTS: sets one_node to whether all ranks run on this machine.
find_out_one_node() {
  one_node=false
  [[ -n $1 || ${SLURM_JOB_NUM_NODES:-1} != 1 || -n ${PBS_NODEFILE:-}${LSB_HOSTS:-}${PE_HOSTFILE:-} ]] || one_node=true
}

# prepare_hosts HOSTS AGENT INTERFACE: adds to launcher and placement what these options ask for, and the settings that failures
# of nodes need. Expects that launchers.sh has prepared the launcher. MPICH has none of these.
prepare_hosts() {
  local hosts=$1 agent=$2 interface=$3
  if is_hydra "$mpi"; then
    [[ -z $hosts$agent$interface ]] || die "--hosts, --agent and --interface are for Open MPI, not for MPICH"
    return 0
  fi
  ! $one_node || return 0
  [[ -z $agent ]] || use_agent "$agent"
  ask_for_lost_daemons
  [[ -z $hosts ]] || placement+=(--host "$hosts")
  if [[ -n $interface ]]; then
    export OMPI_MCA_oob_tcp_if_include=$interface OMPI_MCA_btl_tcp_if_include=$interface PRTE_MCA_prte_if_include=$interface
  fi
}

# use_agent COMMAND: has daemons started by a program that does what the command says. An MPI would split that at spaces.
use_agent() {
  local file=$job_folder/agent
  printf '#!/bin/bash\nexec %s "$@"\n' "$1" > "$file"
  chmod +x "$file"
  # The names of 4.1, and of 5 and 6.
  export OMPI_MCA_plm_rsh_agent=$file PRTE_MCA_plm_ssh_agent=$file
  # What an agent starts may lead sessions of its own.
  job_mark=RESTOREJ_JOB=$$.$EPOCHREALTIME
  launcher=(env "$job_mark" "${launcher[@]}")
}

# The daemons' kernels ask one another every few seconds whether they are there. Once a link has been away for 20 s (5 s idle, 5
# questions, each for 3 s), Open MPI 6 tells the ranks that all ranks behind it have failed, and 4 and 5 end the job; by
# default they ask for 8 minutes. It is the kernel that answers: no load and no stopped process is taken for a failure.
ask_for_lost_daemons() {
  local layer=OMPI_MCA_oob_tcp setting
  ! version_at_least 5.0 "$mpi_version" || layer=PRTE_MCA_oob_tcp
  ! version_at_least 6.0~ "$mpi_version" || layer=PRTE_MCA_prte
  for setting in time=5 intvl=3 probes=5; do
    [[ -v ${layer}_keepalive_${setting%=*} ]] || export "${layer}_keepalive_$setting"
  done
}
