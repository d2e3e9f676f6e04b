package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedsetFileNames;

/**
 * Where the files of a member are.
 *
 * @param redundancy its redundancy file
 * @param descriptor its descriptor file
 * @param checksums our file of checksums
 * @param files its data files, in the order recorded
 */
public record MemberLocation(Path redundancy, Path descriptor, Path checksums, List<Path> files) {
    /** Copies the list. */
    public MemberLocation {
        files = List.copyOf(files);
    }

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
                Path.of(RedsetFileNames.descriptor(prefix, member.descriptor().worldRank())),
                Path.of(RedsetFileNames.checksums(prefix, member.descriptor())), files);
    }
}
