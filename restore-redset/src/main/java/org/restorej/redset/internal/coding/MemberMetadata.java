package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.util.Objects;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.RankRecord;

/**
 * Mode, owner and times of the data files of members that were not lost. After a rebuild redset sets these to what was
 * recorded, as it sets those of rebuilt files: whoever was lost, the files of a set are the same afterwards.
 */
public final class MemberMetadata {
    private static final System.Logger LOG = System.getLogger(MemberMetadata.class.getName());

    private MemberMetadata() {}

    /** Restores what differs. Contents are right whether that succeeds or not: so it is a warning when it doesn't. */
    public static void restore(FileOperations operations, RankRecord member, MemberLocation location) {
        for (int i = 0; i < location.files().size(); i++) {
            FileRecord record = member.files().get(i);
            try {
                if (!isAsRecorded(operations.metadata(location.files().get(i)), record.metadata())) {
                    operations.restoreMetadata(location.files().get(i), record.metadata());
                }
            } catch (IOException refused) {
                LOG.log(System.Logger.Level.WARNING, "mode, owner and times of {0} can''t be restored: {1}",
                        record.shownName(), Objects.toString(refused.getMessage()));
            }
        }
    }

    /** All but the change of status, which nobody can set. */
    private static boolean isAsRecorded(FileMetadata present, FileMetadata recorded) {
        return present.equals(new FileMetadata(recorded.mode(), recorded.userId(), recorded.groupId(),
                recorded.accessTime(), present.changeTime(), recorded.modificationTime()));
    }
}
