package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.restorej.comm.Communicator;
import org.restorej.comm.Request;
import org.restorej.internal.storage.ByteRuns;

/**
 * The direct runs between this PE and another in one direction: each is one message, or several where it is longer than
 * a message can be. Both ends post them in the same order, at most a window of them ahead of the oldest unfinished.
 */
final class DirectStream {
    private final ByteRuns runs;
    private final TransferLimits limits;
    private final Communicator communicator;
    private final boolean sends;
    private final int peer;
    private final int tag;
    private final ArrayDeque<Request> pending = new ArrayDeque<>();
    private int run = -1;
    private long offset;

    /**
     * A stream that has not begun.
     *
     * @param sends whether to send to the peer; otherwise to receive from it
     */
    DirectStream(Communicator communicator, TransferLimits limits, boolean sends, int peer, int tag, ByteRuns runs) {
        this.communicator = communicator;
        this.limits = limits;
        this.sends = sends;
        this.peer = peer;
        this.tag = tag;
        this.runs = runs;
        nextRun();
    }

    boolean sends() {
        return sends;
    }

    private void nextRun() {
        offset = 0;
        do {
            run++;
        } while (run < runs.count() && runs.bytes(run) < limits.directBytes());
    }

    /** Starts as many messages as may be under way, and asks after none of them. */
    void post() {
        while (run < runs.count() && pending.size() < limits.window()) {
            postNext();
        }
    }

    /** Does what can be done now, and says whether all runs have travelled. */
    boolean progress() {
        boolean completed;
        do {
            post();
            completed = dropCompleted();
        } while (completed && run < runs.count());
        return pending.isEmpty() && run >= runs.count();
    }

    /** Asks after the oldest until one is still under way, and says whether any was not. */
    private boolean dropCompleted() {
        int before = pending.size();
        while (!pending.isEmpty() && pending.getFirst().test()) {
            pending.removeFirst();
        }
        return pending.size() < before;
    }

    private void postNext() {
        long bytes = Math.min(limits.messageBytes(), runs.bytes(run) - offset);
        MemorySegment message = runs.segment(run).asSlice(offset, bytes);
        pending.add(sends ? communicator.iSend(message, peer, tag) : communicator.iReceive(message, peer, tag));
        offset += bytes;
        if (offset == runs.bytes(run)) {
            nextRun();
        }
    }

    void abandon() {
        pending.forEach(Request::cancel);
        pending.clear();
    }
}
