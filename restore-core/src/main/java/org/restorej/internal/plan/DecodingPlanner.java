package org.restorej.internal.plan;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.restorej.internal.coding.Decoding;
import org.restorej.internal.placement.BlockDirectory;
import org.restorej.internal.placement.CodedLayout;

/**
 * Chooses the data to read for lost blocks that are coded: the same rows of k other parts. Parts without blocks are
 * preferred, since they cost nothing, then those of the PE that computes, then others, beginning with another part in
 * each row. Deterministic: the reads follow from the blocks that a PE wants. Not thread-safe.
 */
final class DecodingPlanner {
    private final BlockDirectory directory;
    private final CodedLayout layout;
    private final int requester;
    private final boolean readsOnce;
    private final int[] holderOfPart;
    private final List<Decoding> decodings = new ArrayList<>();
    private final IntArrayList read = new IntArrayList();
    private long nextSlot;

    /**
     * Creates a planner.
     *
     * @param requester store rank of the PE that computes
     * @param firstSlot first slot for data that are read
     * @param readsOnce whether consecutive plans of positions in the same rows share the data that are read
     */
    DecodingPlanner(BlockDirectory directory, CodedLayout layout, int requester, long firstSlot, boolean readsOnce) {
        this.directory = directory;
        this.layout = layout;
        this.requester = requester;
        this.readsOnce = readsOnce;
        nextSlot = firstSlot;
        holderOfPart = new int[layout.parts()];
    }

    /**
     * Plans to compute consecutive positions whose rows have the same sound parts.
     *
     * @param slot slot of the first computed block
     * @return whether they can be computed
     */
    boolean plan(long position, long count, long slot) {
        read.clear();
        int sound = directory.soundParts(position, holderOfPart);
        if (layout.blocksIn(layout.rowOf(position), layout.partOf(position)) == 0) {
            // A cell without blocks at the end of the last row: zeros, without sources.
            decodings.add(new Decoding(position, count, slot, new int[0], new long[0],
                    new long[0]));
            return true;
        }
        if (sound < layout.dataParts()) {
            return false;
        }
        Decoding latest = decodings.isEmpty() || !readsOnce ? null : decodings.getLast();
        if (latest != null && layout.rowOf(latest.position()) == layout.rowOf(position)
                && latest.count() == count
                && latest.position() % layout.cellBlocks() == position % layout.cellBlocks()) {
            // Computed from the same data.
            decodings.add(new Decoding(position, count, slot, latest.sourceParts(),
                    latest.sourceSlots(), latest.sourceCounts()));
            return true;
        }
        long row = layout.rowOf(position);
        int[] parts = chosenParts(row);
        long[] slots = new long[parts.length];
        long[] counts = new long[parts.length];
        for (int i = 0; i < parts.length; i++) {
            slots[i] = nextSlot;
            nextSlot += count;
            counts[i] = countAt(parts[i], position, count);
            if (counts[i] > 0) {
                read.add(i);
            }
        }
        decodings.add(new Decoding(position, count, slot, parts, slots, counts));
        return true;
    }

    private int[] chosenParts(long row) {
        IntArrayList chosen = new IntArrayList();
        choose(0, part -> layout.blocksIn(row, part) == 0, chosen);
        choose(0, part -> holderOfPart[part] == requester, chosen);
        choose(row, _ -> true, chosen);
        int[] parts = chosen.toIntArray();
        Arrays.sort(parts);
        return parts;
    }

    /** Chooses remaining parts that pass a test, beginning with {@code first}, until there are k. */
    private void choose(long first, IntPredicate test, IntArrayList chosen) {
        for (int i = 0; i < layout.parts() && chosen.size() < layout.dataParts(); i++) {
            int part = (int) ((first + i) % layout.parts());
            if (holderOfPart[part] != BlockDirectory.LOST && test.test(part) && !chosen.contains(part)) {
                chosen.add(part);
            }
        }
    }

    /** First position of another part in the same rows. */
    private long positionAt(int part, long position) {
        return layout.cell(layout.rowOf(position), part) + position % layout.cellBlocks();
    }

    /** Number of blocks of another part in the same rows. */
    private long countAt(int part, long position, long count) {
        long first = positionAt(part, position);
        long last = first + count - 1;
        long lastRow = layout.rowOf(position + count - 1);
        return Math.clamp(last - last % layout.cellBlocks() + layout.blocksIn(lastRow, part) - first, 0, count);
    }

    /** Number of runs to read for the latest positions, besides those that are read already. */
    int reads() {
        return read.size();
    }

    /** Store rank of the PE that holds a run to read, {@code 0 <= i < reads()}. */
    int server(int i) {
        return holderOfPart[part(i)];
    }

    long position(int i) {
        return positionAt(part(i), decodings.getLast().position());
    }

    long count(int i) {
        return decodings.getLast().sourceCounts()[read.getInt(i)];
    }

    long slot(int i) {
        return decodings.getLast().sourceSlots()[read.getInt(i)];
    }

    private int part(int i) {
        return decodings.getLast().sourceParts()[read.getInt(i)];
    }

    /** First slot that is not used yet. */
    long endSlot() {
        return nextSlot;
    }

    /** Returns and clears the planned computations. */
    List<Decoding> take() {
        List<Decoding> taken = List.copyOf(decodings);
        decodings.clear();
        return taken;
    }
}
