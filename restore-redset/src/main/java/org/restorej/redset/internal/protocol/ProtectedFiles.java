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

/** The files of one member of a set as a recovery sees them: those of redset, or of another program. */
public interface ProtectedFiles {
    /**
     * What is known of a redundancy file.
     *
     * @param header its header
     * @param tree all of the header, as other ranks get it
     * @param headerBytes where the payload begins in the file
     */
    record FoundHeader(RedundancyHeader header, KvTree tree, int headerBytes) {}

    /** The file system. */
    FileOperations operations();

    /** Reads a header that the member of a rank in the set has told. */
    RedundancyHeader read(KvTree header, int rank) throws IOException;

    /**
     * Where everything of a member is whose rank this is.
     *
     * @throws IOException when a recorded name leads where it may not
     */
    MemberLocation locate(RankRecord member) throws IOException;

    /**
     * What of this rank's files is missing or damaged, as far as that is seen without others; nothing means whole.
     *
     * @throws IOException when it can't be found out whether a file is there
     */
    List<String> losses(FoundHeader found, MemberLocation location) throws IOException;

    /**
     * How the own set is written.
     *
     * @param headers that the members have told, by rank in the set; empty where one has none
     * @throws IOException when they are not of one set
     */
    SetFormat format(SetDescription set, List<KvTree> headers) throws IOException;
}
