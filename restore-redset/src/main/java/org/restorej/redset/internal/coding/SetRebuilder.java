package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.restorej.redset.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/**
 * Rebuilds all files of missing members: data files with mode and times, redundancy, descriptor and checksum files.
 * Rebuilt files are compared with their checksums, if these are known, before they replace anything. Several
 * threads compute the rows of a coded set.
 */
public final class SetRebuilder {
    private final FileOperations operations;
    private final LocalReduction reduction;
    private final SetFormat format;
    private final SetDescription set;
    private final List<MemberLocation> locations;
    private final SortedMap<Integer, RankChecksums> checksums;
    private final BitSet missing;
    private final Map<Integer, MemberRebuild> targets = new HashMap<>();

    /**
     * A rebuild to do.
     *
     * @param operations the file system
     * @param kernel the arithmetic
     * @param format all members, and how their files are written
     * @param locations where the files of each member are, by rank
     * @param checksums what is known of the right content, by rank; may be empty
     * @param missing ranks to rebuild; the others must be whole
     * @param threads how many work at once
     */
    public SetRebuilder(FileOperations operations, ErasureKernel kernel, SetFormat format,
            List<MemberLocation> locations,
            SortedMap<Integer, RankChecksums> checksums, BitSet missing, int threads) {
        this.format = format;
        this.set = format.set();
        if (!set.scheme().canRebuild(missing, set.ranks())) {
            throw new IllegalArgumentException(
                    set.scheme() + " can't rebuild all of ranks " + missing + " of " + set.ranks());
        }
        this.operations = operations;
        reduction = new LocalReduction(operations, kernel, set, locations, threads);
        this.locations = List.copyOf(locations);
        this.checksums = checksums;
        this.missing = (BitSet) missing.clone();
    }

    /** Bytes that {@link #rebuild} tells a progress of. */
    public long workBytes() {
        return ReductionChains.rebuild(set, missing).stream().mapToLong(chain -> chain.bytes() * chain.targets().size())
                .sum();
    }

    /**
     * Rebuilds, once.
     *
     * @throws IOException when something can't be read or written, or doesn't have its checksum; nothing has taken its
     *         place then, unless it was the placing itself that failed, which leaves whole files only
     */
    public void rebuild(LongConsumer progress) throws IOException {
        try (FileTransaction transaction = new FileTransaction(operations)) {
            for (int rank : missing.stream().toArray()) {
                targets.put(rank, new MemberRebuild(transaction, format, rank, locations.get(rank), checksums));
            }
            if (!missing.isEmpty()) {
                try (var _ = new AccessTimes(operations, survivingFiles())) {
                    reduction.run(ReductionChains.rebuild(set, missing), this::target, progress);
                }
            }
            for (int rank : missing.stream().toArray()) {
                target(rank).finish();
            }
            transaction.publish();
        }
    }

    private List<Path> survivingFiles() {
        return IntStream.range(0, set.ranks()).filter(rank -> !missing.get(rank))
                .mapToObj(rank -> locations.get(rank).files()).flatMap(List::stream).toList();
    }

    private MemberRebuild target(int rank) {
        MemberRebuild target = targets.get(rank);
        if (target == null) {
            throw new IllegalStateException("rank " + rank + " is not missing");
        }
        return target;
    }
}
