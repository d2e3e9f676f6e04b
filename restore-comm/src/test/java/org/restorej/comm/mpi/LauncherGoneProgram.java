package org.restorej.comm.mpi;

import java.time.Duration;

/** A rank that computes, and calls nobody. */
public final class LauncherGoneProgram {
    private LauncherGoneProgram() {}

    /** Runs. */
    public static void main(String[] args) throws InterruptedException {
        RankEnd.endWithLauncher();
        System.out.println("pid");
        Thread.sleep(Duration.ofMinutes(5));
    }
}
