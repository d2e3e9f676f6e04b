package org.restorej.redset.internal.coding;

import org.restorej.redset.internal.coding.ReductionChain.MemberExtent;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * An extent of a member that is read or written once, from its first byte to its last, piece by piece. Computes the
 * checksums of what it passes. Used by one thread at a time.
 */
final class ExtentCursor {
    private final MemberBytes member;
    private final MemberExtent extent;
    private final CRC32C checksum = new CRC32C();
    /** In the logical file or in the payload. */
    private long position;
    /** Data file that the position is in. */
    private int file;
    /** Where the bytes begin that the checksum is of. */
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

    /** Whose bytes they are. */
    MemberBytes member() {
        return member;
    }

    /** Fills a buffer with the next bytes; past the end of the logical file are zeros. */
    void read(ByteBuffer target) throws IOException {
        if (extent.isInFiles()) {
            int end = target.limit();
            while (target.position() < end && beginPart()) {
                int from = target.position();
                int bytes = partBytes(end - from);
                target.limit(from + bytes);
                member.readFile(file, position - member.start(file), target);
                endPart(target.position(from));
                target.limit(end);
            }
            position += end - target.position();
            if (target.hasRemaining()) {
                MemorySegment.ofBuffer(target).fill((byte) 0);
            }
        } else {
            member.readPayload(position, target.mark());
            checksum.update(target.reset());
            position += target.limit();
        }
    }

    /** Writes the next bytes; those past the end of the logical file are dropped. */
    void write(ByteBuffer source) throws IOException {
        if (extent.isInFiles()) {
            int end = source.limit();
            while (source.position() < end && beginPart()) {
                int from = source.position();
                source.limit(from + partBytes(end - from));
                member.writeFile(file, position - member.start(file), source);
                endPart(source.position(from));
                source.limit(end);
            }
            position += end - source.position();
        } else {
            member.writePayload(position, source.mark());
            checksum.update(source.reset());
            position += source.limit();
        }
    }

    /** Goes to the data file that has the next byte; false when none has. */
    private boolean beginPart() {
        if (file < member.files() && member.end(file) <= position) {
            finish();
            while (file < member.files() && member.end(file) <= position) {
                file++;
            }
        }
        return file < member.files();
    }

    private int partBytes(int most) {
        return (int) Math.min(most, member.end(file) - position);
    }

    private void endPart(ByteBuffer part) {
        position += part.remaining();
        checksum.update(part);
    }

    /** Tells the checksum of the bytes passed since the last time; after the last piece, too. */
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
