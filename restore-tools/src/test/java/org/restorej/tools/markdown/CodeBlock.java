package org.restorej.tools.markdown;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A fenced block of code.
 *
 * @param file the Markdown file
 * @param line line of the block's first line of code, from 1
 * @param language the word after the fence, or empty
 * @param text the code, with a line break at its end
 * @param directives what comments right before the block say of it: {@code <!-- needs: cluster -->} is the value
 *        {@code cluster} under the key {@code needs}
 */
public record CodeBlock(Path file, int line, String language, String text, Map<String, String> directives) {
    /** Copies the directives. */
    public CodeBlock {
        directives = Map.copyOf(directives);
    }

    /** What the comments say under a key. */
    public Optional<String> directive(String key) {
        return Optional.ofNullable(directives.get(key));
    }

    /** Where it is, as compilers write it. */
    public String place() {
        return file + ":" + line;
    }
}
