package org.restorej.bench.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.restorej.bench.c.CompiledNbx;

/**
 * The sparse all-to-all in C, for ranks.
 *
 * @param file the compiled code, where there is a compiler
 * @param leftOut why there is none
 */
record NbxLibrary(Optional<Path> file, List<String> leftOut) {
    /** Of a run that doesn't measure it. */
    static final NbxLibrary NONE = new NbxLibrary(Optional.empty(), List.of());

    /** Compiles it. */
    static NbxLibrary compiled(Path folder) {
        try {
            return new NbxLibrary(Optional.of(CompiledNbx.compile(folder)), List.of());
        } catch (IOException missing) {
            return new NbxLibrary(Optional.empty(), List.of("NBX in C: " + missing.getMessage()));
        }
    }
}
