package org.restorej.bench.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.bench.bytes.WrongBytesException;
import org.restorej.cli.command.Redundancy;
import org.restorej.comm.local.LocalCluster;

class ParitySumsTest {
    private static final long CELL_BYTES = 72;

    @ParameterizedTest
    @CsvSource({"6, 4, 2", "7, 4, 2", "3, 2, 1", "5, 2, 1", "2, 1, 1", "4, 1, 3"})
    void bothWaysMakeTheSameParityAndSendAsMuch(int pes, int dataParts, int parityParts) {
        Redundancy code = new Redundancy(dataParts, parityParts, true);
        long bytes = 5L * dataParts * CELL_BYTES;
        for (ParitySums.Way way : ParitySums.Way.values()) {
            List<Long> sent = LocalCluster.run(pes, world -> {
                try (ParitySums sums = new ParitySums(world, code, bytes + 1, CELL_BYTES, way)) {
                    assertEquals(bytes, sums.bytes());
                    for (int turn = 0; turn < 3; turn++) {
                        sums.clear();
                        sums.run();
                        sums.check();
                    }
                    return sums.sentBytes();
                }
            });
            assertEquals(Collections.nCopies(pes, parityParts * bytes), sent);
        }
    }

    @Test
    void parityThatHasNotComeIsNotTakenForRight() {
        LocalCluster.run(3, world -> {
            try (ParitySums sums = new ParitySums(world, new Redundancy(2, 1, true), 2 * CELL_BYTES, CELL_BYTES,
                    ParitySums.Way.RING)) {
                sums.run();
                sums.clear();
                return assertThrows(WrongBytesException.class, sums::check);
            }
        });
    }
}
