package org.restorej.internal.mpi;

import java.util.Map;
import java.util.Optional;

/** The launcher that has started this process as one of several, by its environment variables. */
public enum Launcher {
    /** Open MPI's mpirun. */
    OPEN_MPI("Open MPI's mpirun (OMPI_COMM_WORLD_SIZE)"),
    /** A launcher with PMIx: prterun, or srun --mpi=pmix. */
    PMIX("a launcher with PMIx (PMIX_RANK)"),
    /** A launcher with PMI: mpiexec.hydra of MPICH, Intel MPI and MVAPICH, or srun --mpi=pmi2. */
    PMI("a launcher with PMI, as mpiexec.hydra (PMI_RANK)"),
    /** Slurm's srun without a plug-in for MPI. */
    SLURM("srun without MPI (SLURM_STEP_NUM_TASKS)"),
    /** No launcher. */
    NONE("no launcher");

    /** Prefix of the PMIx namespace of Slurm's plug-in; a launcher within Slurm uses another one. */
    private static final String NAMESPACE_OF_SLURM = "slurm.pmix.";

    private final String description;

    Launcher(String description) {
        this.description = description;
    }

    /** The launcher of an environment. */
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

    /** The launcher of this process; {@link #NONE} if a rank has started it, whose variables it has inherited. */
    public static Launcher ofProcess() {
        Launcher launcher = of(System.getenv());
        return launcher == NONE || Ancestors.includeRank(System.getenv()) ? NONE : launcher;
    }

    /** Whether MPI can start under it. */
    public boolean startsMpi() {
        return this != SLURM && this != NONE;
    }

    /** The launcher and the variable that identifies it. */
    public String description() {
        return description;
    }

    /**
     * The environment variable with the number of processes that were started together; empty if there is none.
     *
     * @param environment of a process that was started by this launcher
     */
    private Optional<String> countVariable(Map<String, String> environment) {
        return switch (this) {
            case OPEN_MPI -> Optional.of("OMPI_COMM_WORLD_SIZE");
            case PMI -> Optional.of("PMI_SIZE");
            case PMIX -> environment.getOrDefault("PMIX_NAMESPACE", "").startsWith(NAMESPACE_OF_SLURM)
                    ? Optional.of("SLURM_STEP_NUM_TASKS")
                    : Optional.empty();
            case SLURM, NONE -> Optional.empty();
        };
    }

    /**
     * The reason why a world is incomplete; empty if it is complete. An MPI without the launcher's protocol starts each
     * process in a world of its own, as MPICH does under {@code srun --mpi=pmix}.
     *
     * @param worldSize number of its processes; may be larger than the launcher's number if programs are started
     *        together
     * @param version of the MPI
     */
    public static Optional<String> problem(Map<String, String> environment, int worldSize, String version) {
        return of(environment).countVariable(environment).flatMap(variable -> {
            String count = environment.getOrDefault(variable, "");
            if (!count.matches("[1-9][0-9]{0,8}") || worldSize >= Integer.parseInt(count)) {
                return Optional.empty();
            }
            String plugin = MpiFamily.isMpich(version) ? "pmi2" : "pmix";
            return Optional.of("the launcher has started " + count + " ranks (" + variable + "), but MPI only sees "
                    + worldSize + " of them, since " + version + " doesn't speak the launcher's protocol: "
                    + (variable.startsWith("SLURM")
                            ? "say srun --mpi=" + plugin
                            : "start them with that MPI's own mpirun, or with srun --mpi=" + plugin)
                    + " (srun --mpi=list tells what there is)");
        });
    }
}
