package org.restorej.redset.internal.offline;

import java.io.IOException;
import java.util.BitSet;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.restorej.redset.internal.coding.MemberMetadata;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.coding.SetRebuilder;
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.internal.erasure.ErasureKernels;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/**
 * Repairs sets of redset and of SCR, from what an inspection says of them.
 *
 * @param operations the file system
 * @param threads how many work on a set
 */
public record SetRepair(FileOperations operations, int threads) {
    /** Bytes that {@link #rebuild} will tell a progress of. */
    public long workBytes(SetInspection damaged) {
        SetFormat format = damaged.format();
        return format == null || damaged.state() != SetInspection.State.REPAIRABLE
                ? 0
                : rebuilder(damaged, format).workBytes();
    }

    /**
     * Repairs all damages of a set, or none. When files of redset are rebuilt, those of the other members get the
     * recorded mode and times, too, as redset does it.
     *
     * @param damaged what was found by contents; must be repairable
     * @throws IOException when something can't be read or written, or would replace what may be good; nothing is worse
     *         than before then
     */
    public void rebuild(SetInspection damaged, LongConsumer progress) throws IOException {
        SetFormat format = damaged.format();
        if (format == null || damaged.state() == SetInspection.State.LOST) {
            throw new IllegalArgumentException(
                    damaged.name().shown() + " can't be rebuilt: " + damaged.damages());
        }
        rebuilder(damaged, format).rebuild(progress);
        SetDescription set = format.set();
        if (hasSmallFiles(damaged)) {
            rewriteSmallFiles(damaged, set);
        }
        boolean restores = hasSmallFiles(damaged) && !damaged.missing().isEmpty();
        for (int rank = 0; rank < set.ranks() && restores; rank++) {
            if (!damaged.missing().get(rank)) {
                MemberMetadata.restore(operations, set.member(rank), damaged.locations().get(rank));
            }
        }
    }

    private static boolean hasSmallFiles(SetInspection set) {
        return set.locations().getFirst().small().isPresent();
    }

    private SetRebuilder rebuilder(SetInspection damaged, SetFormat format) {
        return new SetRebuilder(operations, ErasureKernels.preferred(), format, damaged.locations(),
                damaged.checksums(), damaged.missing(), threads);
    }

    /**
     * Writes damaged descriptor and checksum files anew. Checksums that no file knows are computed from the contents,
     * since redundancy and data agree.
     */
    private void rewriteSmallFiles(SetInspection damaged, SetDescription set) throws IOException {
        BitSet ranks = new BitSet();
        damaged.damages().stream().filter(damage -> damage.rank() >= 0).forEach(damage -> ranks.set(damage.rank()));
        SortedMap<Integer, RankChecksums> checksums = new TreeMap<>(damaged.checksums());
        if (checksums.isEmpty() && !damaged.hasDamagedChecksums()) {
            ranks.andNot(damaged.missing());
        } else {
            for (int rank = 0; rank < set.ranks(); rank++) {
                if (!checksums.containsKey(rank)) {
                    checksums.put(rank, SmallFiles.checksumsOf(operations, set, rank, damaged.locations().get(rank)));
                }
            }
        }
        try (FileTransaction transaction = new FileTransaction(operations)) {
            for (int rank : ranks.stream().toArray()) {
                SmallFiles.write(transaction, set, rank, damaged.locations().get(rank), checksums);
            }
            transaction.publish();
        }
    }
}
