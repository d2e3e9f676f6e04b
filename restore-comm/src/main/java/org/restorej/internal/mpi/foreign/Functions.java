package org.restorej.internal.mpi.foreign;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;

/** The functions of an MPI library. */
final class Functions {
    final MemorySegment initialized;
    final MemorySegment finalized;
    final MemorySegment initThread;
    final MemorySegment queryThread;
    final MemorySegment end;
    final MemorySegment errorClass;
    final MemorySegment errorString;
    final MemorySegment rank;
    final MemorySegment size;
    final MemorySegment setErrorHandler;
    final MemorySegment send;
    final MemorySegment sendSynchronous;
    final MemorySegment receive;
    final MemorySegment receiveNow;
    final MemorySegment probe;
    final MemorySegment count;
    final MemorySegment test;
    final MemorySegment cancel;
    final MemorySegment barrier;
    final MemorySegment allGather;
    final MemorySegment startAllGather;
    final MemorySegment allReduce;
    final MemorySegment startAllReduce;
    final MemorySegment duplicate;
    final MemorySegment startDuplicate;
    final MemorySegment split;
    final MemorySegment group;
    final MemorySegment include;
    final MemorySegment createGroup;
    final MemorySegment freeGroup;
    final MemorySegment free;

    private final List<String> missing = new ArrayList<>();

    /** Looks them up; {@link #missing} tells which are not there. */
    Functions(SymbolLookup library) {
        initialized = find(library, "MPI_Initialized");
        finalized = find(library, "MPI_Finalized");
        initThread = find(library, "MPI_Init_thread");
        queryThread = find(library, "MPI_Query_thread");
        end = find(library, "MPI_Finalize");
        errorClass = find(library, "MPI_Error_class");
        errorString = find(library, "MPI_Error_string");
        rank = find(library, "MPI_Comm_rank");
        size = find(library, "MPI_Comm_size");
        setErrorHandler = find(library, "MPI_Comm_set_errhandler");
        send = find(library, "MPI_Isend");
        sendSynchronous = find(library, "MPI_Issend");
        receive = find(library, "MPI_Irecv");
        receiveNow = find(library, "MPI_Recv");
        probe = find(library, "MPI_Iprobe");
        count = find(library, "MPI_Get_count");
        test = find(library, "MPI_Test");
        cancel = find(library, "MPI_Cancel");
        barrier = find(library, "MPI_Ibarrier");
        allGather = find(library, "MPI_Allgather");
        startAllGather = find(library, "MPI_Iallgather");
        allReduce = find(library, "MPI_Allreduce");
        startAllReduce = find(library, "MPI_Iallreduce");
        duplicate = find(library, "MPI_Comm_dup");
        startDuplicate = find(library, "MPI_Comm_idup");
        split = find(library, "MPI_Comm_split");
        group = find(library, "MPI_Comm_group");
        include = find(library, "MPI_Group_incl");
        createGroup = find(library, "MPI_Comm_create_group");
        freeGroup = find(library, "MPI_Group_free");
        free = find(library, "MPI_Comm_free");
    }

    private MemorySegment find(SymbolLookup library, String name) {
        return library.find(name).orElseGet(() -> {
            missing.add(name);
            return MemorySegment.NULL;
        });
    }

    /** Names of functions that the library doesn't have. */
    List<String> missing() {
        return missing;
    }
}
