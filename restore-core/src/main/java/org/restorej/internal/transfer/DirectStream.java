package org.restorej.internal.transfer;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.restorej.comm.Request;
import org.restorej.internal.storage.ByteRuns;

/**
 * The direct runs between this PE and another in one direction: each is one message, or several where it is longer than
 * a message can be. Both ends post them in the same order, at most a window of them ahead of the oldest unfinished.
 */
final class DirectStream {
    /** Starts a message. */
    @FunctionalInterface
    interface Post {
        Request start(MemorySegment bytes);
    }

    private final ByteRuns runs;
    private final TransferLimits limits;
    private final Post post;
    private final ArrayDeque<Request> pending = new ArrayDeque<>();
    private int run = -1;
    private long offset;

    DirectStream(ByteRuns runs, TransferLimits limits, Post post) {
        this.runs = runs;
        this.limits = limits;
        this.post = post;
        nextRun();
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
        pending.add(post.start(runs.segment(run).asSlice(offset, bytes)));
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
