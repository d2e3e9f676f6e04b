package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.restorej.redset.internal.coding.VectorSets;

/** A directory of one rank, which stands for its local disk. Gone when it is closed. */
public final class RankDirectory implements AutoCloseable {
    private final Path path;

    /** Creates an empty one in the folder for temporary files. */
    public RankDirectory() {
        try {
            path = Files.createTempDirectory("redset-rank");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    /** Writes a file, and the folders that its name has. */
    public Path write(String name, byte[] content) {
        try {
            Path file = path.resolve(name);
            Files.createDirectories(file.resolveSibling("."));
            return Files.write(file, content);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** All files with their content, by relative name. */
    public Map<String, byte[]> snapshot() {
        try {
            return Files.exists(path) ? VectorSets.snapshot(path) : new TreeMap<>();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Loses everything, the directory too. */
    void lose() {
        if (!Files.exists(path)) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                // Another rank may take and release a lock here at the same time.
                Files.deleteIfExists(file);
            }
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Makes it as it was. */
    public void restore(Map<String, byte[]> snapshot) {
        snapshot().keySet().stream().filter(name -> !snapshot.containsKey(name)).forEach(this::delete);
        snapshot.forEach(this::write);
    }

    /** Deletes a file if it is there. */
    public void delete(String name) {
        try {
            Files.deleteIfExists(path.resolve(name));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Flips a bit of a file. */
    void flip(String name, int bit) {
        byte[] content = Objects.requireNonNull(snapshot().get(name), name);
        content[bit / 8] ^= (byte) (1 << bit % 8);
        write(name, content);
    }

    /** Throws unless exactly these files are there, and what failed attempts or the next one to write over may leave. */
    public void require(Map<String, byte[]> before, String when) {
        Map<String, byte[]> now = snapshot();
        Map<String, byte[]> expected = new TreeMap<>(before);
        Stream.of(now, expected).forEach(files -> files.keySet().removeIf(name -> name.contains(".restorej-")));
        equal(expected.keySet(), now.keySet(), "files " + when);
        expected.forEach((name, content) -> holds(Arrays.equals(content, now.get(name)), name + " is right " + when));
    }

    @Override
    public void close() {
        lose();
    }
}
