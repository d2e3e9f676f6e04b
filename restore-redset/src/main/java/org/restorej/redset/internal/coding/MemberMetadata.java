package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.RankRecord;

/**
 * Mode, times and perhaps owner of the data files of members that were not lost, as
 * {@link FileOperations#restoreMetadata} has it. redset sets them to what was recorded when it rebuilds a set, and so
 * does this class. So the files of a set are the same afterwards, whichever member was lost.
 */
public final class MemberMetadata {
    private static final System.Logger LOG = System.getLogger(MemberMetadata.class.getName());

    private MemberMetadata() {}

    /** Restores what differs. A failure is only logged, since the contents are right. */
    public static void restore(FileOperations operations, RankRecord member, MemberLocation location) {
        for (int i = 0; i < location.files().size(); i++) {
            FileRecord record = member.files().get(i);
            FileMetadata recorded = record.metadata();
            try {
                Path file = FilePaths.throughLinks(location.files().get(i));
                if (recorded != null && !isAsRecorded(operations.metadata(file), recorded)) {
                    operations.restoreMetadata(file, recorded);
                }
            } catch (IOException refused) {
                LOG.log(System.Logger.Level.WARNING, "mode, owner and times of {0} can''t be restored: {1}",
                        record.shownName(), Objects.toString(refused.getMessage()));
            }
        }
    }

    /** Compares all but the time of the last change of status, which can't be set. */
    private static boolean isAsRecorded(FileMetadata present, FileMetadata recorded) {
        return present.mode() == recorded.mode() && present.userId() == recorded.userId()
                && present.groupId() == recorded.groupId() && present.accessTime().equals(recorded.accessTime())
                && present.modificationTime().equals(recorded.modificationTime());
    }
}
