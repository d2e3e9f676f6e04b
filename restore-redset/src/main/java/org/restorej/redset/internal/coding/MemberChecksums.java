package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileChecksums;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;

/** Computes the checksums of a member anew, from contents that are known to be right. Writes nothing. */
public final class MemberChecksums {
    private MemberChecksums() {}

    /** Reads everything of a member, which must be there. */
    public static RankChecksums of(FileOperations operations, SetDescription set, int rank, MemberLocation location)
            throws IOException {
        List<Integer> files = new ArrayList<>();
        try (var _ = new AccessTimes(operations, location.files())) {
            for (Path path : location.files()) {
                try (FileChannel channel = operations.openForReading(path)) {
                    files.add(FileChecksums.of(channel, 0, channel.size()));
                }
            }
        }
        RedundancyHeader header = set.header(rank);
        List<Integer> payload = new ArrayList<>();
        try (FileChannel channel = operations.openForReading(location.redundancy())) {
            long position = KvTreeBlock.read(channel, channel.size()).sizeBytes();
            for (long bytes : header.payloadSections()) {
                payload.add(FileChecksums.of(channel, position, bytes));
                position += bytes;
            }
        }
        return new RankChecksums(KvTreeBlock.crcOf(KvTreeBlock.encode(header.toTree())), files, payload);
    }
}
