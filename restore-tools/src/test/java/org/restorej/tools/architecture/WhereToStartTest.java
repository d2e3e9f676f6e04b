package org.restorej.tools.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.restorej.testing.ProjectFolder;

/**
 * Where the comment of a package says that a change starts, there is such a class: one of that package, or one that is
 * named with its package. Javadoc looks only at packages that are published.
 */
class WhereToStartTest {
    private static final Path ROOT = ProjectFolder.root();
    private static final String PACKAGES = "/org/restorej/";
    private static final Pattern CLASS = Pattern
            .compile("\\{@(?:code|link) (?:org\\.restorej\\.)?((?:[a-z]+\\.)*)([A-Z][A-Za-z]*)[A-Za-z.]*\\}");

    @Test
    void everyClassThatAChangeStartsAtExists() throws IOException {
        Set<String> classes = sources(name -> true).stream().map(WhereToStartTest::name).collect(Collectors.toSet());
        List<String> missing = new ArrayList<>();
        int named = 0;
        for (Path info : sources("package-info.java"::equals)) {
            String prefix = name(info).replaceFirst("package-info$", "");
            for (String paragraph : paragraphs(info)) {
                Matcher found = CLASS.matcher(paragraph);
                while (found.find()) {
                    named++;
                    String name = (found.group(1).isEmpty() ? prefix : found.group(1)) + found.group(2);
                    if (!classes.contains(name)) {
                        missing.add(prefix + ": " + name);
                    }
                }
            }
        }
        assertTrue(named > 150, "classes that are named: " + named);
        assertEquals(List.of(), missing);
    }

    /** Those paragraphs of a package's comment that begin with what somebody wants. */
    private static List<String> paragraphs(Path info) throws IOException {
        String comment = Files.readString(info).replaceFirst("(?s)\\*/.*", "").replaceAll("\\n \\* ?", " ");
        return Stream.of(comment.split("<p>")).map(String::strip)
                .filter(paragraph -> paragraph.startsWith("To change ") || paragraph.startsWith("To add ")).toList();
    }

    private static List<Path> sources(Predicate<String> which) throws IOException {
        try (Stream<Path> files = Files.find(ROOT, 20, (file, attributes) -> file.toString().endsWith(".java")
                && file.toString().contains("/src/") && file.toString().contains(PACKAGES)
                && which.test(file.getFileName().toString()))) {
            return files.toList();
        }
    }

    /** Package and class of a source file, without {@code org.restorej}. */
    private static String name(Path source) {
        String path = source.toString();
        return path.substring(path.indexOf(PACKAGES) + PACKAGES.length(), path.length() - ".java".length())
                .replace('/', '.');
    }
}
