package org.restorej.tools.markdown;

import java.nio.file.Path;

/**
 * A link or picture in a Markdown file.
 *
 * @param file the Markdown file
 * @param line its line, from 1
 * @param destination as it is written
 */
public record Reference(Path file, int line, String destination) {
    /** Whether it leads out of the project. */
    public boolean isExternal() {
        return destination.matches("[a-z][a-z0-9+.-]*:.*");
    }

    /** The path part, empty for a link within the file. */
    public String path() {
        int hash = destination.indexOf('#');
        return hash < 0 ? destination : destination.substring(0, hash);
    }

    /** The heading that is meant, empty for none. */
    public String anchor() {
        int hash = destination.indexOf('#');
        return hash < 0 ? "" : destination.substring(hash + 1);
    }
}
