package org.restorej.redset.internal.coding;

import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.SetDescription;

/** The file format of a set: redset's, or that of another program with the same coding and other headers. */
public interface SetFormat {
    /** The members of the set with their files. */
    SetDescription set();

    /** The bytes at the beginning of the redundancy file of a rank. */
    byte[] header(int rank);

    /** CRC-32 of each data file of a rank, if headers record them. */
    List<OptionalInt> crcs(int rank);

    /**
     * Whether existing files of a missing member that have the right sizes, but other contents than the rebuilt ones,
     * may be right: then the rebuild is rejected. Otherwise they are replaced, as redset does.
     */
    boolean keepsWhatMayBeGood();

    /** Whether headers record a CRC of each data file of a rank, to be compared with its content. */
    boolean recordsCrcs(int rank);

    /** redset's format: a descriptor file beside each redundancy file, and ReStore-J's own file of checksums. */
    public record OfRedset(SetDescription set) implements SetFormat {
        @Override
        public byte[] header(int rank) {
            return KvTreeBlock.encode(set.header(rank).toTree());
        }

        @Override
        public List<OptionalInt> crcs(int rank) {
            return Collections.nCopies(set.member(rank).files().size(), OptionalInt.empty());
        }

        @Override
        public boolean keepsWhatMayBeGood() {
            return false;
        }

        @Override
        public boolean recordsCrcs(int rank) {
            return false;
        }
    }
}
