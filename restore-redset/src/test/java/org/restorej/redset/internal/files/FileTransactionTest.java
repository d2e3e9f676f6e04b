package org.restorej.redset.internal.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTransactionTest {
    /** After the creation of the directory and of the file. */
    private static final int DELETION = 2;

    @TempDir
    Path directory;

    @Test
    void removesAFileAtTheEndThatCouldNotBeDropped() throws IOException {
        FailingFileOperations failing = new FailingFileOperations(DELETION, false);
        try (FileTransaction transaction = new FileTransaction(failing)) {
            PendingFile file = transaction.create(directory.resolve("file"));
            assertThrows(IOException.class, () -> transaction.drop(file));
            assertTrue(failing.hasFailed());
            assertEquals(1, DirectoryEntries.of(directory).size());
        }
        assertEquals(List.of(), DirectoryEntries.of(directory));
    }
}
