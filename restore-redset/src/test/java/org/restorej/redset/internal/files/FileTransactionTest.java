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
            assertEquals(1, parts().stream().filter(name -> name.endsWith(PendingFile.EXTENSION)).count());
        }
        assertEquals(List.of(), DirectoryEntries.of(directory));
    }

    private List<String> parts() throws IOException {
        return DirectoryEntries.namesOf(directory).stream().filter(name -> name.startsWith(".")).toList();
    }

    @Test
    void whatAKilledProcessWasWritingIsRemovedAndWhatALivingOneWritesStays() throws Exception {
        Process writer = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), Writer.class.getName(),
                directory.toString()).redirectErrorStream(true).start();
        try {
            assertEquals(Writer.WRITING, writer.inputReader().readLine());
            List<String> written = parts();
            assertEquals(3, written.size(), "two files and a lock: " + written);
            try (FileTransaction other = new FileTransaction(FileOperations.system())) {
                other.create(directory.resolve("other"));
                assertTrue(parts().containsAll(written), "those of a process that lives");
            }
            assertEquals(written, parts());
        } finally {
            writer.destroyForcibly().waitFor();
        }
        assertEquals(3, parts().size());
        try (FileTransaction other = new FileTransaction(FileOperations.system())) {
            other.create(directory.resolve("other"));
            assertEquals(2, parts().size(), "one file and a lock");
        }
        assertEquals(List.of(), parts());
    }

    /** Writes files, and never publishes them. */
    public static final class Writer {
        static final String WRITING = "writing";

        private Writer() {}

        /** Waits until it is killed. */
        public static void main(String[] arguments) throws Exception {
            try (FileTransaction transaction = new FileTransaction(FileOperations.system())) {
                for (String name : List.of("one", "two")) {
                    transaction.create(Path.of(arguments[0], name)).write(0, new byte[100]);
                }
                System.out.println(WRITING);
                Thread.sleep(Long.MAX_VALUE);
            }
        }
    }
}
