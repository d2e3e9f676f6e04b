package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.util.Optional;
import org.restorej.redset.internal.format.DescriptorFile;
import org.restorej.redset.internal.format.KvTree;

/** Files of another program than redset, which are recovered in the same way where no rank has files of redset. */
public interface ForeignFiles {
    /**
     * Looks for files of a rank where those of redset would be.
     *
     * @throws IOException when two files are there for what can only be one
     */
    Look look(RankFiles ofRedset) throws IOException;

    /** What a rank sees of such files. */
    interface Look {
        /** Which files there are, and what is wrong with them; empty when there are none. */
        String said();

        /** What a descriptor file would say; empty when no file of this rank is sound. */
        Optional<DescriptorFile> places();

        /** Which data set they are of, with a checksum of all that is recorded of it; empty when it is of none. */
        String dataset();

        /** What others of the set need to name their own files; {@link KvTree#EMPTY} when no file is sound. */
        KvTree naming();

        /**
         * The files of this rank.
         *
         * @param naming of a member of its set
         */
        ProtectedFiles files(KvTree naming);
    }
}
