package org.restorej.internal.mpi;

import java.util.Map;
import java.util.Optional;

/**
 * How many processes the launcher has started together. An MPI that doesn't speak the launcher's protocol starts all the
 * same, with each process alone in a world of its own: so MPICH does under {@code srun --mpi=pmix}.
 *
 * @param count how many
 * @param variable which environment variable says so
 */
public record LaunchedRanks(int count, String variable) {
    /** What Slurm's plug-in for PMIx calls its processes; those of a launcher within Slurm have another name. */
    private static final String NAMESPACE_OF_SLURM = "slurm.pmix.";

    /** As an environment says; empty where the launcher doesn't tell. */
    public static Optional<LaunchedRanks> of(Map<String, String> environment) {
        return switch (Launcher.of(environment)) {
            case OPEN_MPI -> said(environment, "OMPI_COMM_WORLD_SIZE");
            case PMI -> said(environment, "PMI_SIZE");
            case PMIX -> environment.getOrDefault("PMIX_NAMESPACE", "").startsWith(NAMESPACE_OF_SLURM)
                    ? said(environment, "SLURM_STEP_NUM_TASKS")
                    : Optional.empty();
            case SLURM, NONE -> Optional.empty();
        };
    }

    private static Optional<LaunchedRanks> said(Map<String, String> environment, String variable) {
        String count = environment.get(variable);
        return count != null && count.matches("[1-9][0-9]{0,8}")
                ? Optional.of(new LaunchedRanks(Integer.parseInt(count), variable))
                : Optional.empty();
    }

    /**
     * Why a world can't be right; empty when it can.
     *
     * @param worldSize its processes; more than were counted where programs are started together
     * @param version of the MPI
     */
    public Optional<String> problem(int worldSize, String version) {
        if (worldSize >= count) {
            return Optional.empty();
        }
        return Optional.of("the launcher has started " + count + " ranks (" + variable + "), but MPI only sees "
                + worldSize + " of them, since " + version + " doesn't speak the launcher's protocol: "
                + (variable.startsWith("SLURM")
                        ? "say srun --mpi=" + plugin(version)
                        : "start them with that MPI's own mpirun, or with srun --mpi=" + plugin(version))
                + " (srun --mpi=list tells what there is)");
    }

    private static String plugin(String version) {
        return MpiFamily.isMpich(version) ? "pmi2" : "pmix";
    }
}
