package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.Descriptor;
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
        PathPolicy.Resolver resolver = policy.new Resolver();
        for (FileRecord file : member.files()) {
            files.add(resolver.resolve(file.name()));
        }
        return of(prefix, member.descriptor(), files);
    }

    /** As {@link #of(String, RankRecord, PathPolicy)}, with data files that are known. */
    public static MemberLocation of(String prefix, Descriptor place, List<Path> files) {
        return new MemberLocation(Path.of(RedsetFileNames.redundancy(prefix, place)),
                Optional.of(new Small(Path.of(RedsetFileNames.descriptor(prefix, place.worldRank())),
                        Path.of(RedsetFileNames.checksums(prefix, place)))),
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
}
