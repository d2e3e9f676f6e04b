package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.restorej.redset.internal.files.AccessTimes;
import org.restorej.redset.internal.files.FileChecksums;
import org.restorej.redset.internal.files.FileTransaction;
import org.restorej.redset.internal.files.PendingFile;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.KvTreeBlock;

/**
 * Files of a missing member that are there all the same, with the right sizes. Those that are what was rebuilt stay.
 * One that differs is no loss but a contradiction: it may be right, and what its member was rebuilt from damaged.
 *
 * @param transaction would replace them
 * @param rank of the member
 */
record PresentFiles(FileTransaction transaction, int rank) {
    /**
     * Compares a data file.
     *
     * @param sizeBytes the size of the file that is there, if it may be good
     * @param checksum CRC-32C of what was rebuilt
     * @param crc CRC-32 recorded, which what was rebuilt has
     * @throws IOException when the file that is there differs, and can't be told to be the wrong one
     */
    void keepData(PendingFile rebuilt, long sizeBytes, int checksum, OptionalInt crc) throws IOException {
        keep(rebuilt, 0, sizeBytes, checksum, crc.isPresent());
    }

    /**
     * Refuses to replace a file that has the size of one of another member.
     *
     * @param others other sizes than its own that files of other members have under the same name, elsewhere or not
     * @throws IOException when the file that is there may be one of them
     */
    void keepOthers(PendingFile rebuilt, List<Long> others) throws IOException {
        Path path = rebuilt.target();
        if (Files.isRegularFile(path) && others.contains(Files.size(path))) {
            throw new IOException(path + " is there with the size of the file that another member of the set of rank "
                    + rank + " has under that name, and may be that file: move it away if it is to be replaced; "
                    + "nothing was replaced");
        }
    }

    /**
     * Compares a redundancy file, unless its header is damaged.
     *
     * @param header what it must begin with
     * @param payloadBytes what must follow
     * @param checksum CRC-32C of the payload that was rebuilt
     * @param proven whether what was rebuilt is known to be right
     * @throws IOException when the file that is there may be good, or can't be read
     */
    void keepRedundancy(PendingFile rebuilt, KvTree header, long payloadBytes, int checksum, boolean proven)
            throws IOException {
        long start;
        try (FileChannel channel = transaction.operations().openForReading(rebuilt.target())) {
            KvTreeBlock block = KvTreeBlock.read(channel, channel.size());
            if (!block.tree().equals(header)) {
                throw new FileAlreadyExistsException(rebuilt.target() + " is there and sound, but of another set than "
                        + "what was rebuilt of rank " + rank + ": move it away; nothing was replaced");
            }
            start = block.sizeBytes();
        } catch (FormatException | NoSuchFileException damagedOrAbsent) {
            return;
        }
        keep(rebuilt, start, start + payloadBytes, checksum, proven);
    }

    private void keep(PendingFile rebuilt, long start, long end, int checksum, boolean isCondemned)
            throws IOException {
        Path path = rebuilt.target();
        if (!Files.isRegularFile(path) || Files.size(path) != end) {
            return;
        }
        if (checksumOf(path, start, end) == checksum) {
            transaction.drop(rebuilt);
        } else if (!isCondemned) {
            throw new IOException(path + " is there with its right size, but differs from what was rebuilt of rank "
                    + rank + ", and no checksum says which is right: move it away if it is to be replaced; nothing was"
                    + " replaced");
        }
    }

    private int checksumOf(Path path, long start, long end) throws IOException {
        try (var _ = new AccessTimes(transaction.operations(), List.of(path));
                FileChannel channel = transaction.operations().openForReading(path)) {
            return FileChecksums.of(channel, start, end - start);
        }
    }
}
