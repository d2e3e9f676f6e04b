package org.restorej.internal.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.restorej.internal.program.JobState.End;

/** What a launcher is told of the end of a job. */
class JobStateTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void theLastLineCounts() throws IOException {
        Path file = folder.resolve("state");
        JobState.write(file.toString(), End.EXCEPTION, 7);
        JobState.write(file.toString(), End.LOST, 120);
        assertEquals("lost 120\n", Files.readString(file));
    }

    @Test
    void aFileThatCannotBeWrittenEndsNothing() {
        Path absent = folder.resolve("absent/state");
        JobState.write(absent.toString(), End.STOPPED, 1);
        JobState.write(null, End.STOPPED, 1);
        assertFalse(Files.exists(absent));
    }
}
