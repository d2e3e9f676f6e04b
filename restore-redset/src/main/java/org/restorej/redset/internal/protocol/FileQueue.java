package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * File operations that a thread does while it waits for messages, in the order given; at the latest when it needs
 * their result. There is no second thread: the kernel reads ahead and writes behind, and with more processes than
 * cores another thread costs more than it gains. After a failure the remaining operations are dropped. The owner
 * throws the failure after it has sent all messages that it has promised. One thread.
 */
final class FileQueue {
    private final ArrayDeque<RedsetChannel.Action> waiting = new ArrayDeque<>();
    private long submitted;
    private long done;
    private @Nullable IOException failure;

    /** Adds work to the end; returns its number. Numbers grow by 1. */
    long submit(RedsetChannel.Action work) {
        waiting.add(work);
        submitted++;
        return submitted;
    }

    /** Does the next work; returns false when there is none. */
    boolean runNext() {
        RedsetChannel.Action next = waiting.poll();
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

    /** Works until the work of this number is done, or dropped after a failure. */
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
