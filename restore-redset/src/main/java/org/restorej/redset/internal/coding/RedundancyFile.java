package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.files.PendingFiles;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/**
 * The redundancy file of a member, while its set is encoded or the member is rebuilt. The caller closes the
 * {@link PendingFiles} that it belongs to. Several threads may write, but only one to the same section.
 */
public final class RedundancyFile implements MemberWriter {
    private final byte[] header;
    private final long payloadBytes;
    private final PendingFile pending;
    private final List<CRC32C> checksums = new ArrayList<>();

    /**
     * Begins the file with its header, which was encoded before.
     *
     * @param files take the file
     * @param header not to be written to any more
     */
    public RedundancyFile(PendingFiles files, SetDescription set, int rank, byte[] header, MemberLocation location)
            throws IOException {
        this.header = header;
        payloadBytes = set.header(rank).payloadBytes();
        for (int section = 0; section < set.scheme().neighbours(); section++) {
            checksums.add(new CRC32C());
        }
        pending = files.create(location.redundancy());
        pending.write(0, header);
    }

    @Override
    public void write(MemberExtent extent, long offset, MemorySegment bytes) throws IOException {
        pending.write(header.length + extent.start() + offset, bytes);
        checksums.get(extent.section()).update(bytes.asByteBuffer());
    }

    /**
     * All checksums of the member, after the last write.
     *
     * @param fileChecksums of the member's data files
     */
    public RankChecksums checksums(List<Integer> fileChecksums) {
        List<Integer> ofSections = checksums.stream().map(checksum -> (int) checksum.getValue()).toList();
        return new RankChecksums(KvTreeBlock.crcOf(header), fileChecksums, ofSections);
    }

    /** Brings the file to the disk, still under another name. */
    public void finish() throws IOException {
        pending.finish(header.length + payloadBytes, null);
    }

    /**
     * Leaves a sound file of the same set in its place that is there all the same, if it has this content.
     *
     * @param proven whether this content is known to be right
     */
    void yieldTo(MemberRebuild.PresentFiles present, boolean proven) throws IOException {
        present.keepRedundancy(pending, KvTreeBlock.decode(header).tree(), payloadBytes,
                (int) checksums.getFirst().getValue(), proven);
    }
}
