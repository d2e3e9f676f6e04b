package org.restorej.cli.doctor;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.restorej.cli.command.ProcessAnswer;

/**
 * The question which MPI library a rank would take. Another JVM loads it: what a library does then nobody knows before.
 */
@FunctionalInterface
interface LibraryQuestion {
    /** A main class of the core. */
    String MAIN_CLASS = "org.restorej.internal.mpi.LibraryProbe";

    /**
     * Asks.
     *
     * @param launcher its name, as the main class knows it
     * @param program which starts ranks
     * @param environment changes to this process's environment
     * @return what the main class writes
     */
    ProcessAnswer ask(String launcher, String program, Map<String, String> environment);

    /** Asks a JVM like this one, with the same class path. */
    static ProcessAnswer ofJvm(String launcher, String program, Map<String, String> environment) {
        return ProcessAnswer.of(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), MAIN_CLASS, launcher, program), environment);
    }
}
