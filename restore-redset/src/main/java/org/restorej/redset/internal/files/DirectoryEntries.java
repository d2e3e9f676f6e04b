package org.restorej.redset.internal.files;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What is in a directory. Unlike {@link Files#list}, a disk that fails in the middle is an {@link IOException}. */
public final class DirectoryEntries {
    private DirectoryEntries() {}

    /** All entries in order of their names; none when there is no such directory. */
    public static List<Path> of(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            return sorted(stream);
        }
    }

    /** The names of all entries, without their directory. */
    public static List<String> namesOf(Path directory) throws IOException {
        return of(directory).stream().map(path -> String.valueOf(path.getFileName())).toList();
    }

    /** Deletes a directory and everything in it. */
    public static void deleteTree(Path root) throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(root)) {
            all = files.sorted(Comparator.reverseOrder()).toList();
        } catch (UncheckedIOException failure) {
            throw Objects.requireNonNull(failure.getCause());
        }
        for (Path file : all) {
            Files.delete(file);
        }
    }

    static List<Path> sorted(Iterable<Path> entries) throws IOException {
        List<Path> all = new ArrayList<>();
        try {
            entries.forEach(all::add);
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
        all.sort(null);
        return List.copyOf(all);
    }
}
