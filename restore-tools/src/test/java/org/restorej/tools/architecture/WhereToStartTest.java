package org.restorej.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.restorej.testing.ProjectFolder;

/** Where ARCHITECTURE.md says that a change starts, there is such a class. */
class WhereToStartTest {
    private static final Path ROOT = ProjectFolder.root();
    private static final Pattern ROW = Pattern.compile("\\| (.+) \\| (?:`([a-z.]+)`)? ?\\| (.*) \\|");
    private static final Pattern CLASS = Pattern.compile("`([A-Z][A-Za-z]+)");

    @Test
    void theFirstClassOfEachRowIsInThePackageOfTheRow() throws IOException {
        Set<String> classes = classes();
        List<String> missing = new ArrayList<>();
        int rows = 0;
        for (String line : section()) {
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                Matcher first = CLASS.matcher(row.group(3));
                if (first.find()) {
                    rows++;
                    String name = (row.group(2) == null ? "" : row.group(2) + ".") + first.group(1);
                    if (!classes.contains(name)) {
                        missing.add(row.group(1) + ": " + name);
                    }
                }
            }
        }
        assertTrue(rows > 30, "rows with a class: " + rows);
        assertEquals(List.of(), missing);
    }

    private static List<String> section() throws IOException {
        List<String> lines = Files.readAllLines(ROOT.resolve("ARCHITECTURE.md"));
        return lines.subList(lines.indexOf("## Where to start for a change"), lines.size());
    }

    /** Names of all classes of all modules, without {@code org.restorej}. */
    private static Set<String> classes() throws IOException {
        try (Stream<Path> files = Files.find(ROOT, 20,
                (file, attributes) -> file.toString().endsWith(".java") && file.toString().contains("/src/"))) {
            return files.map(Path::toString).filter(file -> file.contains("/org/restorej/"))
                    .map(file -> file.substring(file.indexOf("/org/restorej/") + "/org/restorej/".length(),
                            file.length() - ".java".length()).replace('/', '.'))
                    .collect(Collectors.toSet());
        }
    }
}
