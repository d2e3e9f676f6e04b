package org.restorej.internal.mpi;

import java.util.Map;

/** Who has started this process as one of several: what the environment says. */
public enum Launcher {
    /** Open MPI's mpirun. */
    OPEN_MPI("Open MPI's mpirun (OMPI_COMM_WORLD_SIZE)"),
    /** A launcher with PMIx: prterun, or srun --mpi=pmix. */
    PMIX("a launcher with PMIx (PMIX_RANK)"),
    /** A launcher with PMI: mpiexec.hydra of MPICH, Intel MPI and MVAPICH, or srun --mpi=pmi2. */
    PMI("a launcher with PMI, as mpiexec.hydra (PMI_RANK)"),
    /** Slurm's srun without a plug-in for MPI. */
    SLURM("srun without MPI (SLURM_STEP_NUM_TASKS)"),
    /** None. */
    NONE("no launcher");

    private final String description;

    Launcher(String description) {
        this.description = description;
    }

    /** The launcher that an environment speaks of. */
    public static Launcher of(Map<String, String> environment) {
        if (environment.containsKey("OMPI_COMM_WORLD_SIZE")) {
            return OPEN_MPI;
        }
        if (environment.containsKey("PMIX_RANK")) {
            return PMIX;
        }
        if (environment.containsKey("PMI_RANK") || environment.containsKey("PMI_FD")) {
            return PMI;
        }
        String tasks = environment.get("SLURM_STEP_NUM_TASKS");
        return tasks != null && environment.containsKey("SLURM_PROCID") && !tasks.equals("1") ? SLURM : NONE;
    }

    /** That of this process; {@link #NONE} where a rank has started it, whose variables it has inherited. */
    public static Launcher ofProcess() {
        Launcher launcher = of(System.getenv());
        return launcher == NONE || Ancestors.includeRank(System.getenv()) ? NONE : launcher;
    }

    /** Whether MPI can start under it. */
    public boolean startsMpi() {
        return this != SLURM && this != NONE;
    }

    /** The launcher and the variable that tells it. */
    public String description() {
        return description;
    }
}
