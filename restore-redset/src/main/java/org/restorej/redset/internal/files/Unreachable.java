package org.restorej.redset.internal.files;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;

/**
 * Tells a file that is lost from one that only this process can't reach. What is lost is rebuilt and replaced; a file
 * behind a missing permission, or on a disk that doesn't answer, may be whole.
 */
public final class Unreachable {
    private Unreachable() {}

    /**
     * What is there under a name, links followed; empty when nothing is.
     *
     * @throws IOException when that can't be found out
     */
    public static Optional<BasicFileAttributes> attributes(Path path) throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, BasicFileAttributes.class));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failure) {
            throw explained(path, failure);
        }
    }

    /**
     * Goes on when a file that could not be read counts as damaged.
     *
     * @throws IOException when only a permission is missing
     */
    public static void requirePermission(IOException failure) throws IOException {
        if (failure instanceof AccessDeniedException denied) {
            throw explained(Path.of(denied.getFile()), failure);
        }
    }

    private static IOException explained(Path path, IOException failure) {
        String reason = failure instanceof AccessDeniedException
                ? "permission denied"
                : failure instanceof FileSystemException said && said.getReason() != null
                        ? said.getReason()
                        : Objects.toString(failure.getMessage());
        return new IOException(FilePaths.shown(path) + " can't be reached: " + reason, failure);
    }
}
