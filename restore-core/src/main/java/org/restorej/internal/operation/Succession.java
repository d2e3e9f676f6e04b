package org.restorej.internal.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.storage.Overwrites;
import org.restorej.internal.storage.PooledMemory;

/**
 * A generation that is ready to replace another one, prepared before the agreement. After the agreement every PE must
 * switch to it, so {@link #overwrite} and the assignment of {@link #generation} allocate nothing and can't fail.
 */
final class Succession {
    private final Generation generation;
    private final Overwrites overwrites;
    private final List<PooledMemory> replaced;
    private final List<PooledMemory> used;

    /**
     * Prepares the replacement.
     *
     * @param present the current generation; null before the first one
     * @param overwrites changes of memory that both generations use
     * @param used memory that is no longer needed once the overwrites are written
     */
    Succession(@Nullable Generation present, Generation generation, Overwrites overwrites, List<PooledMemory> used) {
        this.generation = generation;
        this.overwrites = overwrites;
        this.used = used;
        replaced = present == null ? List.of() : present.memoriesBut(generation);
    }

    Generation generation() {
        return generation;
    }

    /** Writes the changes of memory that both generations use. */
    void overwrite() {
        overwrites.apply();
    }

    /** Keeps the memory that only the previous generation has used for a later one. */
    void free() {
        for (int index = 0; index < replaced.size(); index++) {
            replaced.get(index).retire();
        }
        for (int index = 0; index < used.size(); index++) {
            used.get(index).close();
        }
    }
}
