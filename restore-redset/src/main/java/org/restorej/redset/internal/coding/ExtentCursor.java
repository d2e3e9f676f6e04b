package org.restorej.redset.internal.coding;

import org.restorej.redset.internal.coding.ReductionChain.MemberExtent;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Reads or writes an extent of a member once, piece by piece, and computes the checksums of its bytes. Not thread-safe.
 */
final class ExtentCursor {
    private final MemberBytes member;
    private final MemberExtent extent;
    private final CRC32C checksum = new CRC32C();
    /** In the logical file or in the payload. */
    private long position;
    /** The data file that contains the position. */
    private int file;
    /** Start of the bytes of the current checksum. */
    private long checksumStart;

    ExtentCursor(MemberBytes member, MemberExtent extent) {
        this.member = member;
        this.extent = extent;
        position = extent.start();
        checksumStart = position;
        while (extent.isInFiles() && file < member.files() && member.end(file) <= position) {
            file++;
        }
    }

    /** The member of the extent. */
    MemberBytes member() {
        return member;
    }

    /** Fills a buffer with the next bytes, with zeros after the end of the logical file. */
    void read(ByteBuffer target) throws IOException {
        move(target, false);
        if (target.hasRemaining()) {
            MemorySegment.ofBuffer(target).fill((byte) 0);
        }
    }

    /** Writes the next bytes. Those after the end of the logical file are dropped. */
    void write(ByteBuffer source) throws IOException {
        move(source, true);
    }

    /** Reads or writes the next bytes, up to the end of the logical file. */
    private void move(ByteBuffer bytes, boolean writes) throws IOException {
        int end = bytes.limit();
        while (bytes.position() < end && beginPart()) {
            int from = bytes.position();
            bytes.limit(from + partBytes(end - from));
            if (writes) {
                member.write(extent, file, position, bytes);
            } else {
                member.read(extent, file, position, bytes);
            }
            position += bytes.position() - from;
            checksum.update(bytes.position(from));
            bytes.limit(end);
        }
        position += end - bytes.position();
    }

    /** Moves to the data file that contains the next byte. Returns false if there is none. */
    private boolean beginPart() {
        if (!extent.isInFiles()) {
            return true;
        }
        if (file < member.files() && member.end(file) <= position) {
            finish();
            while (file < member.files() && member.end(file) <= position) {
                file++;
            }
        }
        return file < member.files();
    }

    private int partBytes(int most) {
        return extent.isInFiles() ? (int) Math.min(most, member.end(file) - position) : most;
    }

    /** Reports the checksum of the bytes since the last call. Also called after the last piece. */
    void finish() {
        if (!extent.isInFiles()) {
            member.knowSection(extent.section(), position - checksumStart, (int) checksum.getValue());
        } else if (file < member.files()) {
            long end = Math.min(position, member.end(file));
            if (end > checksumStart) {
                member.knowFile(file, checksumStart - member.start(file), end - checksumStart,
                        (int) checksum.getValue());
            }
            checksumStart = end;
        }
        checksum.reset();
    }
}
