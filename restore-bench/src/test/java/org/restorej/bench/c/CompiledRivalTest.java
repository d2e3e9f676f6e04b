package org.restorej.bench.c;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.testing.ProcessRun;

class CompiledRivalTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void saysWhichCompilersItHasLookedFor() {
        IOException missing = assertThrows(IOException.class,
                () -> CompiledRival.CPP_RESTORE.compile(List.of("no-such-mpicxx", "true"), folder, folder));
        assertEquals("no compiler of Open MPI found: looked for no-such-mpicxx, true", missing.getMessage());
    }

    @Test
    void saysWhatTheCompilerFindsWrong() throws IOException {
        Path compiler = ProcessRun.writeScript(folder.resolve("compiler"), """
                #!/bin/sh
                case $1 in --showme:version) echo "compiler: Open MPI 4.1.4"; exit 0;; esac
                echo "In file included from cpp_restore.cpp:31:"
                echo "core.hpp:1:1: error: first"
                echo "core.hpp:2:1: note: not this"
                echo "core.hpp:3:1: error: second"
                exit 1
                """);
        Path headers = folder.resolve("headers");
        IOException wrong = assertThrows(IOException.class,
                () -> CompiledRival.CPP_RESTORE.compile(List.of(compiler.toString()), headers, folder));
        assertEquals(compiler + " can't compile cpp_restore.cpp with the headers in " + headers
                + ": core.hpp:1:1: error: first; core.hpp:3:1: error: second", wrong.getMessage());
    }
}
