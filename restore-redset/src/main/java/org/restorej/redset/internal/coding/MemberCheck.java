package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.Scheme;
import org.restorej.redset.internal.files.FileChecksums;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.Unreachable;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;

/**
 * Finds missing and damaged files of a member, and describes them as text. An empty list means that the member is
 * intact. Writes nothing.
 */
public final class MemberCheck {
    private MemberCheck() {}

    /**
     * Checks names and sizes of data files and redundancy file.
     *
     * @throws IOException if it can't be determined whether a file exists
     */
    public static List<String> presence(RedundancyHeader header, int headerBytes, MemberLocation location)
            throws IOException {
        List<String> losses = new ArrayList<>();
        checkFile("redundancy file", location.redundancy(), headerBytes + header.payloadBytes(), losses);
        losses.addAll(files(header.own(), location));
        return losses;
    }

    /**
     * Checks names and sizes of data files.
     *
     * @throws IOException if it can't be determined whether a file exists
     */
    public static List<String> files(RankRecord member, MemberLocation location) throws IOException {
        List<String> losses = new ArrayList<>();
        for (int i = 0; i < location.files().size(); i++) {
            Path path = location.files().get(i);
            checkFile(FilePaths.shown(path), path, member.files().get(i).sizeBytes(), losses);
        }
        return losses;
    }

    /**
     * Checks that a file exists and has the right size.
     *
     * @throws IOException if it can't be determined whether it exists
     */
    public static void checkFile(String name, Path path, long sizeBytes, List<String> losses) throws IOException {
        Optional<BasicFileAttributes> found = Unreachable.attributes(path);
        if (found.isEmpty()) {
            losses.add(name + " is absent");
        } else if (!found.get().isRegularFile()) {
            losses.add(name + " is no file" + (found.get().isDirectory() ? ", but a directory" : ""));
        } else if (found.get().size() != sizeBytes) {
            losses.add(name + " has " + found.get().size() + " bytes instead of " + sizeBytes);
        }
    }

    /**
     * Compares the contents of files with checksums. The files have the right names and sizes.
     *
     * @param headerBytes position of the payload in the redundancy file
     * @param known the checksums of bytes read earlier, or null
     * @param reads whether to read what {@code known} has no checksum of; otherwise that counts as intact
     * @throws IOException if a permission is missing to read a file
     */
    public static List<String> contents(FileOperations operations, RedundancyHeader header, int headerBytes,
            MemberLocation location, RankChecksums expected, @Nullable MemberBytes known, boolean reads)
            throws IOException {
        List<String> losses = new ArrayList<>();
        for (int i = 0; i < location.files().size(); i++) {
            FileRecord record = header.own().files().get(i);
            OptionalInt read = known == null ? OptionalInt.empty() : known.fileChecksum(i);
            CheckedBytes bytes = new CheckedBytes(FilePaths.shown(location.files().get(i)), location.files().get(i), 0,
                    record.sizeBytes());
            if (reads || read.isPresent()) {
                bytes.check(operations, read, expected.files().get(i), losses);
            }
        }
        long position = headerBytes;
        List<Long> sizes = header.payloadSections();
        String kind = header.own().descriptor().scheme() instanceof Scheme.Coded ? "checksum " : "copy ";
        for (int i = 0; i < sizes.size(); i++) {
            OptionalInt read = known == null ? OptionalInt.empty() : known.payloadChecksum(i, sizes.get(i));
            CheckedBytes bytes = new CheckedBytes(kind + i + " of the redundancy file", location.redundancy(), position,
                    sizes.get(i));
            if (reads || read.isPresent()) {
                bytes.check(operations, read, expected.payload().get(i), losses);
            }
            position += sizes.get(i);
        }
        return losses;
    }

    /**
     * Compares data files with the CRC-32 in headers, if there is any.
     *
     * @throws IOException if a permission is missing to read a file
     */
    public static List<String> crcs(FileOperations operations, List<OptionalInt> crcs, MemberLocation location)
            throws IOException {
        List<String> losses = new ArrayList<>();
        for (int i = 0; i < location.files().size(); i++) {
            OptionalInt recorded = crcs.get(i);
            Path path = location.files().get(i);
            if (recorded.isPresent()) {
                try (FileChannel channel = operations.openForReading(path)) {
                    int crc = FileChecksums.of(channel, 0, channel.size(), new CRC32());
                    if (crc != recorded.getAsInt()) {
                        losses.add(path + " must have the CRC-32 that its header records, "
                                + Integer.toHexString(recorded.getAsInt()) + ": " + Integer.toHexString(crc));
                    }
                } catch (IOException unreadable) {
                    Unreachable.requirePermission(unreadable);
                    losses.add(path + " can't be read: " + unreadable.getMessage());
                }
            }
        }
        return losses;
    }

    /** Bytes of a file with one checksum. */
    private record CheckedBytes(String what, Path path, long position, long bytes) {
        void check(FileOperations operations, OptionalInt read, int expected, List<String> losses)
                throws IOException {
            try {
                if ((read.isPresent() ? read.getAsInt() : checksum(operations)) != expected) {
                    losses.add(what + " has another content than was protected");
                }
            } catch (IOException unreadable) {
                Unreachable.requirePermission(unreadable);
                losses.add(what + " can't be read: " + unreadable.getMessage());
            }
        }

        private int checksum(FileOperations operations) throws IOException {
            try (FileChannel channel = operations.openForReading(path)) {
                return FileChecksums.of(channel, position, bytes);
            }
        }
    }
}
