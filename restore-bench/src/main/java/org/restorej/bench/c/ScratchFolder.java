package org.restorej.bench.c;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder for files between, which is deleted with all that is in it.
 *
 * @param path where it is
 */
public record ScratchFolder(Path path) implements AutoCloseable {
    /** Not {@code restorej-bench.}, as folders of jobs on nodes of the cluster bench, which go when that is made. */
    private static final String PREFIX = "restorej-bench-";

    /** One in a folder that is there. */
    public static ScratchFolder in(Path parent) throws IOException {
        return new ScratchFolder(Files.createTempDirectory(parent, PREFIX));
    }

    /** One where temporary files go. */
    public static ScratchFolder temporary() throws IOException {
        return new ScratchFolder(Files.createTempDirectory(PREFIX));
    }

    @Override
    public void close() throws IOException {
        try (Stream<Path> paths = Files.walk(path)) {
            for (Path each : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(each);
            }
        }
    }
}
