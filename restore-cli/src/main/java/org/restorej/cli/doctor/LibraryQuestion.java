package org.restorej.cli.doctor;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.restorej.cli.command.ProcessAnswer;

/** Finds out which MPI library a rank would use. A separate JVM loads it, because loading a library may crash. */
@FunctionalInterface
interface LibraryQuestion {
    /** The main class that loads the library. */
    String MAIN_CLASS = "org.restorej.internal.mpi.LibraryProbe";

    /**
     * Asks.
     *
     * @param launcher its name, as the main class knows it
     * @param program that starts ranks
     * @param environment changes to this process's environment
     * @return the output of the main class
     */
    ProcessAnswer ask(String launcher, String program, Map<String, String> environment);

    /** Asks a JVM of the same version, with the same class path. */
    static ProcessAnswer ofJvm(String launcher, String program, Map<String, String> environment) {
        return ProcessAnswer.of(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-cp",
                System.getProperty("java.class.path"), MAIN_CLASS, launcher, program), environment);
    }
}
