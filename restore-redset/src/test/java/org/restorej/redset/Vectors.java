package org.restorej.redset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Files that redset 0.4.0 wrote, with a description of each case. */
public final class Vectors {
    private Vectors() {}

    /** One case: files of some ranks in {@code data}, and what redset made of them in {@code enc}. */
    public record Case(Path directory, JsonNode manifest) {
        /** Redundancy and descriptor files. */
        public List<Path> encodedFiles() {
            try (Stream<Path> files = Files.list(directory.resolve("enc"))) {
                return files.sorted().toList();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        @Override
        public String toString() {
            return String.valueOf(directory.getFileName());
        }
    }

    /** All cases. */
    public static List<Case> all() {
        try (Stream<Path> cases = Files.list(root())) {
            return cases.sorted().map(Vectors::read).toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The case of a name. */
    public static Case named(String name) {
        return read(root().resolve(name));
    }

    private static Case read(Path directory) {
        try {
            return new Case(directory, new ObjectMapper().readTree(directory.resolve("manifest.json").toFile()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static Path root() {
        try {
            return Path.of(Objects.requireNonNull(Vectors.class.getResource("/redset-vectors"), "vectors").toURI());
        } catch (URISyntaxException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
