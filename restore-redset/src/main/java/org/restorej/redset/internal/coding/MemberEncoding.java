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
 * The redundancy file of a member, while its set is encoded. The caller closes the {@link PendingFiles} that it
 * belongs to. Used by one thread at a time.
 */
public final class MemberEncoding implements MemberWriter {
    private final byte[] header;
    private final long payloadBytes;
    private final PendingFile redundancy;
    private final List<CRC32C> checksums = new ArrayList<>();

    /**
     * Begins the file with its header, which was encoded before.
     *
     * @param pending takes the file
     * @param header not to be written to any more
     */
    public MemberEncoding(PendingFiles pending, SetDescription set, int rank, byte[] header, MemberLocation location)
            throws IOException {
        this.header = header;
        payloadBytes = set.header(rank).payloadBytes();
        for (int section = 0; section < set.scheme().neighbours(); section++) {
            checksums.add(new CRC32C());
        }
        redundancy = pending.create(location.redundancy());
        redundancy.write(0, header);
    }

    @Override
    public void write(MemberExtent extent, long offset, MemorySegment bytes) throws IOException {
        redundancy.write(header.length + extent.start() + offset, bytes);
        checksums.get(extent.section()).update(bytes.asByteBuffer());
    }

    /**
     * Brings the file to the disk, still under another name.
     *
     * @param fileChecksums of the member's data files
     * @return all checksums of the member
     */
    public RankChecksums finish(List<Integer> fileChecksums) throws IOException {
        redundancy.finish(header.length + payloadBytes, null);
        List<Integer> ofSections = checksums.stream().map(checksum -> (int) checksum.getValue()).toList();
        return new RankChecksums(KvTreeBlock.crcOf(header), fileChecksums, ofSections);
    }
}
