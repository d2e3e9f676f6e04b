package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedsetFileNames;

/**
 * The paths of a member's files.
 *
 * @param redundancy its redundancy file
 * @param small the files beside it; empty for SCR's own format
 * @param files its data files, in the order recorded
 */
public record MemberLocation(Path redundancy, Optional<Small> small, List<Path> files) {
    private static final System.Logger LOG = System.getLogger(MemberLocation.class.getName());

    /** Copies the list. */
    public MemberLocation {
        files = List.copyOf(files);
    }

    /**
     * The files beside a redundancy file of redset.
     *
     * @param descriptor descriptor file
     * @param checksums ReStore-J's own file of checksums
     */
    public record Small(Path descriptor, Path checksums) {}

    /**
     * The paths by standard names.
     *
     * @param prefix prefix of the names of redundancy files, with the directory
     * @param member the member
     * @param policy allowed places of its data files
     * @throws IOException if a file name refers to another place
     */
    public static MemberLocation of(String prefix, RankRecord member, PathPolicy policy) throws IOException {
        List<Path> files = new ArrayList<>();
        for (FileRecord file : member.files()) {
            files.add(policy.resolve(file.name()));
        }
        return new MemberLocation(Path.of(RedsetFileNames.redundancy(prefix, member.descriptor())),
                Optional.of(new Small(
                        Path.of(RedsetFileNames.descriptor(prefix, member.descriptor().worldRank())),
                        Path.of(RedsetFileNames.checksums(prefix, member.descriptor())))),
                files);
    }

    /** The descriptor file; for redset's format only. */
    public Path descriptor() {
        return small.orElseThrow().descriptor();
    }

    /** The file of checksums; for redset's format only. */
    public Path checksums() {
        return small.orElseThrow().checksums();
    }

    /**
     * Restores mode, times and perhaps owner of the data files of a member that was not lost, as
     * {@link FileOperations#restoreMetadata}, if they differ. redset does so when it rebuilds a set, so that the result
     * is the same for any lost member. A failure is only logged, since the contents are right.
     */
    public void restoreMetadata(FileOperations operations, RankRecord member) {
        for (int i = 0; i < files.size(); i++) {
            FileRecord record = member.files().get(i);
            FileMetadata recorded = record.metadata();
            try {
                Path file = FilePaths.throughLinks(files.get(i));
                if (recorded != null && !isAsRecorded(operations.metadata(file), recorded)) {
                    operations.restoreMetadata(file, recorded);
                }
            } catch (IOException refused) {
                LOG.log(System.Logger.Level.WARNING, "mode, owner and times of {0} can''t be restored: {1}",
                        record.shownName(), Objects.toString(refused.getMessage()));
            }
        }
    }

    /** Compares all metadata except the time of the last status change, which can't be set. */
    private static boolean isAsRecorded(FileMetadata present, FileMetadata recorded) {
        return present.mode() == recorded.mode() && present.userId() == recorded.userId()
                && present.groupId() == recorded.groupId() && present.accessTime().equals(recorded.accessTime())
                && present.modificationTime().equals(recorded.modificationTime());
    }
}
