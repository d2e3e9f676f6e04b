package org.restorej.loop;

import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.restorej.codec.BlockSerializer;

/**
 * A value of this PE that changes from iteration to iteration, such as centroids, a step width or the state of a random
 * number generator. At a rollback its {@link CheckpointLoop} resets it to its state in the last generation.
 *
 * <p>
 * Each PE has its own value, kept by this PE alone: the value of a failed PE is lost. What must survive is therefore
 * equal on all PEs, or belongs into a replicated array. The value may be changed in place. Created by
 * {@link CheckpointLoop#value}. Not thread-safe.
 *
 * @param <T> type of the value
 */
public final class LoopValue<T> {
    private final BlockSerializer<T> serializer;
    private final BooleanSupplier inIteration;
    private T value;
    /** Serialized value of the committed generation. */
    private byte[] committed;

    LoopValue(BlockSerializer<T> serializer, T initial, BooleanSupplier inIteration) {
        this.serializer = Objects.requireNonNull(serializer, "serializer");
        this.inIteration = inIteration;
        value = Objects.requireNonNull(initial, "initial");
        committed = serializer.toBytes(initial);
    }

    /** The value. Call it again in each iteration: after a rollback it is another object. */
    public T get() {
        return value;
    }

    /**
     * Changes the value.
     *
     * @throws IllegalStateException outside an iteration, where a rollback could not undo it
     */
    public void set(T next) {
        if (!inIteration.getAsBoolean()) {
            throw new IllegalStateException("a value of a loop is set in an iteration, so that the loop can go back to"
                    + " what it was before: value=" + next);
        }
        value = Objects.requireNonNull(next, "next");
    }

    /** The current value, serialized. */
    byte[] captured() {
        return serializer.toBytes(value);
    }

    /** Sets the value that an earlier job has saved. */
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
