package org.restorej.bench.c;

import java.io.IOException;
import java.nio.file.Path;

/** Programs in C that do the same work without MPI, agreements and the JVM: the floor under the library's times. */
public enum CompiledFloor {
    /** Of protected files ({@code file_floor.c}). */
    FILES("file_floor.c"),
    /** Of submits and pulls ({@code submit_floor.c}). */
    SUBMITS("submit_floor.c");

    private final String source;

    CompiledFloor(String source) {
        this.source = source;
    }

    /**
     * Compiles it.
     *
     * @param folder where source and program go
     * @return the program
     * @throws IOException when there is no compiler, or it fails; the message says why
     */
    public Path compile(Path folder) throws IOException {
        return compile("cc", folder);
    }

    Path compile(String compiler, Path folder) throws IOException {
        return CompiledC.program(compiler, source, folder, "-ldl", "-pthread");
    }
}
