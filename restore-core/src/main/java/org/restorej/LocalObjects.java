package org.restorej;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.LongFunction;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Collective;
import org.restorej.comm.MessageArguments;

/**
 * The objects of a {@link ReplicatedObjects} that this PE works on, by their ids, and in ascending order of these.
 * Objects that change come from {@link CheckpointLoop#keep(ReplicatedObjects, LongFunction)}, which submits them and
 * replaces all of them after a failure. Objects that never change may be given to a {@link RecoveryLoop}, which adds
 * those gained after a failure, or are {@linkplain #pull pulled}.
 *
 * <p>
 * The objects are the application's own until a recovery brings others, which a serializer has made. Looking one up is
 * logarithmic in the number of runs of ids, all else linear. One thread; owns nothing that must be closed.
 *
 * @param <T> type of the objects
 */
public final class LocalObjects<T> implements RecoveryLoop.GainedBlocks, Iterable<LocalObjects.Entry<T>> {
    private final ReplicatedObjects<T> all;
    private BlockRanges ids;
    /** In ascending order of the ids. */
    private List<T> objects;

    /**
     * An object with its id.
     *
     * @param <T> type of the objects
     */
    public record Entry<T>(long id, T object) {}

    /**
     * Takes objects one by one.
     *
     * @param <T> type of the objects
     */
    @FunctionalInterface
    public interface ObjectConsumer<T> {
        /** Takes one. */
        void accept(long id, T object);
    }

    LocalObjects(ReplicatedObjects<T> all, BlockRanges ids, List<T> objects) {
        this.all = all;
        this.ids = ids;
        this.objects = objects;
    }

    /** The ids of this PE's objects. */
    public BlockRanges ids() {
        return ids;
    }

    /** Number of objects. */
    public int count() {
        return objects.size();
    }

    /** The objects in ascending order of their ids: a view, unmodifiable, until they grow or others replace them. */
    public List<T> values() {
        return Collections.unmodifiableList(objects);
    }

    /**
     * The object with an id.
     *
     * @throws IllegalArgumentException when it isn't one of this PE's
     */
    public T get(long id) {
        return objects.get(placeOf(id));
    }

    /**
     * Replaces the object with an id; submitted with the others.
     *
     * @throws IllegalArgumentException when it isn't one of this PE's
     */
    public void set(long id, T object) {
        objects.set(placeOf(id), Objects.requireNonNull(object, "object"));
    }

    private int placeOf(long id) {
        long place = ids.indexOf(id);
        if (place < 0) {
            throw new IllegalArgumentException("id must be one of this PE's, " + ids + ": id=" + id);
        }
        return (int) place;
    }

    /** Hands out the objects in ascending order of their ids; {@link #set} may be called meanwhile. */
    public void forEach(ObjectConsumer<? super T> consumer) {
        int place = 0;
        for (BlockRange run : ids.runs()) {
            for (long id = run.first(); id < run.end(); id++) {
                consumer.accept(id, objects.get(place++));
            }
        }
    }

    /** The objects with their ids, in ascending order of these; {@link #set} may be called meanwhile. */
    @Override
    public Iterator<Entry<T>> iterator() {
        BlockRanges iterated = ids;
        List<T> values = objects;
        return new Iterator<>() {
            private int place;

            @Override
            public boolean hasNext() {
                return place < values.size();
            }

            @Override
            public Entry<T> next() {
                if (!hasNext()) {
                    throw new NoSuchElementException("there are " + values.size() + " objects, and no more");
                }
                Entry<T> next = new Entry<>(iterated.blockAt(place), values.get(place));
                place++;
                return next;
            }
        };
    }

    /**
     * Submits the objects as they are now: what this PE contributes to a new generation. Collective. Not for objects
     * that a {@link CheckpointLoop} keeps, which submits them itself.
     *
     * @return number of the new generation
     * @throws InvalidSubmissionException on every PE, as {@link ReStore#submit(Submission)}; also when the serializer
     *         throws on some PE, or writes beyond the size that it has told
     */
    @Collective
    public long submit() {
        return all.store().submit(submission());
    }

    /** All objects as they are now, to be submitted; they must not change until that is done. */
    Submission submission() {
        return all.submission(ids, this::get);
    }

    /** The store that has the objects. */
    ReStore store() {
        return all.store();
    }

    /**
     * Reads objects and adds them. Collective, as {@link ReplicatedObjects#pull}; when it throws, nothing has changed.
     *
     * @param wanted ids of objects that this PE needs and does not have
     * @throws IllegalArgumentException on this PE only, when it has one of them
     */
    @Collective
    public void pull(BlockRanges wanted) {
        try {
            MessageArguments.checkGiven("wanted", wanted);
            checkNotTwice(ids, wanted);
        } catch (RuntimeException | OutOfMemoryError refused) {
            // The others are at the pull, and want to be served.
            store().serve();
            throw refused;
        }
        add(wanted, all.pull(wanted));
    }

    /** Lets go of objects that are another PE's from now on, and adds those that are this PE's. Local. */
    @Override
    public void accept(PulledBlocks gained, BlockRanges mine) {
        BlockRanges kept = ids.intersect(mine);
        checkNotTwice(kept, gained.ids());
        List<T> read = all.read(gained);
        if (kept.blockCount() < ids.blockCount()) {
            objects = inOrder(kept, this::get);
            ids = kept;
        }
        add(gained.ids(), read);
    }

    /** Forgets all objects, and takes these. Local. */
    void replaceAll(PulledBlocks others) {
        objects = all.read(others);
        ids = others.ids();
    }

    /** Makes the objects of this PE, whatever it had before. Local. */
    void reset(BlockRanges mine, LongFunction<T> initial) {
        objects = inOrder(mine, id -> Objects.requireNonNull(initial.apply(id), () -> "the object with id " + id));
        ids = mine;
    }

    private static void checkNotTwice(BlockRanges ids, BlockRanges added) {
        BlockRanges twice = added.intersect(ids);
        if (!twice.isEmpty()) {
            throw new IllegalArgumentException("objects must not be added twice: " + twice);
        }
    }

    private void add(BlockRanges added, List<T> further) {
        if (added.isEmpty()) {
            return;
        }
        BlockRanges both = ids.union(added);
        objects = inOrder(both, id -> {
            long place = added.indexOf(id);
            return place < 0 ? get(id) : further.get((int) place);
        });
        ids = both;
    }

    static <T> List<T> inOrder(BlockRanges ids, LongFunction<T> objectOf) {
        List<T> objects = new ArrayList<>(Math.toIntExact(ids.blockCount()));
        for (BlockRange run : ids.runs()) {
            for (long id = run.first(); id < run.end(); id++) {
                objects.add(objectOf.apply(id));
            }
        }
        return objects;
    }
}
