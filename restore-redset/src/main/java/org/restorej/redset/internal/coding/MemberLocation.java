package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedsetFileNames;

/**
 * Where the files of a member are.
 *
 * @param redundancy its redundancy file
 * @param small what is beside it, empty for SCR's own files
 * @param files its data files, in the order recorded
 */
public record MemberLocation(Path redundancy, Optional<Small> small, List<Path> files) {
    /** Copies the list. */
    public MemberLocation {
        files = List.copyOf(files);
    }

    /**
     * What is beside a redundancy file of redset.
     *
     * @param descriptor descriptor file
     * @param checksums our file of checksums
     */
    public record Small(Path descriptor, Path checksums) {}

    /**
     * The standard names.
     *
     * @param prefix what the names of redundancy files begin with, directory included
     * @param member the member
     * @param policy where its data files may be
     * @throws IOException when a file name leads elsewhere
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

    /** The descriptor file; for redset's files only. */
    public Path descriptor() {
        return small.orElseThrow().descriptor();
    }

    /** Our file of checksums; for redset's files only. */
    public Path checksums() {
        return small.orElseThrow().checksums();
    }
}
