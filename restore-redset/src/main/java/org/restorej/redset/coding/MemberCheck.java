package org.restorej.redset.coding;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.files.FileChecksums;
import org.restorej.redset.files.FileOperations;
import org.restorej.redset.format.FileRecord;
import org.restorej.redset.format.RankChecksums;
import org.restorej.redset.format.RankRecord;
import org.restorej.redset.format.RedundancyHeader;
import org.restorej.redset.scheme.CodedScheme;

/** Finds out what of a member is missing or damaged, in words for people; nothing found means whole. Writes nothing. */
public final class MemberCheck {
    private MemberCheck() {}

    /** By names and sizes of data files and redundancy file. */
    public static List<String> presence(RedundancyHeader header, int headerBytes, MemberLocation location) {
        List<String> losses = new ArrayList<>();
        checkFile("redundancy file", location.redundancy(), headerBytes + header.payloadBytes(), losses);
        losses.addAll(files(header.own(), location));
        return losses;
    }

    /** By names and sizes of data files. */
    public static List<String> files(RankRecord member, MemberLocation location) {
        List<String> losses = new ArrayList<>();
        for (int i = 0; i < location.files().size(); i++) {
            FileRecord record = member.files().get(i);
            checkFile(record.name(), location.files().get(i), record.sizeBytes(), losses);
        }
        return losses;
    }

    private static void checkFile(String name, Path path, long sizeBytes, List<String> losses) {
        try {
            if (!Files.isRegularFile(path)) {
                losses.add(name + " is absent");
            } else if (Files.size(path) != sizeBytes) {
                losses.add(name + " has " + Files.size(path) + " bytes instead of " + sizeBytes);
            }
        } catch (IOException unreadable) {
            losses.add(name + " can't be read: " + unreadable.getMessage());
        }
    }

    /** By contents, of what is there by names and sizes. Reads everything. */
    public static List<String> contents(FileOperations operations, RedundancyHeader header, int headerBytes,
            MemberLocation location, RankChecksums expected) {
        List<String> losses = new ArrayList<>();
        for (int i = 0; i < location.files().size(); i++) {
            FileRecord record = header.own().files().get(i);
            checkPart(operations, record.name(), location.files().get(i), 0, record.sizeBytes(),
                    expected.files().get(i), losses);
        }
        long position = headerBytes;
        List<Long> parts = PayloadParts.sizes(header);
        String kind = header.own().descriptor().scheme() instanceof CodedScheme ? "checksum " : "copy ";
        for (int part = 0; part < parts.size(); part++) {
            checkPart(operations, kind + part + " of the redundancy file", location.redundancy(), position,
                    parts.get(part), expected.payload().get(part), losses);
            position += parts.get(part);
        }
        return losses;
    }

    private static void checkPart(FileOperations operations, String what, Path path, long position, long bytes,
            int expected, List<String> losses) {
        try (FileChannel channel = operations.openForReading(path)) {
            if (FileChecksums.ofPart(channel, position, bytes) != expected) {
                losses.add(what + " has another content than was protected");
            }
        } catch (IOException unreadable) {
            losses.add(what + " can't be read: " + unreadable.getMessage());
        }
    }
}
