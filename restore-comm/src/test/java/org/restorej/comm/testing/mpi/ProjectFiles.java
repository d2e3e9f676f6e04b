package org.restorej.comm.testing.mpi;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;

/** Where the files are that an MPI job needs. */
public final class ProjectFiles {
    private static final String SIGNATURES = "mpi/MpiSignatures.class";

    private ProjectFiles() {}

    /** A script of the project's {@code bin}. Maven names the root folder; elsewhere it is looked for upwards. */
    public static Path script(String name) {
        return root().resolve("bin").resolve(name);
    }

    private static Path root() {
        String named = System.getProperty("restorej.root");
        if (named != null) {
            return Path.of(named);
        }
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.isExecutable(folder.resolve("bin/mpirun-java"))) {
                return folder;
            }
        }
        throw new IllegalStateException("bin/mpirun-java is in no folder above " + Path.of("").toAbsolutePath());
    }

    /** A new, empty folder below {@code target} for one job; what it leaves there can be read afterwards. */
    static Path newJobFolder(String name) throws IOException {
        return Files.createTempDirectory(Files.createDirectories(Path.of("target", "mpi-jobs").toAbsolutePath()), name);
    }

    /** The class path of this JVM without the signatures of the bindings, which would hide the real ones. */
    public static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath()).filter(entry -> !holdsSignatures(entry))
                .map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    private static boolean holdsSignatures(Path entry) {
        if (Files.isDirectory(entry)) {
            return Files.exists(entry.resolve(SIGNATURES));
        }
        if (!Files.exists(entry)) {
            return false;
        }
        try (ZipFile jar = new ZipFile(entry.toFile())) {
            return jar.getEntry(SIGNATURES) != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
