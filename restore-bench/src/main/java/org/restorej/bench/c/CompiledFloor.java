package org.restorej.bench.c;

import java.io.IOException;
import java.nio.file.Path;

/** The program in C that does only what protecting files can't do without ({@code file_floor.c}). */
public final class CompiledFloor {
    private static final String SOURCE = "file_floor.c";

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
        return CompiledC.program(compiler, SOURCE, folder, "-ldl", "-pthread");
    }
}
