package org.restorej.bench.mpi.rival;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import mpi.File;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.bindings.BindingsLibrary;

/** MPI by the Java bindings of Open MPI. */
public final class BindingsMpi implements PlainMpi {
    private final MpiComm communicator;
    private final Intracomm intracomm;

    /** A communicator of all PEs, when MPI is initialised. Collective. */
    public BindingsMpi() {
        try {
            communicator = new BindingsLibrary().world().duplicate();
        } catch (MpiException failure) {
            throw new MpiFailure("MPI_Comm_dup", failure);
        }
        intracomm = BindingsLibrary.intracomm(communicator);
    }

    @Override
    public MpiComm communicator() {
        return communicator;
    }

    @Override
    public void barrier() {
        try {
            intracomm.barrier();
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_Barrier", failure);
        }
    }

    @Override
    public void allToAll(MemorySegment sent, MemorySegment received) {
        try {
            intracomm.allToAll(sent.asByteBuffer(), Integer.BYTES, MPI.BYTE, received.asByteBuffer(), Integer.BYTES,
                    MPI.BYTE);
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_Alltoall", failure);
        }
    }

    @Override
    public void allToAllV(PeerParts sent, PeerParts received) {
        try {
            intracomm.allToAllv(sent.bytes().asByteBuffer(), ints(sent.counts()), ints(sent.offsets()), MPI.BYTE,
                    received.bytes().asByteBuffer(), ints(received.counts()), ints(received.offsets()), MPI.BYTE);
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_Alltoallv", failure);
        }
    }

    private static int[] ints(MemorySegment segment) {
        return segment.toArray(ValueLayout.JAVA_INT);
    }

    @Override
    public void writeFile(Path file, long offset, MemorySegment bytes) {
        try {
            File shared = new File(intracomm, file.toString(), MPI.MODE_CREATE + MPI.MODE_WRONLY);
            shared.writeAtAll(offset, bytes.asByteBuffer(), Math.toIntExact(bytes.byteSize()), MPI.BYTE);
            shared.sync();
            shared.close();
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_File_write_at_all to " + file, failure);
        }
    }

    @Override
    public void readFile(Path file, long offset, MemorySegment bytes) {
        try {
            File shared = new File(intracomm, file.toString(), MPI.MODE_RDONLY);
            shared.readAtAll(offset, bytes.asByteBuffer(), Math.toIntExact(bytes.byteSize()), MPI.BYTE);
            shared.close();
        } catch (MPIException failure) {
            throw new MpiFailure("MPI_File_read_at_all of " + file, failure);
        }
    }
}
