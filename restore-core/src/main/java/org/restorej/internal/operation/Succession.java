package org.restorej.internal.operation;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.internal.storage.Overwrites;
import org.restorej.internal.storage.PooledMemory;

/**
 * A generation that is ready to take the place of another, made before all PEs agree on that. After the agreement every
 * PE must do it, so {@link #overwrite} and the assignment of {@link #generation} allocate nothing and can't fail.
 */
final class Succession {
    private final Generation generation;
    private final Overwrites overwrites;
    private final List<PooledMemory> replaced;
    private final List<PooledMemory> used;

    /**
     * What is ready.
     *
     * @param present null before the first generation
     * @param overwrites what changes in memory that both generations use
     * @param used memory that nothing needs any more when the overwrites are written
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

    /** Writes what changes in the memory of both generations. */
    void overwrite() {
        overwrites.apply();
    }

    /** Keeps the memory that only the generation before has used for a later one. */
    void free() {
        for (int index = 0; index < replaced.size(); index++) {
            replaced.get(index).retire();
        }
        for (int index = 0; index < used.size(); index++) {
            used.get(index).close();
        }
    }
}
