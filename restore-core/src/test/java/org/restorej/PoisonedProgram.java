package org.restorej;

import java.util.concurrent.atomic.AtomicInteger;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.mpi.MpiRank;

/** A program of {@link PoisonedPrograms} on MPI. */
public final class PoisonedProgram {
    private PoisonedProgram() {}

    /**
     * Runs.
     *
     * @param args where ranks throw
     */
    public static void main(String[] args) {
        MpiRank.meansToThrow();
        AtomicInteger begun = new AtomicInteger();
        Mpi.run(args, world -> {
            begun.incrementAndGet();
            PoisonedPrograms.Trouble trouble = (comm, mine) -> PoisonedPrograms.poison(mine);
            int left = switch (args[0]) {
                case "steps" -> PoisonedPrograms.constantLoop(world, 1, trouble);
                case "program" -> PoisonedPrograms.begun(world, trouble);
                default -> throw new IllegalArgumentException("args=" + args[0]);
            };
            System.out.println(left + " left, begun " + begun);
        });
    }
}
