package org.restorej.bench.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProgramTimesTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void readsWhatItHasWritten() throws IOException {
        Map<String, List<Double>> times = Map.of("submit", List.of(1.5, 1e-7), "submit/wire", List.of(3.0));
        Path file = folder.resolve("times.txt");
        ProgramTimes.write(file, times);
        assertEquals(times, ProgramTimes.read(file));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "submit 1;wholes 3ms | must have milliseconds after an operation's name: 'wholes 3ms'",
            "submit 1;share | must have a time for each call, but has none: 'share'"})
    void refusesWhatIsNotOfAProgram(String lines, String error) throws IOException {
        Path file = Files.writeString(folder.resolve("times.txt"), lines.replace(';', '\n'));
        IOException wrong = assertThrows(IOException.class, () -> ProgramTimes.read(file));
        assertEquals(file + " " + error, wrong.getMessage());
    }

    @Test
    void saysWhichFileIsMissing() {
        IOException unreadable = assertThrows(IOException.class,
                () -> ProgramTimes.read(folder.resolve("nowhere.txt")));
        assertTrue(String.valueOf(unreadable.getMessage()).contains("nowhere.txt"), unreadable::toString);
    }
}
