package org.restorej.bench.mpi.rival;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import org.restorej.internal.foreign.ForeignCall;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiLibrary;
import org.restorej.internal.mpi.foreign.ForeignLibraries;
import org.restorej.internal.mpi.foreign.MpiNotFoundException;

/**
 * MPI by foreign functions. Messages and barriers go with any MPI; the others take handles of Open MPI, which are
 * addresses of its variables.
 */
public final class NativeMpi implements PlainMpi {
    // As in mpi.h of Open MPI and of MPICH.
    private static final int MODE_CREATE = 1;
    private static final int MODE_RDONLY = 2;
    private static final int MODE_WRONLY = 4;

    private final MpiLibrary library;
    private final MpiComm communicator;
    private final MemorySegment barrier;
    private final MemorySegment allToAll;
    private final MemorySegment allToAllV;

    /** A communicator of all PEs, when MPI is initialised. Collective. */
    public NativeMpi() {
        try {
            library = ForeignLibraries.load();
            communicator = library.world().duplicate();
        } catch (MpiNotFoundException | MpiException failure) {
            throw new MpiFailure("MPI_Comm_dup", failure);
        }
        barrier = function("MPI_Barrier");
        allToAll = function("MPI_Alltoall");
        allToAllV = function("MPI_Alltoallv");
    }

    private MemorySegment function(String name) {
        return library.symbols().findOrThrow(name);
    }

    /** Of a handle that mpi.h defines. */
    private long handle(String variable) {
        return library.symbols().find(variable).map(MemorySegment::address).orElseThrow(
                () -> new IllegalStateException("only under Open MPI can this rival be called: " + library.version()));
    }

    private long byteType() {
        return handle("ompi_mpi_byte");
    }

    private void check(String call, int code) {
        if (code != 0) {
            throw new MpiFailure(call, library.error(code));
        }
    }

    @Override
    public MpiComm communicator() {
        return communicator;
    }

    @Override
    public void barrier() {
        check("MPI_Barrier", ForeignCall.call(barrier, communicator.handle()));
    }

    @Override
    public void allToAll(MemorySegment sent, MemorySegment received) {
        check("MPI_Alltoall", ForeignCall.call(allToAll, sent.address(), Integer.BYTES, byteType(),
                received.address(), Integer.BYTES, byteType(), communicator.handle(), 0));
    }

    @Override
    public void allToAllV(PeerParts sent, PeerParts received) {
        check("MPI_Alltoallv", NineArguments.allToAllV(allToAllV, sent, received, byteType(),
                communicator.handle()));
    }

    @Override
    public void writeFile(Path file, long offset, MemorySegment bytes) {
        String call = "MPI_File_write_at_all to " + file;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment shared = open(call, file, MODE_CREATE + MODE_WRONLY, arena);
            long handle = shared.get(ValueLayout.JAVA_LONG, 0);
            check(call, ForeignCall.call(function("MPI_File_write_at_all"), handle, offset, bytes.address(),
                    bytes.byteSize(), byteType(), 0, 0, 0));
            check(call, ForeignCall.call(function("MPI_File_sync"), handle));
            check(call, ForeignCall.call(function("MPI_File_close"), shared.address()));
        }
    }

    @Override
    public void readFile(Path file, long offset, MemorySegment bytes) {
        String call = "MPI_File_read_at_all of " + file;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment shared = open(call, file, MODE_RDONLY, arena);
            check(call, ForeignCall.call(function("MPI_File_read_at_all"), shared.get(ValueLayout.JAVA_LONG, 0), offset,
                    bytes.address(), bytes.byteSize(), byteType(), 0, 0, 0));
            check(call, ForeignCall.call(function("MPI_File_close"), shared.address()));
        }
    }

    private MemorySegment open(String call, Path file, int mode, Arena arena) {
        MemorySegment shared = arena.allocate(ValueLayout.JAVA_LONG);
        check(call, ForeignCall.call(function("MPI_File_open"), communicator.handle(),
                arena.allocateFrom(file.toString()).address(), mode, handle("ompi_mpi_info_null"), shared.address()));
        return shared;
    }

    /** Apart, since few need it: it takes one argument more than {@link ForeignCall} has. */
    private static final class NineArguments {
        private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
        private static final MethodHandle CALL = Linker.nativeLinker().downcallHandle(FunctionDescriptor.of(
                ValueLayout.JAVA_INT, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG, LONG));

        private NineArguments() {}

        static int allToAllV(MemorySegment function, PeerParts sent, PeerParts received, long type,
                long communicator) {
            try {
                return (int) CALL.invokeExact(function, sent.bytes().address(), sent.counts().address(),
                        sent.offsets().address(), type, received.bytes().address(), received.counts().address(),
                        received.offsets().address(), type, communicator);
            } catch (RuntimeException | Error thrown) {
                throw thrown;
            } catch (Throwable impossible) {
                throw new IllegalStateException("a foreign function can't throw an exception", impossible);
            }
        }
    }
}
