package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.files.LogicalFileWriter;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/**
 * All files of a missing member, while they are rebuilt. The transaction owns them. Several threads may write, but
 * only one to the same extent.
 */
public final class MemberRebuild implements MemberWriter {
    private final FileTransaction transaction;
    private final SetFormat format;
    private final SetDescription set;
    private final int rank;
    private final byte[] header;
    private final List<PendingFile> files = new ArrayList<>();
    private final LogicalFileWriter logicalFile;
    private final PendingFile redundancy;
    private final List<CRC32C> payload;
    private final @Nullable RankChecksums expected;

    /**
     * Begins all files.
     *
     * @param transaction that they are part of
     * @param checksums what is known of the right content, by rank; may be empty
     */
    public MemberRebuild(FileTransaction transaction, SetFormat format, int rank, MemberLocation location,
            Map<Integer, RankChecksums> checksums) throws IOException {
        this.transaction = transaction;
        this.format = format;
        this.set = format.set();
        this.rank = rank;
        expected = checksums.get(rank);
        header = format.header(rank);
        // The redundancy file comes last: until it is in its place, its rank counts as missing.
        for (Path path : location.files()) {
            files.add(transaction.create(FilePaths.throughLinks(path)));
        }
        logicalFile = new LogicalFileWriter(files, set.member(rank).files());
        format.writeSmallFiles(transaction, rank, location, checksums);
        redundancy = transaction.create(location.redundancy());
        redundancy.write(0, header);
        payload = Stream.generate(CRC32C::new).limit(set.scheme().neighbours()).toList();
    }

    @Override
    public void write(MemberExtent extent, long offset, MemorySegment bytes) throws IOException {
        if (extent.isInFiles()) {
            logicalFile.write(extent.start() + offset, bytes);
        } else {
            redundancy.write(header.length + extent.start() + offset, bytes);
            payload.get(extent.section()).update(bytes.asByteBuffer());
        }
    }

    /**
     * Compares everything with the checksums recorded, and with what is there and may be good. Brings it to the disk,
     * still under other names.
     *
     * @throws IOException when something can't be written, or doesn't have its checksum, or contradicts what may be
     *         good
     */
    public void finish() throws IOException {
        if (expected != null) {
            compare(expected);
        }
        compareCrcs();
        redundancy.finish(header.length + set.header(rank).payloadBytes(), null);
        logicalFile.finish();
        if (format.keepsWhatMayBeGood()) {
            keepWhatIsThere();
        }
    }

    private void compareCrcs() throws IOException {
        List<OptionalInt> crcs = format.crcs(rank);
        for (int i = 0; i < crcs.size(); i++) {
            FileRecord record = set.member(rank).files().get(i);
            require(crcs.get(i).isEmpty() || files.get(i).crc(record.sizeBytes()) == crcs.get(i).getAsInt(),
                    "file " + record.shownName());
        }
    }

    private void keepWhatIsThere() throws IOException {
        PresentFiles present = new PresentFiles(transaction, rank);
        List<OptionalInt> crcs = format.crcs(rank);
        for (int i = 0; i < files.size(); i++) {
            FileRecord record = set.member(rank).files().get(i);
            present.keepOthers(files.get(i), otherSizes(record));
            present.keepData(files.get(i), record.sizeBytes(), logicalFile.checksum(i).orElseThrow(), crcs.get(i));
        }
        present.keepRedundancy(redundancy, KvTreeBlock.decode(header).tree(), set.header(rank).payloadBytes(),
                (int) payload.get(0).getValue(), format.provesRedundancy());
    }

    /** Other sizes that the other members' files of the same name have. */
    private List<Long> otherSizes(FileRecord own) {
        return set.members().stream().flatMap(member -> member.files().stream())
                .filter(file -> file.name().equals(own.name())).map(FileRecord::sizeBytes)
                .filter(size -> size != own.sizeBytes()).toList();
    }

    private void compare(RankChecksums right) throws IOException {
        List<FileRecord> records = set.member(rank).files();
        for (int i = 0; i < records.size(); i++) {
            require(logicalFile.checksum(i).equals(OptionalInt.of(right.files().get(i))),
                    "file " + records.get(i).shownName());
        }
        for (int section = 0; section < payload.size(); section++) {
            require((int) payload.get(section).getValue() == right.payload().get(section), "redundancy " + section);
        }
        require(KvTreeBlock.crcOf(header) == right.headerCrc(), "header");
    }

    private void require(boolean equal, String what) throws IOException {
        if (!equal) {
            throw new WrongRebuildException("rank " + rank + " was rebuilt with wrong content of its " + what
                    + ", by its checksum: something that it was rebuilt from is damaged; nothing was replaced");
        }
    }
}
