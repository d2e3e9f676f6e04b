package org.restorej.redset.internal.protocol;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.SmallFiles;
import org.restorej.redset.internal.format.ChecksumFile;
import org.restorej.redset.internal.format.ChecksumFile.RankChecksums;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FormatException;
import org.restorej.redset.internal.format.KvTree;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.TreeFields;
import org.restorej.redset.internal.sets.SetSurvey;

/**
 * A member that this process acts for.
 *
 * @param place its place
 * @param files its files
 * @param found its redundancy file, or null if there is no valid one
 * @param unseen whether no process has found a file that protects it: then its files may collide with those of others
 */
public record OwnMember(Descriptor place, ProtectedFiles files, ProtectedFiles.@Nullable FoundHeader found,
        boolean unseen) {
    private static final String HEADER = "HEADER";
    private static final String CHECKSUMS = "CHECKSUMS";
    private static final String LOSSES = "LOSSES";

    /**
     * Reports the state of the member's files: the header, empty if there is no valid one; the file of checksums,
     * likewise; missing and damaged files. A name that leaves the allowed directories is an error, not a loss, since
     * the file there is unknown.
     */
    KvTree report() throws IOException {
        if (found == null) {
            return KvTree.builder().put(HEADER, KvTree.EMPTY).build();
        }
        MemberLocation location = files.locate(found.header().own());
        KvTree checksums = location.small().map(small -> checksums(small.checksums(), found.header()))
                .orElse(KvTree.EMPTY);
        return KvTree.builder().put(HEADER, found.tree()).put(CHECKSUMS, checksums)
                .putTexts(LOSSES, files.losses(found, location)).build();
    }

    /**
     * The tree of the file of checksums, if it is of the same encoding as the header. A damaged one counts as missing:
     * neighbours know its content, and it is rewritten.
     */
    private KvTree checksums(Path path, RedundancyHeader header) {
        try {
            Map<Integer, RankChecksums> matching = SmallFiles
                    .matching(ChecksumFile.decode(files.operations().readBlock(path)), header);
            return matching.containsKey(header.rank())
                    ? new ChecksumFile(header.rank(), new TreeMap<>(matching)).toTree()
                    : KvTree.EMPTY;
        } catch (IOException absentOrDamaged) {
            return KvTree.EMPTY;
        }
    }

    /** The header in a report. */
    static KvTree headerIn(KvTree report) throws FormatException {
        return new TreeFields("report", report).child(HEADER).tree();
    }

    /** The other parts of a report, for a member with a header. */
    static SetSurvey.Member read(KvTree report, RedundancyHeader header) throws FormatException {
        TreeFields fields = new TreeFields("report", report);
        KvTree checksums = fields.child(CHECKSUMS).tree();
        return new SetSurvey.Member(header, checksums.isEmpty() ? Map.of() : ChecksumFile.read(checksums).byRank(),
                fields.texts(LOSSES));
    }
}
