package org.restorej.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PartTest {
    private static final int PARTS = 4;

    @Test
    void eachClassIsInExactlyOnePart() throws IOException {
        try (BufferedReader seconds = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(Part.class.getResourceAsStream("seconds.txt")), StandardCharsets.UTF_8))) {
            Stream.concat(seconds.lines().map(line -> line.substring(0, line.indexOf(' '))),
                    IntStream.range(0, 1000).mapToObj(i -> "org.restorej.Some" + i + "Test"))
                    .flatMap(name -> Stream.of(name, name + "$Nested"))
                    .forEach(name -> assertEquals(1, IntStream.rangeClosed(1, PARTS)
                            .filter(number -> new Part(number, PARTS).contains(name)).count(), name));
        }
    }
}
