package org.restorej.redset.internal.coding;

import org.restorej.redset.internal.format.SetDescription;
import org.restorej.redset.internal.scheme.CodedLayout;

/**
 * Where bytes of a member are: in its logical file, or in the payload of its redundancy file.
 *
 * @param part number of the checksum or copy in the payload, or -1 for the logical file
 * @param start position of the first byte, in the logical file or in the payload
 */
public record Place(int part, long start) {
    private static final int LOGICAL_FILE = -1;

    /** In the logical file. */
    public static Place inFiles(long position) {
        return new Place(LOGICAL_FILE, position);
    }

    /** A checksum or copy. */
    public static Place inPayload(SetDescription set, int rank, int part) {
        return new Place(part, PayloadParts.start(set, rank, part));
    }

    /** The copy that a holder has of the left neighbour at a distance. */
    public static Place ofCopy(SetDescription set, int holder, int distance) {
        return inPayload(set, holder, distance - 1);
    }

    /** The cell of a rank in a row of a coded set. */
    public static Place ofCell(SetDescription set, CodedLayout layout, int row, int rank) {
        int checksum = layout.checksumAt(row, rank);
        return checksum >= 0
                ? inPayload(set, rank, checksum)
                : inFiles(layout.chunkAt(row, rank) * set.chunkBytes());
    }

    /** Whether it is in the logical file. */
    public boolean isInFiles() {
        return part == LOGICAL_FILE;
    }
}
