package org.restorej.comm.mpi;

/** Asks for several threads at once. */
public final class ThreadLevelProgram {
    private ThreadLevelProgram() {}

    /** Runs. */
    public static void main(String[] args) {
        try {
            Mpi.world(args, Mpi.ThreadLevel.MULTIPLE);
            System.out.println("granted");
        } catch (Mpi.UnavailableException refused) {
            System.out.println("refused: " + refused.getMessage());
        }
    }
}
