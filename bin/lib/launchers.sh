# shellcheck shell=bash
# How each MPI starts ranks. Sourced after tools.sh and mpi.sh.
#
# Both functions set: launcher, the command up to -n; placement, its options for this job; unbound, those for ranks that may
# outnumber the cores. Settings go into the environment, so that a user's own win. They expect mpi, its name, bound and
# one_node, and add to private_folders.
# shellcheck disable=SC2034,SC2154

# own_shared_memory: ranks that are killed while they start leave their shared memory behind. On one node it can lie in a
# folder of our own, named by shared_memory; otherwise that is empty.
own_shared_memory() {
  shared_memory=''
  if $one_node && [[ -w /dev/shm ]]; then
    shared_memory=$(mktemp -d /dev/shm/restorej.XXXXXX)
    private_folders+=("$shared_memory")
    export UCX_POSIX_DIR=${UCX_POSIX_DIR-$shared_memory}
  fi
}

# The folder of the job's own files, removed after the job; empty as long as there is none.
own_folder=''

# make_own_folder: sets own_folder, once: a root folder shows its ranks no other. On a cluster of tests/nodes it has the cluster's
# name: a job that is killed with it removes nothing.
make_own_folder() {
  [[ -z $own_folder ]] || return 0
  own_folder=$(mktemp -d "$temporary_folder/restorej${RESTOREJ_CLUSTER:+-$RESTOREJ_CLUSTER}.XXXXXX")
  private_folders+=("$own_folder")
}

prepare_openmpi() {
  make_own_folder
  job_folder=$own_folder
  export OMPI_MCA_orte_tmpdir_base=$job_folder PRTE_MCA_prte_tmpdir_base=$job_folder
  own_shared_memory
  if [[ -n $shared_memory ]]; then
    export OMPI_MCA_btl_vader_backing_directory=${OMPI_MCA_btl_vader_backing_directory-$shared_memory}
    export OMPI_MCA_btl_sm_backing_directory=${OMPI_MCA_btl_sm_backing_directory-$shared_memory}
  fi
  unbound=(--oversubscribe --bind-to none) placement=(--map-by core --bind-to core)
  if ! $bound; then
    # Ranks that outnumber the cores must yield while they wait.
    export OMPI_MCA_mpi_yield_when_idle=${OMPI_MCA_mpi_yield_when_idle-1}
    placement=("${unbound[@]}")
  fi
  if ((EUID == 0)); then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
  fi
  launcher=("$mpirun")
  if is_ulfm "$mpi"; then
    # coll/han and coll/cuda swallow the error codes of failed ranks; other transports notice a failure late or never.
    local transports=self,sm
    $one_node || transports=self,sm,tcp
    export OMPI_MCA_btl=${OMPI_MCA_btl-$transports} OMPI_MCA_coll=${OMPI_MCA_coll-^han,cuda}
    launcher+=(--with-ft ulfm)
  fi
}

# Whether its ranks yield while they wait is settled when MPICH is built; ours ask again and again, and yield by themselves.
prepare_hydra() {
  own_shared_memory
  unbound=(-bind-to none) placement=(-bind-to none)
  ! $bound || placement=(-bind-to core)
  # Its ranks lead sessions of their own.
  job_mark=RESTOREJ_JOB=$$.$EPOCHREALTIME
  launcher=(env "$job_mark")
  # The launcher needs these libraries, too, and hands the path to the ranks; this script's own commands do without.
  [[ -z $library_path ]] || launcher+=("LD_LIBRARY_PATH=$library_path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}")
  launcher+=("$mpirun")
}
