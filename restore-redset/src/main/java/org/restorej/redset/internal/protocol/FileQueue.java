package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Reading and writing of files that a thread has to do, and does, in the order given, when it would otherwise wait for
 * messages, or at the latest when it needs the result. There is no thread for it: the kernel reads ahead and writes
 * behind, and where there are more processes than cores another thread costs more than it brings. After a failure
 * nothing more is done, and the owner, who has promised the others messages, learns of it when those are sent. One
 * thread.
 */
final class FileQueue {
    private final ArrayDeque<Work> waiting = new ArrayDeque<>();
    private long submitted;
    private long done;
    private @Nullable IOException failure;

    /** Something to do with files. */
    @FunctionalInterface
    interface Work {
        /** Does it. */
        void run() throws IOException;
    }

    /** Does something later; returns its number, which grows. */
    long submit(Work work) {
        waiting.add(work);
        submitted++;
        return submitted;
    }

    /** Does what is next; returns false when there is nothing to do. */
    boolean runNext() {
        Work next = waiting.poll();
        if (next == null) {
            return false;
        }
        done++;
        try {
            if (failure == null) {
                next.run();
            }
        } catch (IOException failed) {
            failure = failed;
        }
        return true;
    }

    /** Returns when something is done, or was not because of a failure. */
    void await(long number) {
        while (done < number) {
            runNext();
        }
    }

    boolean hasFailed() {
        return failure != null;
    }

    void throwFailure() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }
}
