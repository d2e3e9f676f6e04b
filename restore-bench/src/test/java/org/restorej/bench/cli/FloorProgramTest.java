package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.bench.mpi.MpiTransport;

class FloorProgramTest {
    private static final LifeSettings SETTINGS = new LifeSettings(1, List.of(2), 64, 1, List.of(MpiTransport.NATIVE),
            Optional.empty(), Optional.empty(), List.of(), Pattern.compile(""));

    @TempDir
    private Path folder = Path.of("");

    @Test
    void isLeftOutWithoutACompiler() {
        FloorProgram floor = FloorProgram.without(new IOException("there is no cc"), SETTINGS);
        assertEquals(Optional.empty(), floor.run(4));
        assertEquals(List.of("the lower bound of submits, in C: there is no cc"), floor.leftOut());
    }

    @Test
    void isLeftOutWhereItFailsAndSaysWhyOnce() {
        FloorProgram floor = FloorProgram.compiled(folder, SETTINGS);
        Assumptions.assumeTrue(floor.leftOut().isEmpty(),
                () -> "################ NOT TESTED: " + floor.leftOut());
        assertTrue(floor.run(2).isPresent());
        assertEquals(List.of(), floor.leftOut());
        for (int turn = 0; turn < 2; turn++) {
            assertEquals(Optional.empty(), floor.run(-1));
        }
        assertEquals(1, floor.leftOut().size(), () -> floor.leftOut().toString());
        assertTrue(floor.leftOut().getFirst().contains("the lower bound of submits, in C: -1 processes: "),
                () -> floor.leftOut().toString());
    }
}
