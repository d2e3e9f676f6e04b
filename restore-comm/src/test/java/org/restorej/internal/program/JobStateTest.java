package org.restorej.internal.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
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

    @Test
    void aLaterStartFindsTheLastNoteUnderEachKey() {
        String file = folder.resolve("state").toString();
        assertEquals(OptionalLong.empty(), JobState.noted(file, "/some folder/job: a"));
        JobState.note(file, "/some folder/job: a", 3);
        JobState.note(file, "b", Long.MAX_VALUE);
        JobState.note(file, "/some folder/job: a", -1);
        assertEquals(OptionalLong.of(-1), JobState.noted(file, "/some folder/job: a"));
        assertEquals(OptionalLong.of(Long.MAX_VALUE), JobState.noted(file, "b"));
        assertEquals(OptionalLong.empty(), JobState.noted(file, "c"));
    }

    @Test
    void withoutALauncherNothingIsNoted() {
        JobState.note(null, "a", 1);
        JobState.note(folder.resolve("absent/state").toString(), "a", 1);
        assertEquals(OptionalLong.empty(), JobState.noted(null, "a"));
        assertEquals(OptionalLong.empty(), JobState.noted(folder.resolve("absent/state").toString(), "a"));
    }
}
