package org.restorej.cli.plot;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How a picture is written. */
public enum PictureFormat {
    /** Lines and text, sharp at any size. */
    SVG,
    /** Pixels, two by two for each of the picture's units. */
    PNG;

    /**
     * The format that the end of a file's name tells, in upper or lower case.
     *
     * @throws PictureException when it tells none
     */
    public static PictureFormat of(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return Arrays.stream(values()).filter(format -> name.endsWith(format.extension())).findFirst()
                .orElseThrow(() -> new PictureException("a picture's name must end in "
                        + Arrays.stream(values()).map(PictureFormat::extension).collect(Collectors.joining(" or "))
                        + ": " + file));
    }

    private String extension() {
        return "." + name().toLowerCase(Locale.ROOT);
    }
}
