package org.restorej.tools;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.testing.ProjectFolder;

/** The version is the same wherever Maven doesn't see to that. */
class VersionsTest {
    private static String text(String file) throws IOException {
        return Files.readString(ProjectFolder.root().resolve(file));
    }

    private static String version() throws IOException {
        Matcher version = Pattern.compile("<artifactId>restore-parent</artifactId>\\s*<version>([^<]+)</version>")
                .matcher(text("pom.xml"));
        assertTrue(version.find(), "pom.xml names its version");
        return version.group(1);
    }

    @ParameterizedTest
    @CsvSource({"restore-bom/pom.xml, <version>VERSION</version>",
            "examples/consumer/pom.xml, <version>VERSION</version>",
            "examples/consumer-kotlin/pom.xml, <version>VERSION</version>",
            "examples/consumer-scala/pom.xml, <version>VERSION</version>",
            "CITATION.cff, 'version: VERSION\n'"})
    void isThatOfTheParent(String file, String line) throws IOException {
        String expected = line.replace("VERSION", version());
        assertTrue(text(file).contains(expected), () -> file + " must have: " + expected);
    }

    @Test
    void hasAnEntryInTheChanges() throws IOException {
        String released = version().replace("-SNAPSHOT", "");
        assertTrue(text("CHANGELOG.md").contains("\n## " + released),
                () -> "CHANGELOG.md must have a part: " + released);
    }
}
