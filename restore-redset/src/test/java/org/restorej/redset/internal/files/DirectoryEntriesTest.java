package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in a directory. */
class DirectoryEntriesTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void areSortedAndNoneWhereThereIsNoDirectory() throws IOException {
        for (String name : List.of("b", "c", "a")) {
            Files.createFile(folder.resolve(name));
        }
        assertEquals(List.of("a", "b", "c"), DirectoryEntries.namesOf(folder));
        assertEquals(List.of(), DirectoryEntries.of(folder.resolve("absent")));
        assertEquals(List.of(), DirectoryEntries.of(folder.resolve("a")));
    }

    @Test
    void aDiskThatFailsInTheMiddleIsACheckedException() {
        IOException failure = new IOException("Input/output error");
        Iterable<Path> entries = () -> {
            throw new DirectoryIteratorException(failure);
        };
        assertSame(failure, assertThrows(IOException.class, () -> DirectoryEntries.sorted(entries)));
    }
}
