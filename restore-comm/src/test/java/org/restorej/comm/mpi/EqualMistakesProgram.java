package org.restorej.comm.mpi;

/** Every rank throws the same. */
public final class EqualMistakesProgram {
    private EqualMistakesProgram() {}

    /** Runs. */
    public static void main(String[] args) {
        Mpi.run(args, world -> {
            world.barrier();
            throw new IllegalStateException("a mistake of all");
        });
    }
}
