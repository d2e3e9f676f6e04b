package org.restorej.bench.c;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompiledNbxTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void saysWhichCompilersItHasLookedFor() {
        IOException missing = assertThrows(IOException.class,
                () -> CompiledNbx.compile(List.of("no-such-mpicc", "true"), folder));
        assertEquals("no compiler of Open MPI found: looked for no-such-mpicc, true", missing.getMessage());
    }
}
