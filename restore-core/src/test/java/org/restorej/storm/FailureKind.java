package org.restorej.storm;

import java.io.IOException;
import java.util.List;
import java.util.Random;

/** How a rank ends without leaving MPI. */
enum FailureKind {
    /** From outside. */
    SIGKILL,
    /** {@code System.exit(3)}. */
    EXIT_3,
    /** {@code System.exit(0)}, as if all were well. */
    EXIT_0,
    /** {@code Runtime.halt(7)}: no shutdown hooks. */
    HALT_7,
    /** An exception that nobody catches. */
    EXCEPTION,
    /** An allocation too many, which nobody catches. */
    OUT_OF_MEMORY;

    /** Whether the rank prints an exception before it is gone. */
    boolean throwsSomething() {
        return this == EXCEPTION || this == OUT_OF_MEMORY;
    }

    /** A kind that needs no particular thread. */
    static FailureKind ofAnyThread(Random random) {
        return List.of(SIGKILL, EXIT_3, EXIT_0, HALT_7).get(random.nextInt(4));
    }

    /** What the exception is called in the rank's output. */
    String text(int rank) {
        return "rank " + rank + ": exception in thread \"main\" "
                + (this == EXCEPTION ? Mine.DeliberateException.class.getName() : OutOfMemoryError.class.getName());
    }

    /** Ends this process, or throws. */
    void strike() {
        switch (this) {
            case SIGKILL -> ProcessHandle.of(ProcessHandle.current().pid()).ifPresent(FailureKind::killFromOutside);
            case EXIT_3 -> System.exit(3);
            case EXIT_0 -> System.exit(0);
            case HALT_7 -> Runtime.getRuntime().halt(7);
            case EXCEPTION -> throw new Mine.DeliberateException();
            case OUT_OF_MEMORY -> allocateTooMuch();
        }
    }

    private static void killFromOutside(ProcessHandle self) {
        try {
            new ProcessBuilder("/bin/kill", "-KILL", Long.toString(self.pid())).start().waitFor();
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no kill", e);
        }
    }

    private static void allocateTooMuch() {
        throw new IllegalStateException("memory for " + new long[Integer.MAX_VALUE - 8].length + " numbers");
    }
}
