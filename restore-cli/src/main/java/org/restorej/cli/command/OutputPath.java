package org.restorej.cli.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks before a long run whether results can be written to the paths in options. */
public final class OutputPath {
    private OutputPath() {}

    /**
     * Checks a file.
     *
     * @param option its name
     * @param file as given, or null
     * @param errors receives error messages
     */
    public static void checkFile(String option, @Nullable Path file, List<String> errors) {
        if (file != null && !isWritableFile(file)) {
            errors.add(option + " must be a file that can be written: " + file);
        }
    }

    private static boolean isWritableFile(Path file) {
        if (Files.exists(file)) {
            return !Files.isDirectory(file) && Files.isWritable(file);
        }
        Path folder = file.toAbsolutePath().getParent();
        return folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
    }

    /**
     * Checks a directory, which is created if it doesn't exist.
     *
     * @param option its name
     * @param directory as given, or null
     * @param errors receives error messages
     */
    public static void checkDirectory(String option, @Nullable Path directory, List<String> errors) {
        if (directory != null && !canBeDirectory(directory)) {
            errors.add(option + " must be a directory that can be written: " + directory);
        }
    }

    /** Whether a path is a writable directory, or one that can be created. */
    public static boolean canBeDirectory(Path directory) {
        Path existing = directory.toAbsolutePath();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        return Files.isDirectory(existing) && Files.isWritable(existing);
    }
}
