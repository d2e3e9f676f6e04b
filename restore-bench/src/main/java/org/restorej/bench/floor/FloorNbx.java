package org.restorej.bench.floor;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;

/** A sparse all-to-all (NBX) of 64 messages of 64 bytes a rank, which are received and not looked at. */
public final class FloorNbx {
    private static final int MESSAGES = 64;
    private static final int MESSAGE_BYTES = 64;
    private static final int FIRST_TAG = 11;

    private FloorNbx() {}

    /** Measures. Arguments: the file for the times, and the number of calls. */
    public static void main(String[] args) throws Throwable {
        FloorMpi mpi = new FloorMpi();
        MemorySegment sent = FloorMpi.memory((long) MESSAGES * MESSAGE_BYTES);
        MemorySegment received = FloorMpi.memory(MESSAGE_BYTES);
        MemorySegment requests = FloorMpi.memory((long) MESSAGES * FloorMpi.REQUEST_BYTES);
        MemorySegment end = FloorMpi.memory(FloorMpi.REQUEST_BYTES);
        double[] millis = new double[Integer.parseInt(args[1])];
        for (int call = 0; call < millis.length; call++) {
            int tag = FIRST_TAG + (call & 1);
            mpi.barrier();
            long start = System.nanoTime();
            for (int i = 0; i < MESSAGES; i++) {
                int peer = (mpi.rank + 1 + i % Math.max(1, mpi.size - 1)) % mpi.size;
                mpi.sendSynchronously(sent.asSlice((long) i * MESSAGE_BYTES, MESSAGE_BYTES), peer, tag, requests, i);
            }
            boolean allSent = false;
            boolean allReceived = false;
            while (!allReceived) {
                int source = mpi.probe(tag);
                if (source != FloorMpi.ANY) {
                    mpi.receive(received, source, tag);
                } else if (allSent) {
                    allReceived = mpi.isDone(end);
                } else if (mpi.areDone(MESSAGES, requests)) {
                    allSent = true;
                    mpi.beginBarrier(end);
                }
            }
            mpi.barrier();
            millis[call] = (System.nanoTime() - start) / 1e6;
        }
        mpi.finish(Path.of(args[0]), Map.of("nbx", millis));
    }
}
