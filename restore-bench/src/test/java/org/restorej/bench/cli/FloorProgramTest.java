package org.restorej.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.bench.c.CompiledFloor;
import org.restorej.bench.mpi.MpiTransport;

class FloorProgramTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void isLeftOutWithoutACompiler() {
        FloorProgram floor = FloorProgram.without(CompiledFloor.FILES, new IOException("there is no cc"));
        assertEquals(Optional.empty(), floor.run(4));
        assertEquals(List.of("the floor of protected files, in C: there is no cc"), floor.leftOut());
    }

    @Test
    void isLeftOutWhereItFailsAndSaysWhyOnce() throws IOException {
        Path files = Files.createDirectory(folder.resolve("files"));
        FloorProgram floor = FloorProgram.compiled(CompiledFloor.FILES, Files.createDirectory(folder.resolve("c")),
                new LifeSettings(1, List.of(2), 16, 1, List.of(MpiTransport.NATIVE), Optional.empty()), files);
        Assumptions.assumeTrue(floor.leftOut().isEmpty(),
                () -> "################ NOT TESTED: " + floor.leftOut());
        assertTrue(floor.run(2).isPresent());
        assertEquals(List.of(), floor.leftOut());
        for (int turn = 0; turn < 2; turn++) {
            assertEquals(Optional.empty(), floor.run(65));
        }
        assertEquals(1, floor.leftOut().size(), () -> floor.leftOut().toString());
        assertTrue(floor.leftOut().getFirst().contains("--processes must be in 1..64: --processes=65"),
                () -> floor.leftOut().toString());
        try (Stream<Path> left = Files.list(files)) {
            assertEquals(List.of(), left.toList());
        }
    }
}
