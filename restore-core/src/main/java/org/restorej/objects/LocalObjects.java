package org.restorej.objects;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import org.restorej.PulledBlocks;
import org.restorej.Submission;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.loop.CheckpointLoop;
import org.restorej.loop.LoopData;

/**
 * The objects of a {@link ReplicatedObjects} that this PE works on, in ascending order of their ids. A
 * {@link CheckpointLoop} that {@linkplain CheckpointLoop#keep keeps} them submits them. After a failure it replaces
 * those that change, and adds to those that don't. Without a loop, objects are submitted and
 * pulled by {@link ReplicatedObjects}.
 *
 * <p>
 * The objects are the application's own until a recovery replaces them by deserialized ones. A lookup by id takes time
 * logarithmic in the number of runs of ids, everything else linear time. Not thread-safe; needs no close.
 *
 * @param <T> type of the objects
 */
public final class LocalObjects<T> extends LoopData {
    private final ReplicatedObjects<T> all;
    /** Creates an object in its state before the first iteration of a loop. */
    private final LongFunction<? extends T> initial;
    private final boolean constant;
    /** In ascending order of the ids. */
    private List<T> objects = List.of();

    /**
     * Takes objects one by one.
     *
     * @param <T> type of the objects
     */
    @FunctionalInterface
    public interface ObjectConsumer<T> {
        /** Takes one object. */
        void accept(long id, T object);
    }

    /** Creates an empty collection for a loop. */
    LocalObjects(ReplicatedObjects<T> all, LongFunction<? extends T> initial, boolean constant) {
        super(all.store());
        this.all = all;
        this.initial = initial;
        this.constant = constant;
    }

    /** The objects in ascending order of their ids: an unmodifiable view, valid until objects are added or replaced. */
    public List<T> values() {
        return Collections.unmodifiableList(objects);
    }

    /**
     * The object with an id.
     *
     * @throws IllegalArgumentException when this PE doesn't have it
     */
    public T get(long id) {
        return objects.get(placeOf(id));
    }

    /**
     * Replaces the object with an id. The next submit contains the new one.
     *
     * @throws IllegalArgumentException when this PE doesn't have it
     */
    public void set(long id, T object) {
        objects.set(placeOf(id), Objects.requireNonNull(object, "object"));
    }

    private int placeOf(long id) {
        long place = ids().indexOf(id);
        if (place < 0) {
            throw new IllegalArgumentException("id must be one of this PE's, " + ids() + ": id=" + id);
        }
        return (int) place;
    }

    /** Passes the objects in ascending order of their ids; {@link #set} may be called meanwhile. */
    public void forEach(ObjectConsumer<? super T> consumer) {
        int place = 0;
        for (BlockRange run : ids().runs()) {
            for (long id = run.first(); id < run.end(); id++) {
                consumer.accept(id, objects.get(place++));
            }
        }
    }

    @Override
    protected String kind() {
        return "objects";
    }

    @Override
    protected boolean isConstant() {
        return constant;
    }

    @Override
    protected void initialize(BlockRanges mine) {
        objects = inOrder(mine, initial);
    }

    @Override
    protected Submission submission() {
        return all.submission(ids(), this::get);
    }

    @Override
    protected void takeOver(PulledBlocks blocks, BlockRanges mine) {
        List<T> read = all.read(blocks);
        objects = inOrder(mine, either(blocks.ids(), read));
    }

    /** Finds an object among the added ones, or else among those of this PE. */
    private LongFunction<T> either(BlockRanges added, List<T> further) {
        return id -> {
            long place = added.indexOf(id);
            return place < 0 ? get(id) : further.get((int) place);
        };
    }

    private static <T> List<T> inOrder(BlockRanges ids, LongFunction<? extends T> objectOf) {
        List<T> objects = new ArrayList<>(Math.toIntExact(ids.blockCount()));
        for (BlockRange run : ids.runs()) {
            for (long id = run.first(); id < run.end(); id++) {
                long each = id;
                objects.add(Objects.requireNonNull(objectOf.apply(id), () -> "the object with id " + each));
            }
        }
        return objects;
    }
}
