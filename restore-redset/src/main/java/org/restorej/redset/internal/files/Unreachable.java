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
import org.restorej.redset.internal.format.FileName;
import org.restorej.redset.internal.format.FormatException;

/**
 * Distinguishes a lost file from one that this process can't read, and says which directory it can't write to. A lost
 * file is rebuilt and replaced. A file without read permission, or on a disk that doesn't respond, may be intact.
 */
public final class Unreachable {
    private Unreachable() {}

    /**
     * The attributes of a file, with links followed; empty if it doesn't exist.
     *
     * @throws IOException if that can't be determined
     */
    public static Optional<BasicFileAttributes> attributes(Path path) throws IOException {
        try {
            return Optional.of(Files.readAttributes(path, BasicFileAttributes.class));
        } catch (NoSuchFileException absent) {
            return Optional.empty();
        } catch (IOException failure) {
            throw new IOException(explained(path, failure), failure);
        }
    }

    /**
     * Returns if a file that could not be read counts as damaged.
     *
     * @throws IOException if only a permission is missing
     */
    public static void requirePermission(IOException failure) throws IOException {
        if (failure instanceof AccessDeniedException denied) {
            // As text: not every name can be made a path again in every locale.
            throw new IOException(explained(FileName.shown(denied.getFile()), failure), failure);
        }
    }

    /** Whether a file that could not be read may be intact: it is there, and its content was not seen to be damaged. */
    public static boolean mayBeIntact(Path path, IOException failure) {
        try {
            return !(failure instanceof FormatException)
                    && attributes(path).filter(BasicFileAttributes::isRegularFile).isPresent();
        } catch (IOException unknown) {
            return true;
        }
    }

    /** A message with the path and the reason, which the messages of most exceptions lack. */
    static String explained(Path path, IOException failure) {
        return explained(FilePaths.shown(path), failure);
    }

    private static String explained(String shown, IOException failure) {
        return failure.getCause() instanceof IOException explained
                ? explained(shown, explained)
                : shown + " can't be reached: " + reason(failure);
    }

    /** The reason of a failure, without the path. */
    public static String reason(IOException failure) {
        return switch (failure) {
            case AccessDeniedException denied -> "permission denied";
            case NoSuchFileException absent -> "it is gone";
            case FileSystemException said when said.getReason() != null -> said.getReason();
            default -> Objects.toString(failure.getMessage());
        };
    }

    /** A failure to create a file under a temporary name, which tells the directory instead of that name. */
    static IOException unwritable(Path directory, FileSystemException failure) {
        return new IOException(FilePaths.shown(directory) + " can't be written to: " + reason(failure),
                failure);
    }
}
