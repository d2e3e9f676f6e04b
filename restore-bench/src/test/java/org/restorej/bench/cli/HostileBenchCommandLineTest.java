package org.restorej.bench.cli;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.restorej.cli.testing.HostileCommandLines;

class HostileBenchCommandLineTest extends HostileCommandLines {
    @ParameterizedTest
    @ValueSource(strings = {"bench --no-jvm --iterations"})
    void numbersHaveTheDigits0To9(String beginning) {
        assertWantsANumber(beginning);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bench --no-jvm --out",
            "bench --no-jvm --compare",
            "bench --no-jvm --results",
            "bench --no-jvm --directory"})
    void pathsHaveACharacterAndNoNul(String beginning) {
        assertWantsAPath(beginning);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"bench --no-jvm --bytes 999999999999GiB | --bytes must be at most",
            "bench --no-jvm --only NOTHING | --only must not be empty",
            "bench --no-jvm --out FILE/x | --out must be a directory"})
    void refusesWhatCantBeMeantInOneLine(String line, String message) {
        assertRefusedFor(line, message);
    }
}
