package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.files.PendingFile.PendingFiles;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;

/**
 * The redundancy file of a member while its set is encoded or the member is rebuilt. The caller closes the
 * {@link PendingFiles} that it belongs to.
 */
public final class RedundancyFile {
    private final byte[] header;
    private final long payloadBytes;
    private final PendingFile pending;
    private final List<Long> sections;

    /**
     * Starts the file with its encoded header.
     *
     * @param files the files that it belongs to
     * @param header must not change afterwards
     */
    public RedundancyFile(PendingFiles files, SetDescription set, int rank, byte[] header, MemberLocation location)
            throws IOException {
        this.header = header;
        RedundancyHeader described = set.header(rank);
        payloadBytes = described.payloadBytes();
        sections = described.payloadSections();
        pending = files.create(location.redundancy(), set.permissions());
        pending.write(0, header);
    }

    /** The started file. */
    PendingFile pending() {
        return pending;
    }

    /** Position of the payload. */
    long payloadStart() {
        return header.length;
    }

    /**
     * All checksums of the member, after all of it was read or written.
     *
     * @param member data and payload
     */
    public RankChecksums checksums(MemberBytes member) {
        List<Integer> ofSections = new ArrayList<>();
        for (int section = 0; section < sections.size(); section++) {
            ofSections.add(member.payloadChecksum(section, sections.get(section)).orElseThrow());
        }
        return new RankChecksums(KvTreeBlock.crcOf(header), member.fileChecksums(), ofSections);
    }

    /** Writes the file to the disk, under a temporary name. */
    public void finish() throws IOException {
        pending.finish(header.length + payloadBytes, null);
    }

    /**
     * Keeps an existing intact file of the same set if it has this content.
     *
     * @param checksum CRC-32C of the payload
     * @param proven whether this content is known to be right
     */
    void yieldTo(MemberRebuild.PresentFiles present, int checksum, boolean proven) throws IOException {
        present.keepRedundancy(pending, KvTreeBlock.decode(header).tree(), payloadBytes,
                checksum, proven);
    }
}
