package org.restorej.internal.mpi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.util.ArrayList;
import java.util.List;

/** The addresses of the functions of an MPI library. */
final class Functions {
    private final SymbolLookup library;
    private final List<String> missing = new ArrayList<>();

    final MemorySegment initialized = find("MPI_Initialized");
    final MemorySegment finalized = find("MPI_Finalized");
    final MemorySegment initThread = find("MPI_Init_thread");
    final MemorySegment queryThread = find("MPI_Query_thread");
    final MemorySegment end = find("MPI_Finalize");
    final MemorySegment abort = find("MPI_Abort");
    final MemorySegment errorClass = find("MPI_Error_class");
    final MemorySegment errorString = find("MPI_Error_string");
    final MemorySegment rank = find("MPI_Comm_rank");
    final MemorySegment size = find("MPI_Comm_size");
    final MemorySegment setErrorHandler = find("MPI_Comm_set_errhandler");
    final MemorySegment send = find("MPI_Isend");
    final MemorySegment sendSynchronous = find("MPI_Issend");
    final MemorySegment receive = find("MPI_Irecv");
    final MemorySegment probe = find("MPI_Iprobe");
    final MemorySegment count = find("MPI_Get_count");
    final MemorySegment test = find("MPI_Test");
    final MemorySegment cancel = find("MPI_Cancel");
    final MemorySegment barrier = find("MPI_Ibarrier");
    final MemorySegment allGather = find("MPI_Allgather");
    final MemorySegment startAllGather = find("MPI_Iallgather");
    final MemorySegment allReduce = find("MPI_Allreduce");
    final MemorySegment startAllReduce = find("MPI_Iallreduce");
    final MemorySegment duplicate = find("MPI_Comm_dup");
    final MemorySegment startDuplicate = find("MPI_Comm_idup");
    final MemorySegment split = find("MPI_Comm_split");
    final MemorySegment group = find("MPI_Comm_group");
    final MemorySegment include = find("MPI_Group_incl");
    final MemorySegment createGroup = find("MPI_Comm_create_group");
    final MemorySegment freeGroup = find("MPI_Group_free");
    final MemorySegment free = find("MPI_Comm_free");

    /** Looks the functions up; {@link #missing} has those that were not found. */
    Functions(SymbolLookup library) {
        // Before the initializers of the fields run.
        this.library = library;
        super();
    }

    private MemorySegment find(String name) {
        return library.find(name).orElseGet(() -> {
            missing.add(name);
            return MemorySegment.NULL;
        });
    }

    /** Names of functions that the library lacks. */
    List<String> missing() {
        return missing;
    }
}
