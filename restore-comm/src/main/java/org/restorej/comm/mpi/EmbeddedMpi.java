package org.restorej.comm.mpi;

import mpi.Intracomm;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.mpi.ForeignLibraries;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiLibrary;
import org.restorej.internal.mpi.bindings.BindingsLibrary;

/**
 * The library inside a program that calls {@code mpi.*} and has mostly initialised MPI itself: a {@link Communicator} on
 * a communicator of the program, and the way back.
 *
 * <pre>{@code
 * MPI.Init(args);
 * EmbeddedMpi embedded = EmbeddedMpi.on(MPI.COMM_WORLD);
 * Communicator survivors = embedded.communicator();
 * try {
 *     survivors = work(survivors);                             // a store, a loop; somebody fails
 *     Intracomm mine = EmbeddedMpi.intracomm(survivors);       // for MPI calls of the survivors
 *     ...
 * } catch (SimulatedFailureError failed) {
 *     // waits for the end
 * }
 * if (embedded.end(survivors)) {
 *     MPI.Finalize();
 * } else {
 *     Runtime.getRuntime().halt(0);                            // MPI_Finalize would hang after a failure
 * }
 * }</pre>
 *
 * <p>
 * <b>MPI calls inside iterations.</b> An iteration of a loop may go on calling MPI itself, on an {@link #intracomm} that
 * the program makes for each {@link Communicator} that it is given. Under ULFM a failure ends such a call with an
 * {@link mpi.MPIException}, on the ranks that the library wakes too, and the loop takes that for the failure that it is:
 * the iteration lets it pass, or throws it as the cause of another exception. <b>Where failures are simulated, nothing
 * interrupts a blocking call of MPI: a survivor that calls MPI to communicate with a PE that has failed hangs.</b> There
 * the iteration calls the {@code Communicator} first, such as {@code communicator.barrier()}, which throws on
 * all survivors after a simulated failure.
 *
 * <p>
 * The program's communicator stays its own: messages never mix with those of the library, which works on duplicates.
 * The program frees what it has made and what {@link #intracomm} gives it, and finalises MPI. Nothing here touches
 * exception handlers or shutdown hooks. Under ULFM a process that ends before {@link #end} has returned ends by a
 * signal, whatever its exit code, since MPI reports no exit codes to the others. One thread at a time uses MPI and communicators.
 *
 * <p>
 * Open MPI's bindings, {@code mpi.jar} and {@code libmpi_java}, must be there: {@code bin/mpirun-java} puts them where
 * they belong, and {@code bin/mpirun-java --print-environment} prints the environment variable for {@code mpirun}. Few
 * Open MPIs are built with them, and releases after 5.0 have none.
 */
public final class EmbeddedMpi {
    private final MpiProcess process;
    /** What the first call of {@link #end} has returned. */
    private @Nullable Boolean ended;

    private EmbeddedMpi(MpiProcess process) {
        this.process = process;
    }

    /**
     * As {@link Mpi#world}, by the bindings: for a program that calls {@code mpi.*} and leaves the initialisation to the
     * library. The way out is {@link Mpi#finish}.
     */
    public static Communicator world(String[] args) {
        return Mpi.world(true, args);
    }

    /** As {@link Mpi#runForExitCode}, by the bindings. */
    public static void run(String[] args, Mpi.ExitCodeProgram program) {
        Mpi.runForExitCode(true, args, program);
    }

    /**
     * Makes a communicator of the processes of one of the program's; original ranks are the ranks in that one. Called
     * by all of them; blocks. May be called again, for others too.
     *
     * @param intracomm of the program, which must have initialised MPI; stays its own, but from now on returns its
     *        errors as {@link mpi.MPIException}s instead of ending the job
     * @throws IllegalStateException when MPI is not initialised, or has ended
     * @throws Mpi.UnavailableException when MPI can't be used so: under ULFM, with the thread level
     *         {@code MPI_THREAD_MULTIPLE}, since {@code MPIX_Comm_agree} of Open MPI 5.0.7 returned wrong flags in every
     *         run in which another thread of the process communicated meanwhile
     */
    @SuppressWarnings("exports") // Who has an Intracomm knows the bindings, whatever module they are.
    public static EmbeddedMpi on(Intracomm intracomm) {
        BindingsLibrary library = MpiProcess.ofBindings();
        return new EmbeddedMpi(MpiProcess.on(library, () -> library.of(intracomm)));
    }

    /**
     * As {@link #on(Intracomm)}, for a program that calls MPI by other means than the bindings: by foreign functions of
     * its own, or in a library in C.
     *
     * @param handle an {@code MPI_Comm} of the program, an address or a number; returns its errors from now on
     * @throws Mpi.UnavailableException when no MPI library is loaded in this process, or none that fits
     */
    public static EmbeddedMpi onHandle(long handle) {
        MpiLibrary library = MpiProcess.found(ForeignLibraries::loadedByProgram);
        return new EmbeddedMpi(MpiProcess.on(library, () -> library.communicator(handle)));
    }

    /** The communicator; closed by the program. */
    public Communicator communicator() {
        return process.world();
    }

    /** One sentence: which MPI this is, and whether processes can really fail in it; else why not. */
    public String description() {
        return process.description();
    }

    /**
     * A communicator of MPI for the processes of one of the library's, in the same order, such as one that has shrunk:
     * for the program's own calls. Called by all of them; blocks. It returns its errors, and the program may free it.
     *
     * <p>
     * Under ULFM it is revoked together with {@code communicator}, as a loop's is after every failure, so that nobody
     * waits in it for a PE that has gone on to the recovery; the program then makes another one, of the communicator that it
     * is given next, and leaves this one alone. <b>Where failures are simulated, calls on it that wait for a PE that has failed
     * hang</b>; see {@link EmbeddedMpi}.
     *
     * @param communicator of Open MPI, from {@link #communicator}, {@link #world} or {@link #run}; stays
     *        as it is
     * @throws org.restorej.comm.ProcessFailedException when a process of it has failed
     * @throws org.restorej.comm.CommunicatorRevokedException when it is revoked
     */
    @SuppressWarnings("exports") // As above.
    public static Intracomm intracomm(Communicator communicator) {
        if (communicator instanceof MpiCommunicator mpi) {
            BindingsLibrary.requireBindings(mpi.mpi());
        }
        return BindingsLibrary.intracomm(duplicate(communicator));
    }

    /**
     * As {@link #intracomm}, for a program that calls MPI by other means than the bindings: an {@code MPI_Comm}. The
     * program must not free it before {@code communicator} is closed: it would be revoked all the same.
     *
     * @param communicator on MPI, however it is called; stays as it is
     */
    public static long handle(Communicator communicator) {
        return duplicate(communicator).handle();
    }

    private static MpiComm duplicate(Communicator communicator) {
        if (communicator instanceof MpiCommunicator mpi) {
            return mpi.giveOut();
        }
        throw new IllegalArgumentException("communicator must be one of MPI: communicator="
                + communicator.getClass().getSimpleName());
    }

    /**
     * Ends the library's part in this process. Called by all processes alive, by those whose failure was simulated too;
     * blocks until all have called it. Nothing of the library is used after that.
     *
     * <p>
     * Under ULFM a process waits here no longer than others need it: when its latest communicator is revoked, or has
     * lost somebody, others may wait for it in {@link Communicator#shrink}, and it returns after a second; then it must
     * end, which is a failure to them.
     *
     * <p>
     * Called again by a process, it returns the same at once.
     *
     * @param latest latest communicator of this process
     * @return whether MPI can be finalised: no process has really failed. After a real failure {@code MPI_Finalize} of
     *         Open MPI 5.0.7 hangs more often than not; a process ends by {@link Runtime#halt}
     */
    public boolean end(Communicator latest) {
        Boolean before = ended;
        boolean whole = before == null ? process.leave(latest) : before;
        ended = whole;
        return whole;
    }
}
