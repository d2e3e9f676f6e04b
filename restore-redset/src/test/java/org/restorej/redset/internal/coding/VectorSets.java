package org.restorej.redset.internal.coding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.restorej.redset.Vectors;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.PathPolicy;
import org.restorej.redset.internal.format.FileMetadata;
import org.restorej.redset.internal.format.RankRecord.FileRecord;
import org.restorej.redset.internal.format.KvTreeBlock;
import org.restorej.redset.internal.format.RankRecord;
import org.restorej.redset.internal.format.RedsetFileNames;
import org.restorej.redset.internal.format.RedundancyHeader;
import org.restorej.redset.internal.format.SetDescription;

/** The sets of a vector, and copies of its files to work on. */
public final class VectorSets {
    private VectorSets() {}

    /** The sets as the original headers describe them: times of status changes can't be had otherwise. */
    public static List<SetDescription> sets(Vectors.Case vector) throws IOException {
        Map<Integer, TreeMap<Integer, RankRecord>> byGroup = new TreeMap<>();
        for (Path file : vector.encodedFiles()) {
            Optional<RedsetFileNames.Redundancy> name = RedsetFileNames
                    .parseRedundancy(String.valueOf(file.getFileName()));
            if (name.isPresent()) {
                RankRecord own = RedundancyHeader
                        .read(KvTreeBlock.decode(Files.readAllBytes(file)).tree(), name.get().rank()).own();
                byGroup.computeIfAbsent(own.descriptor().group(), group -> new TreeMap<>())
                        .put(own.descriptor().rank(), own);
            }
        }
        return byGroup.values().stream().map(records -> new SetDescription(List.copyOf(records.values()))).toList();
    }

    /** Where the files of a set are under a directory that is laid out as the vectors are. */
    public static List<MemberLocation> locations(SetDescription set, Path directory) throws IOException {
        List<MemberLocation> locations = new ArrayList<>();
        for (RankRecord member : set.members()) {
            locations.add(MemberLocation.of(directory.resolve("enc") + "/ckpt.", member, PathPolicy.within(directory)));
        }
        return locations;
    }

    /** Copies the data files and restores their recorded metadata. */
    public static void copyData(Vectors.Case vector, Path directory) throws IOException {
        Files.createDirectories(directory.resolve("enc"));
        for (SetDescription set : sets(vector)) {
            for (RankRecord member : set.members()) {
                for (FileRecord file : member.files()) {
                    Path target = directory.resolve(file.name()).normalize();
                    Files.createDirectories(target.resolveSibling("."));
                    Files.copy(vector.dataFile(file.name()), target);
                    restore(target, Objects.requireNonNull(file.metadata()));
                }
            }
        }
    }

    private static void restore(Path file, FileMetadata metadata) throws IOException {
        FileOperations.system().restoreMetadata(file, metadata);
    }

    /** All files under a directory with their content, by relative name. */
    public static Map<String, byte[]> snapshot(Path directory) throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(directory.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return contents;
    }
}
