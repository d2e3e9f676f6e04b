package org.restorej.bench.c;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompiledFloorTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void saysWhichCompilerIsMissing() {
        IOException missing = assertThrows(IOException.class, () -> CompiledFloor.compile("no-such-cc", folder));
        assertTrue(String.valueOf(missing.getMessage()).contains("no-such-cc"), missing::toString);
    }
}
