package org.restorej.redset.internal.offline;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.restorej.redset.Vectors;
import org.restorej.redset.internal.coding.MemberLocation;
import org.restorej.redset.internal.coding.VectorSets;
import org.restorej.redset.internal.files.PathPolicy;

/**
 * Files of a vector as those of a job on four nodes: what protects rank {@code r} is in {@code node<r>}.
 *
 * @param base where data files are
 * @param data of each rank
 */
public record NodesOfVector(Path base, List<List<Path>> data) {
    private static final int RANKS = 4;

    /** Copies a vector to a folder. */
    public static NodesOfVector of(Path base, String vector) throws IOException {
        Vectors.named(vector).copyTo(base);
        List<List<Path>> data = new ArrayList<>();
        SetInspection set = OneDirectory.redset(base.resolve("enc"), PathPolicy.within(base)).inspect().sets()
                .getFirst();
        for (int rank = 0; rank < RANKS; rank++) {
            MemberLocation location = set.member(rank).location();
            Path node = Files.createDirectory(base.resolve("node" + rank));
            for (Path file : List.of(location.redundancy(), location.descriptor())) {
                Files.move(file, node.resolve(file.getFileName()));
            }
            data.add(location.files());
        }
        return new NodesOfVector(base, data);
    }

    /** The directory of a rank. */
    public Path node(int rank) {
        return base.resolve("node" + rank);
    }

    /** The redundancy file of a rank. */
    public Path redundancy(int rank) throws IOException {
        try (Stream<Path> files = Files.list(node(rank))) {
            return files.filter(file -> file.toString().matches(".*mem_.*\\.redset")).findFirst().orElseThrow();
        }
    }

    /** Deletes all that a rank has, but for its directory. */
    public void lose(int rank) throws IOException {
        for (Path file : data.get(rank)) {
            Files.deleteIfExists(file);
        }
        try (Stream<Path> files = Files.list(node(rank))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    /** All files with their content, by relative name. */
    public Map<String, byte[]> content() throws IOException {
        return VectorSets.snapshot(base);
    }

    /** Fails unless these files are there and no others. */
    public void requireContent(Map<String, byte[]> expected, boolean withChecksums) throws IOException {
        Map<String, byte[]> now = content();
        now.keySet().removeIf(name -> !withChecksums && name.endsWith(".checksums"));
        assertEquals(expected.keySet(), now.keySet());
        expected.forEach((name, bytes) -> assertArrayEquals(bytes, now.get(name), name));
    }
}
