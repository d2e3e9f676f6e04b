package org.restorej.cli.command;

import java.nio.file.Path;
import java.util.Optional;

/** The project's folder, which contains the scripts in {@code bin}. */
public final class ProjectFolder {
    /** Set by the scripts. */
    private static final String ROOT_PROPERTY = "restorej.root";

    private ProjectFolder() {}

    /** The folder, if this program was started by one of its scripts. */
    public static Optional<Path> find() {
        return Optional.ofNullable(System.getProperty(ROOT_PROPERTY)).map(Path::of);
    }
}
