package org.restorej.bench.c;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Programs in C that do only what can't be left out: the floor under the times of the library. */
public enum CompiledFloor {
    /** Of protected files ({@code file_floor.c}). */
    FILES("file_floor.c", "-ldl", "-pthread"),
    /** Of submits and pulls ({@code submit_floor.c}). */
    SUBMITS("submit_floor.c", "-pthread");

    private final String source;
    private final List<String> libraries;

    CompiledFloor(String source, String... libraries) {
        this.source = source;
        this.libraries = List.of(libraries);
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
        return CompiledC.program(compiler, source, folder, libraries.toArray(String[]::new));
    }
}
