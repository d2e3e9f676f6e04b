package org.restorej.cli.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.cli.plot.Picture;

/** A file that an option asks a picture to be written to. */
public final class PictureFile {
    private PictureFile() {}

    /**
     * Finds out early whether a picture can be written, since what it shows may take long.
     *
     * @param option its name
     * @param file what was given, if anything
     * @param errors takes a message for each mistake
     */
    public static void check(String option, @Nullable Path file, List<String> errors) {
        if (file == null) {
            return;
        }
        try {
            Picture.isSvg(file);
            Picture.requireFonts();
        } catch (IllegalArgumentException | IllegalStateException refused) {
            errors.add(option + ": " + refused.getMessage());
        }
        OutputPath.checkFile(option, file, errors);
    }

    /** Writes a picture. */
    public static void write(String option, Path file, Picture picture) {
        try {
            picture.write(file);
        } catch (IOException unwritable) {
            throw new UnwritableFileException(option, file, unwritable);
        }
    }
}
