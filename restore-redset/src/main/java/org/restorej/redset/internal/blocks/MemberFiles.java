package org.restorej.redset.internal.blocks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.FilePaths;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.Timestamp;
import org.restorej.redset.internal.offline.DirectoryScan;
import org.restorej.redset.internal.sets.EncodingFacts;

/**
 * The files of redundancy sets that one process sees in some directories. Directories may have files of equal names
 * from different times: a node that was down during a save still has the files of an earlier one. Only files that don't
 * contradict one another can rebuild anything. Local, reads headers only.
 */
public final class MemberFiles {
    private static final System.Logger LOG = System.getLogger(MemberFiles.class.getName());
    private static final Comparator<DirectoryScan.FoundHeader> NEWEST_FIRST = Comparator
            .comparing(MemberFiles::written, Comparator.comparingLong(Timestamp::seconds)
                    .thenComparingInt(Timestamp::nanoseconds))
            .reversed();

    private final List<DirectoryScan.FoundHeader> headers;

    private MemberFiles(List<DirectoryScan.FoundHeader> headers) {
        this.headers = headers;
    }

    /** What there is; directories that are not there or that this process can't read have nothing. */
    public static MemberFiles in(FileOperations operations, Collection<Path> directories) {
        List<DirectoryScan.FoundHeader> headers = new ArrayList<>();
        for (Path directory : directories) {
            try {
                headers.addAll(DirectoryScan.of(operations, directory).headers());
            } catch (IOException | UncheckedIOException unreadable) {
                LOG.log(System.Logger.Level.WARNING, "{0} can''t be read: {1}", directory, unreadable.getMessage());
            }
        }
        return new MemberFiles(headers);
    }

    /** The sound headers. */
    List<DirectoryScan.FoundHeader> headers() {
        return headers;
    }

    /**
     * The redundancy files by encoding, the encoding with the newest data first. A file may be in several encodings.
     */
    Set<Set<Path>> encodings() {
        Map<String, List<DirectoryScan.FoundHeader>> bySet = new HashMap<>();
        headers.forEach(found -> bySet.computeIfAbsent(setOf(found), absent -> new ArrayList<>()).add(found));
        Set<Set<Path>> encodings = new LinkedHashSet<>();
        for (List<DirectoryScan.FoundHeader> ofOneSet : bySet.values()) {
            ofOneSet.sort(NEWEST_FIRST);
            List<EncodingFacts> facts = ofOneSet.stream()
                    .map(found -> EncodingFacts.ofHeader(found.header(), found.path())).toList();
            for (BitSet group : EncodingFacts.groups(facts)) {
                encodings.add(group.stream().mapToObj(index -> ofOneSet.get(index).path())
                        .collect(Collectors.toCollection(LinkedHashSet::new)));
            }
        }
        return encodings;
    }

    /**
     * When the files that a redundancy file protects were written: a rebuild of the redundancy changes its own times.
     */
    private static Timestamp written(DirectoryScan.FoundHeader found) {
        List<FileRecord> files = found.header().own().files();
        FileMetadata metadata = files.isEmpty() ? null : files.getFirst().metadata();
        return metadata == null ? new Timestamp(0, 0) : metadata.modificationTime();
    }

    private static String setOf(DirectoryScan.FoundHeader found) {
        return found.header().own().descriptor().setName();
    }

    /** Where a data file is if it lies beside its member's redundancy file, as those with blocks do. */
    static Path beside(Path redundancy, FileRecord file) {
        return redundancy.resolveSibling(Objects.requireNonNull(FilePaths.of(file.name()).getFileName()));
    }
}
