package org.restorej.redset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.restorej.testing.ProjectFolder;

/** Files that redset 0.4.0 wrote, with a description of each case. */
public final class Vectors {
    private Vectors() {}

    /**
     * One case: what redset made of the files of some ranks, in {@code enc}, and those files in {@code data} where they
     * are not those of most cases.
     */
    public record Case(Path directory, JsonNode manifest) {
        /** Redundancy and descriptor files. */
        public List<Path> encodedFiles() {
            try (Stream<Path> files = Files.list(directory.resolve("enc"))) {
                return files.sorted().toList();
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        /** A file of a rank, by the name that the manifest has. */
        public Path dataFile(String name) {
            Path own = directory.resolve(name).normalize();
            return Files.exists(own) ? own : folder("redset-data").resolve(own.getFileName());
        }

        /** Copies the files of all ranks and redset's own to where redset was run. */
        public void copyTo(Path target) throws IOException {
            Files.createDirectories(target.resolve("data"));
            for (JsonNode rank : manifest.get("ranks")) {
                for (JsonNode file : rank.get("files")) {
                    String name = file.get("name").asText();
                    Files.copy(dataFile(name), target.resolve(name));
                }
            }
            Files.createDirectories(target.resolve("enc"));
            for (Path file : encodedFiles()) {
                Files.copy(file, target.resolve("enc").resolve(file.getFileName()));
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
        return folder("redset-vectors");
    }

    /** Not as a resource: the tests of other modules may have the classes of these in a jar. */
    private static Path folder(String name) {
        return ProjectFolder.root().resolve("restore-redset/src/test/resources").resolve(name);
    }
}
