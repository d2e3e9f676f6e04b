package org.restorej.redset.internal.coding;

import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.SetDescription;

/** How a set is written: redset's way, or that of another program that codes alike but has other headers. */
public interface SetFormat {
    /** The members with their files. */
    SetDescription set();

    /** What the redundancy file of a rank begins with. */
    byte[] header(int rank);

    /** CRC-32 of each data file of a rank, as far as headers record them. */
    List<OptionalInt> crcs(int rank);

    /**
     * Whether files of a missing member which are there with the right sizes stay, and contradict a rebuild that has
     * another content. Otherwise they are replaced, as redset does it.
     */
    boolean keepsWhatMayBeGood();

    /** Whether headers record a CRC of each data file of a rank, with which its contents are compared. */
    boolean recordsCrcs(int rank);

    /** redset's format: a descriptor file beside each redundancy file, and our file of checksums. */
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
