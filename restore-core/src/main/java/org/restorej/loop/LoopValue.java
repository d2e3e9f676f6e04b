package org.restorej.loop;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.restorej.codec.BlockSerializer;

/**
 * A value of this PE that changes from iteration to iteration, such as centroids, a step width or the state of a random
 * number generator. It goes back with its {@link CheckpointLoop} to what it was in the last generation.
 *
 * <p>
 * Each PE has its own, which may differ. It is kept by this PE alone: the value of a PE that fails is gone, so what
 * must survive is the same on all PEs, or belongs into a replicated array. It may be changed where it is. Created by
 * {@link CheckpointLoop#value}; one thread.
 *
 * @param <T> its type
 */
public final class LoopValue<T> {
    private final BlockSerializer<T> serializer;
    private final BooleanSupplier inIteration;
    private T value;
    /** Of the generation that is committed. */
    private byte[] committed;

    LoopValue(BlockSerializer<T> serializer, T initial, BooleanSupplier inIteration) {
        this.serializer = Objects.requireNonNull(serializer, "serializer");
        this.inIteration = inIteration;
        value = Objects.requireNonNull(initial, "initial");
        committed = serializer.toBytes(initial);
    }

    /** The value; ask for it again in each iteration, since it is another object when the loop has gone back. */
    public T get() {
        return value;
    }

    /**
     * Changes the value.
     *
     * @throws IllegalStateException outside an iteration, where the loop could not go back to before it
     */
    public void set(T next) {
        if (!inIteration.getAsBoolean()) {
            throw new IllegalStateException("a value of a loop is set in an iteration, so that the loop can go back to"
                    + " what it was before: value=" + next);
        }
        value = Objects.requireNonNull(next, "next");
    }

    /** The value as it is now. */
    byte[] captured() {
        return serializer.toBytes(value);
    }

    /** Begins with what an earlier job has saved. */
    void restore(byte[] saved) {
        committed = saved;
        goBack();
    }

    void commit(byte[] captured) {
        committed = captured;
    }

    void goBack() {
        value = Objects.requireNonNull(serializer.fromBytes(committed), "what the serializer has read");
    }
}
