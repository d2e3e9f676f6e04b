package org.restorej.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.restorej.testing.Part;
import org.restorej.testing.PartFilter;
import org.restorej.testing.ProjectFolder;

/** The parts of a deep run, for the tests of all modules. */
class PartsOfAllModulesTest {
    private static final String SOURCES = "src/test/java";

    private static List<Path> modules() throws IOException {
        try (Stream<Path> folders = Files.list(ProjectFolder.root())) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve(SOURCES))).sorted().toList();
        }
    }

    private static Stream<Path> sourcesOf(Path module) {
        try (Stream<Path> files = Files.walk(module.resolve(SOURCES))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> classesOfTests() throws IOException {
        return modules().stream().flatMap(module -> sourcesOf(module)
                .map(file -> module.resolve(SOURCES).relativize(file).toString().replace('/', '.')))
                .filter(name -> name.matches(".*(Test|IT)\\.java")).map(name -> name.replaceFirst("\\.java$", ""))
                .toList();
    }

    @Test
    void classesThatAreKnownToTakeLongExist() throws IOException {
        List<String> classes = classesOfTests();
        assertEquals(List.of(), Part.longClasses().stream().map(Part.LongClass::name)
                .filter(name -> !classes.contains(name)).toList(), "seconds.txt");
    }

    /** Surefire and failsafe start a launcher, which looks for services on the class path of the module. */
    @Test
    void everyModuleHasTheFilterOfParts() throws IOException {
        assertTrue(ServiceLoader.load(PostDiscoveryFilter.class).stream()
                .anyMatch(filter -> filter.type().equals(PartFilter.class)));
        Pattern tests = Pattern.compile("<artifactId>restore-comm</artifactId>\\s*<type>test-jar</type>");
        for (Path module : modules()) {
            assertTrue(module.endsWith("restore-comm")
                    || tests.matcher(Files.readString(module.resolve("pom.xml"))).find(), module::toString);
        }
    }
}
