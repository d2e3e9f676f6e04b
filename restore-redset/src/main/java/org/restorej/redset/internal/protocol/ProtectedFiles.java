package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.util.List;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.SetFormat;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;

/** The files of one member of a set in a recovery, in the format of redset or of another program. */
public interface ProtectedFiles {
    /**
     * A redundancy file that was found.
     *
     * @param header its header
     * @param tree the complete header, as other ranks get it
     * @param headerBytes position of the payload in the file
     */
    record FoundHeader(RedundancyHeader header, KvTree tree, int headerBytes) {}

    /** The file system. */
    FileOperations operations();

    /** Reads a header that the member with a rank in the set has sent. */
    RedundancyHeader read(KvTree header, int rank) throws IOException;

    /**
     * The paths of the files of a member with this rank.
     *
     * @throws IOException if a recorded name refers to a place that is not allowed
     */
    MemberLocation locate(RankRecord member) throws IOException;

    /**
     * Missing and damaged files of this rank, as far as that can be determined locally. An empty list means that none
     * is.
     *
     * @throws IOException if it can't be determined whether a file exists
     */
    List<String> losses(FoundHeader found, MemberLocation location) throws IOException;

    /**
     * The format of the process's own set.
     *
     * @param headers headers from the members, by rank in the set; empty for members without one
     * @throws IOException if they are not of one set
     */
    SetFormat format(SetDescription set, List<KvTree> headers) throws IOException;
}
