package org.restorej.testing;

import java.nio.file.Files;
import java.nio.file.Path;

/** The project that is being tested. */
public final class ProjectFolder {
    private ProjectFolder() {}

    /** Its root. Maven names it for tests of jobs and scripts; elsewhere it is looked for upwards. */
    public static Path root() {
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

    /** A script of its {@code bin}. */
    public static Path script(String name) {
        return root().resolve("bin").resolve(name);
    }
}
