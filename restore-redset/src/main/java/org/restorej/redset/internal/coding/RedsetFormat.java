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

/** redset's format: a descriptor file beside each redundancy file, and our file of checksums. */
public record RedsetFormat(SetDescription set) implements SetFormat {
    @Override
    public byte[] header(int rank) {
        return KvTreeBlock.encode(set.header(rank).toTree());
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
