package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.util.Map;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.files.PendingFiles;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/** Writes what is beside a redundancy file: the descriptor file and our file of checksums. */
public final class SmallFiles {
    private SmallFiles() {}

    /**
     * Writes both files, under other names. The file of checksums is written only when all of its checksums are known.
     *
     * @param pending takes them
     * @param checksums what is known, by rank
     */
    public static void write(PendingFiles pending, SetDescription set, int rank, MemberLocation location,
            Map<Integer, RankChecksums> checksums) throws IOException {
        write(pending.create(location.descriptor()), set.descriptorFile(rank).toTree());
        if (checksums.keySet().containsAll(set.selfAndLeftNeighbours(rank))) {
            write(pending.create(location.checksums()),
                    ChecksumFiles.of(set, rank, member -> known(checksums, member)).toTree());
        }
    }

    private static RankChecksums known(Map<Integer, RankChecksums> checksums, int rank) {
        RankChecksums known = checksums.get(rank);
        if (known == null) {
            throw new IllegalStateException("no checksums of rank " + rank);
        }
        return known;
    }

    private static void write(PendingFile file, KvTree tree) throws IOException {
        byte[] block = KvTreeBlock.encode(tree);
        file.write(0, block);
        file.finish(block.length, null);
    }
}
