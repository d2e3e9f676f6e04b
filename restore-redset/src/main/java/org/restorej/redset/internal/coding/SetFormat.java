package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.restorej.redset.internal.files.PendingFiles;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/** How a set is written: redset's way, or that of another program that codes alike but has other headers. */
public interface SetFormat {
    /** The members with their files. */
    SetDescription set();

    /** What the redundancy file of a rank begins with. */
    byte[] header(int rank);

    /** Whether there are descriptor files and checksums beside redundancy files. */
    boolean hasSmallFiles();

    /** Writes what is beside the redundancy file of a rank, under other names. */
    void writeSmallFiles(PendingFiles pending, int rank, MemberLocation location,
            Map<Integer, RankChecksums> checksums) throws IOException;

    /** CRC-32 of each data file of a rank, as far as headers record them. */
    List<OptionalInt> crcs(int rank);

    /**
     * Whether files of a missing member which are there with the right sizes stay, and contradict a rebuild that has
     * another content. Otherwise they are replaced, as redset does it.
     */
    boolean keepsWhatMayBeGood();

    /**
     * Whether headers record a CRC of every data file, so that redundancy which was computed from data with the right
     * CRCs is right.
     */
    boolean provesRedundancy();

    /** redset's format: a descriptor file beside each redundancy file, and our file of checksums. */
    public record OfRedset(SetDescription set) implements SetFormat {
        @Override
        public byte[] header(int rank) {
            return KvTreeBlock.encode(set.header(rank).toTree());
        }

        @Override
        public boolean hasSmallFiles() {
            return true;
        }

        @Override
        public void writeSmallFiles(PendingFiles pending, int rank, MemberLocation location,
                Map<Integer, RankChecksums> checksums) throws IOException {
            SmallFiles.write(pending, set, rank, location, checksums);
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
        public boolean provesRedundancy() {
            return false;
        }
    }
}
