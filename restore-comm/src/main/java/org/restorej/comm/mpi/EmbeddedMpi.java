package org.restorej.comm.mpi;

import mpi.Intracomm;
import org.jspecify.annotations.Nullable;
import org.restorej.comm.Communicator;
import org.restorej.internal.mpi.ForeignLibraries;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiLibrary;
import org.restorej.internal.mpi.bindings.BindingsLibrary;

/**
 * Uses the library in a program that calls {@code mpi.*} and usually initializes MPI itself: creates a
 * {@link Communicator} from a communicator of the program, and the reverse.
 *
 * <pre>{@code
 * MPI.Init(args);
 * EmbeddedMpi embedded = EmbeddedMpi.on(MPI.COMM_WORLD);
 * Communicator survivors = embedded.communicator();
 * try {
 *     survivors = work(survivors);                             // a store, a loop; PEs may fail
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
 * <b>MPI calls inside iterations.</b> An iteration of a loop may call MPI itself, on an {@link #intracomm} that the
 * program creates for each {@link Communicator} that it is given. Under ULFM a failure ends such a call with an
 * {@link mpi.MPIException}, also on ranks that are woken by the library, and the loop treats it as the failure of the
 * process. The iteration must not catch it, or must throw it as the cause of another exception. <b>If failures are
 * simulated, nothing interrupts a blocking call of MPI: a survivor that communicates through MPI with a failed PE
 * hangs.</b> The iteration must then first call the {@code Communicator}, for example {@code communicator.barrier()},
 * which throws on all survivors after a simulated failure.
 *
 * <p>
 * The program's communicator stays its own: the library works on duplicates, so messages never mix. The program frees
 * what it has created and what {@link #intracomm} returns, and finalizes MPI. The library installs no exception
 * handlers and no shutdown hooks. Under ULFM a process that ends before {@link #end} has returned ends by a signal,
 * whatever its exit code, since MPI reports no exit codes to the other ranks. Not thread-safe: one thread at a time
 * uses MPI and communicators.
 *
 * <p>
 * Requires Open MPI's bindings, {@code mpi.jar} and {@code libmpi_java}. {@code bin/mpirun-java} adds them, and
 * {@code bin/mpirun-java --print-environment} prints the environment variable for {@code mpirun}. Few installations of
 * Open MPI are built with them, and releases after 5.0 have none.
 */
public final class EmbeddedMpi {
    private final MpiProcess process;
    /** Result of the first call of {@link #end}. */
    private @Nullable Boolean ended;

    private EmbeddedMpi(MpiProcess process) {
        this.process = process;
    }

    /**
     * Initializes MPI through the bindings, for a program that calls {@code mpi.*} and leaves the initialization to the
     * library; see {@link Mpi#world}. Ended by {@link Mpi#finish}.
     */
    public static Communicator world(String[] args) {
        return Mpi.world(true, args);
    }

    /** Runs a program through the bindings; see {@link Mpi#runForExitCode}. */
    public static void run(String[] args, Mpi.ExitCodeProgram program) {
        Mpi.runForExitCode(true, args, program);
    }

    /**
     * Creates a {@link Communicator} of the processes of one of the program's communicators; original ranks are the
     * ranks in that one. Called by all of them; blocks. May be called again, also for other communicators.
     *
     * @param intracomm of the program, which must have initialized MPI; stays the program's, but from now on returns
     *        errors as {@link mpi.MPIException}s instead of ending the job
     * @throws IllegalStateException when MPI is not initialized, or has been finalized
     * @throws Mpi.UnavailableException when MPI can't be used: under ULFM with the thread level
     *         {@code MPI_THREAD_MULTIPLE}, since {@code MPIX_Comm_agree} of Open MPI 5.0.7 returned wrong flags in
     *         every run in which another thread of the process communicated meanwhile
     */
    @SuppressWarnings("exports") // Who has an Intracomm knows the bindings, whatever module they are.
    public static EmbeddedMpi on(Intracomm intracomm) {
        BindingsLibrary library = MpiProcess.ofBindings();
        return new EmbeddedMpi(MpiProcess.on(library, () -> library.of(intracomm)));
    }

    /**
     * Creates a {@link Communicator} for a program that calls MPI without the bindings, for example by its own foreign
     * functions or in a C library; see {@link #on(Intracomm)}.
     *
     * @param handle an {@code MPI_Comm} of the program, an address or a number; returns errors from now on
     * @throws Mpi.UnavailableException when no suitable MPI library is loaded in this process
     */
    public static EmbeddedMpi onHandle(long handle) {
        MpiLibrary library = MpiProcess.found(ForeignLibraries::loadedByProgram);
        return new EmbeddedMpi(MpiProcess.on(library, () -> library.communicator(handle)));
    }

    /** The communicator; closed by the program. */
    public Communicator communicator() {
        return process.world();
    }

    /** A sentence with the MPI version, and whether failures are real, or why not. */
    public String description() {
        return process.description();
    }

    /**
     * Creates an MPI communicator of the processes of a {@link Communicator}, in the same order, for the program's own
     * calls, for example after a shrink. Called by all of them; blocks. It returns errors, and the program may free it.
     *
     * <p>
     * Under ULFM it is revoked together with {@code communicator}, which a loop revokes after every failure, so that no
     * PE waits in it for a PE that has gone on to the recovery. The program then creates another one from the next
     * communicator, and stops using this one. <b>If failures are simulated, calls on it that wait for a failed PE
     * hang</b>; see {@link EmbeddedMpi}.
     *
     * @param communicator of Open MPI, from {@link #communicator}, {@link #world} or {@link #run}; not changed
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
     * Creates an {@code MPI_Comm} for a program that calls MPI without the bindings; see {@link #intracomm}. The
     * program must not free it before {@code communicator} is closed, because it may still be revoked.
     *
     * @param communicator on MPI, called in any way; not changed
     */
    public static long handle(Communicator communicator) {
        return duplicate(communicator).handle();
    }

    private static MpiComm duplicate(Communicator communicator) {
        if (communicator instanceof MpiCommunicator mpi) {
            return mpi.derived().giveOut();
        }
        throw new IllegalArgumentException("communicator must be one of MPI: communicator="
                + communicator.getClass().getSimpleName());
    }

    /**
     * Ends the library's part in this process. Called by all surviving processes, and by those whose failure was
     * simulated; blocks until all have called it. The library must not be used afterwards.
     *
     * <p>
     * Under ULFM a process leaves early if others may wait for it in {@link Communicator#shrink}, that is, if its
     * latest communicator is revoked or has a failed process: it then returns after a second. The program must then
     * end, which counts as a failure for the others.
     *
     * <p>
     * Another call in the same process returns the same result at once.
     *
     * @param latest latest communicator of this process
     * @return whether MPI can be finalized: no process has really failed. After a real failure {@code MPI_Finalize} of
     *         Open MPI 5.0.7 hangs more often than not; end the process by {@link Runtime#halt}
     */
    public boolean end(Communicator latest) {
        Boolean before = ended;
        boolean whole = before == null ? process.leave(latest) : before;
        ended = whole;
        return whole;
    }
}
