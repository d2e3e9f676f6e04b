package org.restorej.internal.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LocalCoresTest {
    @Test
    void countsTheRanksOfTheNodeAsTheLauncherTells() {
        assertEquals(4, LocalCores.ranksOfNode(Map.of("OMPI_COMM_WORLD_LOCAL_SIZE", "4")));
        assertEquals(3, LocalCores.ranksOfNode(Map.of("MPI_LOCALNRANKS", "3")));
        assertEquals(12, LocalCores.ranksOfNode(Map.of("SLURM_STEP_TASKS_PER_NODE", "3(x20),12,4(x2)")));
        assertEquals(1, LocalCores.ranksOfNode(Map.of("PMIX_RANK", "0")));
    }

    @Test
    void ranksAreBoundOnlyWhereTheirLauncherIsNot() {
        Map<Long, String> allowed = Map.of(1L, "0-7", 2L, "3", 3L, "3");
        assertTrue(LocalCores.isBound(2, 1, id -> Optional.ofNullable(allowed.get(id))));
        // A container, or taskset, confines both.
        assertFalse(LocalCores.isBound(3, 2, id -> Optional.ofNullable(allowed.get(id))));
        assertFalse(LocalCores.isBound(3, 9, id -> Optional.ofNullable(allowed.get(id))));
        // A launcher that looks at one core after the other.
        assertFalse(LocalCores.isBound(1, 2, id -> Optional.ofNullable(allowed.get(id))));
    }

    @Test
    void countsCoresInLists() {
        assertEquals(1, LocalCores.count("3"));
        assertEquals(7, LocalCores.count("0-3,8,10-11"));
    }

    @Test
    void oneRankSharesNothing() {
        assertFalse(LocalCores.areShared(Map.of("OMPI_COMM_WORLD_LOCAL_SIZE", "1")));
        assertTrue(LocalCores.areShared(Map.of("OMPI_COMM_WORLD_LOCAL_SIZE", "999999")));
    }
}
