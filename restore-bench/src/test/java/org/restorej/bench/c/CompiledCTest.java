package org.restorej.bench.c;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class CompiledCTest {
    @Test
    void standardOutputHasNoWarnings() throws IOException {
        assertEquals("3f2a\n", CompiledC.standardOutput(List.of("sh", "-c", "echo warning >&2; echo 3f2a")));
        assertThrows(IOException.class, () -> CompiledC.standardOutput(List.of("sh", "-c", "echo 3f2a; exit 1")));
    }
}
