package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.restorej.redset.internal.files.PendingFiles;
import org.restorej.redset.internal.format.RankChecksums;
import org.restorej.redset.internal.format.SetDescription;

/** How a set is written: redset's way, or SCR's own. Both code alike; they differ in headers and small files. */
public sealed interface SetFormat permits RedsetFormat, ScrFormat {
    /** The members with their files. */
    SetDescription set();

    /** What the redundancy file of a rank begins with. */
    byte[] header(int rank);

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
}
