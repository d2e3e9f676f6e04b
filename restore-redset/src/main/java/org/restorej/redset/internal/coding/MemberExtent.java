package org.restorej.redset.internal.coding;

import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.scheme.ChunkLayout;

/**
 * Bytes of a member that follow one another: in its logical file, or in a section of the payload of its redundancy
 * file. A section is a checksum or a copy, see
 * {@link org.restorej.redset.internal.format.RedundancyHeader#payloadSections}.
 *
 * @param section number of the section, or -1 for the logical file
 * @param start position of the first byte, in the logical file or in the payload
 */
public record MemberExtent(int section, long start) {
    private static final int LOGICAL_FILE = -1;

    /** In the logical file. */
    public static MemberExtent inFiles(long position) {
        return new MemberExtent(LOGICAL_FILE, position);
    }

    /** The copy that a holder has of the left neighbour at a distance: behind those of nearer ones. */
    public static MemberExtent ofCopy(SetDescription set, int holder, int distance) {
        long start = 0;
        for (int nearer = 1; nearer < distance; nearer++) {
            start += set.member(Math.floorMod(holder - nearer, set.ranks())).totalBytes();
        }
        return new MemberExtent(distance - 1, start);
    }

    /** The cell of a rank in a row of a coded set. */
    public static MemberExtent ofCell(SetDescription set, ChunkLayout layout, int row, int rank) {
        int checksum = layout.checksumAt(row, rank);
        return checksum >= 0
                ? new MemberExtent(checksum, checksum * set.chunkBytes())
                : inFiles(layout.chunkAt(row, rank) * set.chunkBytes());
    }

    /** Whether it is in the logical file. */
    public boolean isInFiles() {
        return section == LOGICAL_FILE;
    }
}
