package org.restorej.cli.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.restorej.cli.plot.Picture;

/** A picture file that an option names. */
public final class PictureFile {
    private PictureFile() {}

    /**
     * Checks before a long computation whether a picture can be written.
     *
     * @param option its name
     * @param file as given, or null
     * @param errors receives error messages
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
