package org.restorej.internal.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LaunchedRanksTest {
    private static Optional<LaunchedRanks> of(String... environment) {
        Map<String, String> all = new java.util.HashMap<>();
        for (int i = 0; i < environment.length; i += 2) {
            all.put(environment[i], environment[i + 1]);
        }
        return LaunchedRanks.of(all);
    }

    @Test
    void areCountedByTheLauncherThatIsNearest() {
        assertEquals(Optional.of(new LaunchedRanks(4, "OMPI_COMM_WORLD_SIZE")), of("OMPI_COMM_WORLD_SIZE", "4",
                "PMIX_RANK", "0", "SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "7"));
        assertEquals(Optional.of(new LaunchedRanks(3, "PMI_SIZE")),
                of("PMI_RANK", "0", "PMI_SIZE", "3", "SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "7"));
        assertEquals(Optional.of(new LaunchedRanks(7, "SLURM_STEP_NUM_TASKS")), of("PMIX_RANK", "0", "PMIX_NAMESPACE",
                "slurm.pmix.12.0", "SLURM_PROCID", "0", "SLURM_STEP_NUM_TASKS", "7"));
    }

    /** A launcher's daemons are a step of Slurm's, of another number of tasks. */
    @Test
    void areUnknownUnderALauncherThatOnlyRunsInsideSlurm() {
        assertEquals(Optional.empty(), of("PMIX_RANK", "0", "PMIX_NAMESPACE", "prterun-node1-77@1", "SLURM_PROCID", "0",
                "SLURM_STEP_NUM_TASKS", "7"));
        assertEquals(Optional.empty(), of("PMI_RANK", "0"));
        assertEquals(Optional.empty(), of("PMI_RANK", "0", "PMI_SIZE", "many"));
        assertEquals(Optional.empty(), of("HOME", "/nowhere"));
    }

    @Test
    void areAProblemWhereTheWorldIsSmaller() {
        LaunchedRanks slurm = new LaunchedRanks(4, "SLURM_STEP_NUM_TASKS");
        assertEquals(Optional.empty(), slurm.problem(4, "Open MPI v4.1.4"));
        assertEquals(Optional.empty(), slurm.problem(8, "Open MPI v4.1.4"));
        assertTrue(slurm.problem(1, "Open MPI v4.1.4").orElseThrow().contains("say srun --mpi=pmix "));
        assertTrue(slurm.problem(1, "MPICH Version: 4.0.2").orElseThrow().contains("say srun --mpi=pmi2 "));
        assertTrue(new LaunchedRanks(4, "PMI_SIZE").problem(1, "Intel(R) MPI Library 2021").orElseThrow()
                .contains("that MPI's own mpirun, or with srun --mpi=pmi2 "));
    }
}
