package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.restorej.internal.erasure.ErasureKernel;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/** Writes the redundancy of a set from one process, for tests of what reads it. Not for several threads. */
public final class SetEncoder {
    /** Several pieces for all but the smallest files. */
    private static final long PIECE_BYTES = 1000;

    private final FileOperations operations;
    private final ErasureKernel kernel;
    private final SetDescription set;
    private final List<MemberLocation> locations;
    private final List<RedundancyFile> encodings = new ArrayList<>();

    private SetEncoder(FileOperations operations, ErasureKernel kernel, SetDescription set,
            List<MemberLocation> locations) {
        this.operations = operations;
        this.kernel = kernel;
        this.set = set;
        this.locations = List.copyOf(locations);
    }

    /**
     * Encodes a set.
     *
     * @param operations the file system
     * @param kernel the arithmetic
     * @param set members and their files, whose sizes must be right
     * @param locations where the files of each member are, by rank
     */
    public static void encode(FileOperations operations, ErasureKernel kernel, SetDescription set,
            List<MemberLocation> locations) throws IOException {
        new SetEncoder(operations, kernel, set, locations).encode();
    }

    private void encode() throws IOException {
        try (FileTransaction transaction = new FileTransaction(operations)) {
            for (int rank = 0; rank < set.ranks(); rank++) {
                encodings.add(new RedundancyFile(transaction, set, rank,
                        KvTreeBlock.encode(set.header(rank).toTree()), locations.get(rank)));
            }
            Map<Integer, RankChecksums> checksums = new HashMap<>();
            try (OpenFiles open = new OpenFiles(operations)) {
                MemberBytes[] members = new MemberBytes[set.ranks()];
                for (int rank = 0; rank < members.length; rank++) {
                    members[rank] = MemberBytes.encoded(open, set.member(rank), locations.get(rank),
                            encodings.get(rank));
                }
                new PieceLoop(PieceMessages.OF_ONE_PROCESS, () -> kernel, ReductionChains.encode(set),
                        new int[set.ranks()], 0, members, PIECE_BYTES, bytes -> {}).run();
                for (int rank = 0; rank < members.length; rank++) {
                    encodings.get(rank).finish();
                    checksums.put(rank, encodings.get(rank).checksums(members[rank]));
                }
            }
            for (int rank = 0; rank < set.ranks(); rank++) {
                SmallFiles.write(transaction, set, rank, locations.get(rank), checksums);
            }
            transaction.publish();
        }
    }
}
