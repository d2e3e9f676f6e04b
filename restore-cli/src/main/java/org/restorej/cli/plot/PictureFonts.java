package org.restorej.cli.plot;

import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.awt.font.TextLayout;

/**
 * The fonts of pictures: the system's sans-serif ones, so that an SVG shows them wherever it is looked at. Java finds
 * fonts by fontconfig, which small systems lack; drawing fails there with errors that say nothing to users.
 */
public final class PictureFonts {
    private static final String MEND = "install them (on Debian and Ubuntu: apt-get install fontconfig "
            + "fonts-dejavu-core)";

    static {
        // Before the first class of AWT asks: nothing here is for a screen.
        if (System.getProperty("java.awt.headless") == null) {
            System.setProperty("java.awt.headless", "true");
        }
    }

    private PictureFonts() {}

    /**
     * Checks that text can be drawn; takes some tenths of a second the first time.
     *
     * @throws PictureException when it can't; the message names what to install
     */
    public static void require() {
        try {
            new TextLayout("PE", plain(12), new FontRenderContext(null, true, true)).getBounds();
        } catch (LinkageError | InternalError | RuntimeException unusable) {
            throw new PictureException("this system has no fonts that Java could draw text with: " + MEND, unusable);
        }
    }

    /** A font of some size, in the picture's units. */
    public static Font plain(int size) {
        return new Font(Font.SANS_SERIF, Font.PLAIN, size);
    }

    /** As {@link #plain}, heavier. */
    public static Font bold(int size) {
        return new Font(Font.SANS_SERIF, Font.BOLD, size);
    }
}
