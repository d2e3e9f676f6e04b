package org.restorej.bench.mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.restorej.bench.result.Measurement;

class CppLifeTest {
    @TempDir
    private Path folder = Path.of("");

    private List<Measurement> read(String text) throws IOException {
        Path times = Files.writeString(folder.resolve("times.txt"), text);
        return CppLife.read(times, 4, 1024).measurements();
    }

    @Test
    void tellsFirstEarlyAndLaterCallsApart() throws IOException {
        String later = String.join(" ", Collections.nCopies(19, "2.5")) + " 1.5 1.25";
        List<Measurement> measurements = read("submit 300 " + later + "\nshare 12.5\nwholes 50 40\n");
        assertEquals(
                List.of("submit 1 [300.0]", "submit 2 to 20 " + Collections.nCopies(19, 2.5),
                        "submit later [1.5, 1.25]", "share 1 [12.5]", "wholes 1 [50.0]", "wholes 2 to 20 [40.0]",
                        "recovery 1 [12.5]"),
                measurements.stream().map(each -> each.key().shortName().replace("JobLife.", "") + " "
                        + each.key().param(JobLife.CALLS) + " " + each.samples()).toList());
        for (Measurement each : measurements) {
            assertEquals(Map.of("pes", "4", "bytes", "1024", "method", "C++ ReStore", "calls",
                    each.key().param(JobLife.CALLS)), each.key().params());
            assertEquals("ms/op", each.unit());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', value = {
            "submit 1;share 2;wholes 3ms | must have milliseconds after an operation's name: 'wholes 3ms'",
            "submit 1;share;wholes 3 | must have a time for each call, but has none: 'share'",
            "submit 1;share 2 | must have a line for each of [submit, share, wholes], but has [submit, share]"})
    void refusesWhatIsNotOfTheProgram(String lines, String error) {
        IOException wrong = assertThrows(IOException.class, () -> read(lines.replace(';', '\n')));
        assertEquals(folder.resolve("times.txt") + " " + error, wrong.getMessage());
    }

    @Test
    void saysWhichFileIsMissing() {
        Path missing = folder.resolve("nowhere.txt");
        IOException unreadable = assertThrows(IOException.class,
                () -> CppLife.read(missing, 4, 1024));
        assertTrue(String.valueOf(unreadable.getMessage()).contains("nowhere.txt"), unreadable::toString);
    }
}
