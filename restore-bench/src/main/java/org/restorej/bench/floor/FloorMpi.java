package org.restorej.bench.floor;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.restorej.bench.result.ProgramTimes;
import org.restorej.internal.mpi.ForeignLibraries;
import org.restorej.internal.mpi.MpiNotFoundException;

/** Open MPI's calls, as the floor programs make them: all on MPI_COMM_WORLD, of bytes. Memory is never freed. */
final class FloorMpi {
    static final int ANY = -1;
    static final int REQUEST_BYTES = 8;
    private static final int STATUS_BYTES = 64;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup MPI = library();
    private static final MemorySegment WORLD = MPI.findOrThrow("ompi_mpi_comm_world");
    private static final MemorySegment BYTE = MPI.findOrThrow("ompi_mpi_byte");
    private static final MemorySegment BAND = MPI.findOrThrow("ompi_mpi_op_band");
    private static final MethodHandle INIT = handle("MPI_Init", ADDRESS, ADDRESS);
    private static final MethodHandle RANK = handle("MPI_Comm_rank", ADDRESS, ADDRESS);
    private static final MethodHandle SIZE = handle("MPI_Comm_size", ADDRESS, ADDRESS);
    private static final MethodHandle ISEND = message("MPI_Isend");
    private static final MethodHandle ISSEND = message("MPI_Issend");
    private static final MethodHandle IRECV = message("MPI_Irecv");
    private static final MethodHandle RECV = message("MPI_Recv");
    private static final MethodHandle IPROBE = handle("MPI_Iprobe", JAVA_INT, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle TEST = handle("MPI_Test", ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle TESTALL = handle("MPI_Testall", JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle WAITALL = handle("MPI_Waitall", JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle BARRIER = handle("MPI_Barrier", ADDRESS);
    private static final MethodHandle IBARRIER = handle("MPI_Ibarrier", ADDRESS, ADDRESS);
    private static final MethodHandle IALLREDUCE = handle("MPI_Iallreduce", ADDRESS, ADDRESS, JAVA_INT, ADDRESS,
            ADDRESS, ADDRESS, ADDRESS);
    private static final MethodHandle FINALIZE = handle("MPI_Finalize");
    private static final MemorySegment FLAG = memory(Integer.BYTES);
    private static final MemorySegment STATUS = memory(STATUS_BYTES);

    final int rank;
    final int size;

    /** Initialises MPI. */
    FloorMpi() throws Throwable {
        check((int) INIT.invokeExact(MemorySegment.NULL, MemorySegment.NULL));
        check((int) RANK.invokeExact(WORLD, FLAG));
        rank = FLAG.get(JAVA_INT, 0);
        check((int) SIZE.invokeExact(WORLD, FLAG));
        size = FLAG.get(JAVA_INT, 0);
    }

    private static SymbolLookup library() {
        try {
            return ForeignLibraries.load().symbols();
        } catch (MpiNotFoundException missing) {
            throw new IllegalStateException(missing);
        }
    }

    static MethodHandle handle(SymbolLookup library, String name, MemoryLayout... arguments) {
        return LINKER.downcallHandle(library.findOrThrow(name), FunctionDescriptor.of(JAVA_INT, arguments));
    }

    private static MethodHandle handle(String name, MemoryLayout... arguments) {
        return handle(MPI, name, arguments);
    }

    private static MethodHandle message(String name) {
        return handle(name, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);
    }

    static MemorySegment memory(long bytes) {
        return Arena.global().allocate(bytes, 4096);
    }

    private static void check(int code) {
        if (code != 0) {
            throw new IllegalStateException("MPI error " + code);
        }
    }

    private static boolean flag() {
        return FLAG.get(JAVA_INT, 0) != 0;
    }

    private static MemorySegment slot(MemorySegment requests, int request) {
        return requests.asSlice((long) request * REQUEST_BYTES, REQUEST_BYTES);
    }

    void send(MemorySegment bytes, int peer, int tag, MemorySegment requests, int request) throws Throwable {
        check((int) ISEND.invokeExact(bytes, (int) bytes.byteSize(), BYTE, peer, tag, WORLD, slot(requests, request)));
    }

    void sendSynchronously(MemorySegment bytes, int peer, int tag, MemorySegment requests, int request)
            throws Throwable {
        check((int) ISSEND.invokeExact(bytes, (int) bytes.byteSize(), BYTE, peer, tag, WORLD, slot(requests, request)));
    }

    void beginReceive(MemorySegment bytes, int peer, int tag, MemorySegment requests, int request) throws Throwable {
        check((int) IRECV.invokeExact(bytes, (int) bytes.byteSize(), BYTE, peer, tag, WORLD, slot(requests, request)));
    }

    void receive(MemorySegment bytes, int peer, int tag) throws Throwable {
        check((int) RECV.invokeExact(bytes, (int) bytes.byteSize(), BYTE, peer, tag, WORLD, MemorySegment.NULL));
    }

    /** The sender of a message that has come; {@link #ANY} if none has. */
    int probe(int tag) throws Throwable {
        check((int) IPROBE.invokeExact(ANY, tag, WORLD, FLAG, STATUS));
        return flag() ? STATUS.get(JAVA_INT, 0) : ANY;
    }

    boolean isDone(MemorySegment request) throws Throwable {
        check((int) TEST.invokeExact(request, FLAG, MemorySegment.NULL));
        return flag();
    }

    boolean areDone(int count, MemorySegment requests) throws Throwable {
        check((int) TESTALL.invokeExact(count, requests, FLAG, MemorySegment.NULL));
        return flag();
    }

    void await(int count, MemorySegment requests) throws Throwable {
        check((int) WAITALL.invokeExact(count, requests, MemorySegment.NULL));
    }

    void barrier() throws Throwable {
        check((int) BARRIER.invokeExact(WORLD));
    }

    void beginBarrier(MemorySegment request) throws Throwable {
        check((int) IBARRIER.invokeExact(WORLD, request));
    }

    void beginAgreement(MemorySegment own, MemorySegment all, MemorySegment request) throws Throwable {
        check((int) IALLREDUCE.invokeExact(own, all, 1, BYTE, BAND, WORLD, request));
    }

    /** Ends the program; rank 0 has written its times then. */
    void finish(Path times, Map<String, double[]> millis) throws Throwable {
        if (rank == 0) {
            Map<String, List<Double>> calls = new TreeMap<>();
            millis.forEach((operation, all) -> calls.put(operation, Arrays.stream(all).boxed().toList()));
            ProgramTimes.write(times, calls);
        }
        check((int) FINALIZE.invokeExact());
    }
}
