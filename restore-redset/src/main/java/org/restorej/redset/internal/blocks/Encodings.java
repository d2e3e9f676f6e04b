package org.restorej.redset.internal.blocks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.format.Descriptor;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.FileRecord;
import org.restorej.redset.internal.format.Timestamp;
import org.restorej.redset.internal.offline.DirectoryScan;
import org.restorej.redset.internal.sets.EncodingFacts;

/**
 * Groups the redundancy files of several directories by encoding. Directories may have files of equal names from
 * different times: a node that was down during a save still has the files of an earlier one. Only files that don't
 * contradict one another can rebuild anything. Local.
 */
final class Encodings {
    private static final System.Logger LOG = System.getLogger(Encodings.class.getName());
    private static final Comparator<DirectoryScan.FoundHeader> NEWEST_FIRST = Comparator
            .comparing(Encodings::written, Comparator.comparingLong(Timestamp::seconds)
                    .thenComparingInt(Timestamp::nanoseconds))
            .reversed();

    private Encodings() {}

    /**
     * The redundancy files by encoding, the encoding with the newest data first. A file may be in several encodings.
     */
    static Set<Set<Path>> of(FileOperations operations, Collection<Path> directories) {
        Map<Descriptor, List<DirectoryScan.FoundHeader>> bySet = new HashMap<>();
        for (Path directory : directories) {
            for (DirectoryScan.FoundHeader header : headersIn(operations, directory)) {
                bySet.computeIfAbsent(header.header().own().descriptor().ofMember(0, 0), absent -> new ArrayList<>())
                        .add(header);
            }
        }
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

    /** The sound headers in a directory; none when it isn't there or can't be read. */
    static List<DirectoryScan.FoundHeader> headersIn(FileOperations operations, Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try {
            return DirectoryScan.of(operations, directory).headers();
        } catch (IOException | UncheckedIOException unreadable) {
            LOG.log(System.Logger.Level.WARNING, "{0} can''t be read: {1}", directory, unreadable.getMessage());
            return List.of();
        }
    }

    /**
     * When the files that a redundancy file protects were written: a rebuild of the redundancy changes its own times.
     */
    private static Timestamp written(DirectoryScan.FoundHeader found) {
        List<FileRecord> files = found.header().own().files();
        FileMetadata metadata = files.isEmpty() ? null : files.getFirst().metadata();
        return metadata == null ? new Timestamp(0, 0) : metadata.modificationTime();
    }
}
