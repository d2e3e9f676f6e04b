package org.restorej.bench.c;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A program in C that does what submits and pulls do without MPI, agreements and the JVM ({@code submit_floor.c}): the
 * floor under the library's times.
 */
public final class CompiledFloor {
    private CompiledFloor() {}

    /**
     * Compiles it.
     *
     * @param folder where source and program go
     * @return the program
     * @throws IOException when there is no compiler, or it fails; the message says why
     */
    public static Path compile(Path folder) throws IOException {
        return compile("cc", folder);
    }

    static Path compile(String compiler, Path folder) throws IOException {
        return CompiledC.program(compiler, "submit_floor.c", folder, "-ldl", "-pthread");
    }
}
