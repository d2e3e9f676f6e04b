package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Lists directories. Unlike {@link Files#list}, throws an {@link IOException} if a disk fails during the listing. */
public final class DirectoryEntries {
    private DirectoryEntries() {}

    /**
     * All entries in order of their names; empty if the directory doesn't exist.
     *
     * @throws IOException also if a permission is missing
     */
    public static List<Path> of(Path directory) throws IOException {
        if (Unreachable.attributes(directory).filter(BasicFileAttributes::isDirectory).isEmpty()) {
            return List.of();
        }
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            return sorted(stream);
        } catch (AccessDeniedException denied) {
            Unreachable.requirePermission(denied);
            throw denied;
        }
    }

    /** The reason why a directory can't be listed; empty if it can be, or doesn't exist. */
    public static Optional<String> obstacle(Path directory) {
        try {
            of(directory);
            return Optional.empty();
        } catch (IOException unreadable) {
            return Optional.of(Unreachable.explained(directory, unreadable));
        }
    }

    /** The names of all entries, without their directory. */
    public static List<String> namesOf(Path directory) throws IOException {
        return of(directory).stream().map(path -> String.valueOf(path.getFileName())).toList();
    }

    /** Deletes a directory and everything in it, if it exists. Other processes may do so at the same time. */
    public static void deleteTree(Path root) throws IOException {
        // Never the files behind a link.
        if (Files.isDirectory(root, LinkOption.NOFOLLOW_LINKS)) {
            deleteFiles(root);
            try {
                for (Path entry : of(root)) {
                    deleteTree(entry);
                }
            } catch (NoSuchFileException gone) {
                // By another process.
            }
        }
        Files.deleteIfExists(root);
    }

    /** Deletes the files of a directory, each by one call to the system. What can't be deleted so is left. */
    private static void deleteFiles(Path directory) {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory)) {
            if (stream instanceof SecureDirectoryStream<Path> opened) {
                for (Path entry : opened) {
                    opened.deleteFile(entry.getFileName());
                }
            }
        } catch (IOException | DirectoryIteratorException left) {
            // A directory, or deleted by another process: the caller looks at what is left.
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
