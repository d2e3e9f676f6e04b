package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/**
 * Rebuilds all files of missing members: data files with mode and times, redundancy, descriptor and checksum files.
 * Rebuilt files are compared with their checksums, if these are known, before they replace anything. Several
 * threads compute the rows of a coded set.
 *
 * @param operations the file system
 * @param kernel the arithmetic
 * @param format all members, and how their files are written
 * @param locations where the files of each member are, by rank
 * @param checksums what is known of the right content, by rank; may be empty
 * @param missing ranks to rebuild; the others must be whole
 * @param threads how many work at once
 */
public record SetRebuilder(FileOperations operations, ErasureKernel kernel, SetFormat format,
        List<MemberLocation> locations, SortedMap<Integer, RankChecksums> checksums, BitSet missing, int threads) {
    /** Copies the collections, and checks that the scheme can rebuild so many. */
    public SetRebuilder {
        SetDescription set = format.set();
        if (!set.scheme().canRebuild(missing, set.ranks())) {
            throw new IllegalArgumentException(
                    set.scheme() + " can't rebuild all of ranks " + missing + " of " + set.ranks());
        }
        locations = List.copyOf(locations);
        checksums = Collections.unmodifiableSortedMap(new TreeMap<>(checksums));
        missing = (BitSet) missing.clone();
    }

    private List<ReductionChain> chains() {
        return ReductionChains.rebuild(format.set(), missing);
    }

    /** Bytes that {@link #rebuild} tells a progress of. */
    public long workBytes() {
        return chains().stream().mapToLong(chain -> chain.bytes() * chain.targets().size()).sum();
    }

    /**
     * Rebuilds.
     *
     * @throws IOException when something can't be read or written, or doesn't have its checksum; nothing has taken its
     *         place then, unless it was the placing itself that failed, which leaves whole files only
     */
    public void rebuild(LongConsumer progress) throws IOException {
        Map<Integer, MemberRebuild> members = new TreeMap<>();
        try (FileTransaction transaction = new FileTransaction(operations)) {
            for (int rank : missing.stream().toArray()) {
                members.put(rank, new MemberRebuild(transaction, format, rank, locations.get(rank), checksums));
            }
            if (!members.isEmpty()) {
                try (var _ = new AccessTimes(operations, survivingFiles())) {
                    new LocalPieces(operations, kernel, format.set(), locations, threads).run(chains(), members,
                            progress);
                }
            }
            for (MemberRebuild member : members.values()) {
                member.finish();
            }
            transaction.publish();
        }
    }

    private List<Path> survivingFiles() {
        return IntStream.range(0, locations.size()).filter(rank -> !missing.get(rank))
                .mapToObj(rank -> locations.get(rank).files()).flatMap(List::stream).toList();
    }
}
