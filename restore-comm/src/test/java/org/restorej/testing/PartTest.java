package org.restorej.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;

class PartTest {
    private static final int PARTS = 4;
    private static final int NAMES = 1000;

    @Test
    void eachClassIsInExactlyOnePart() throws IOException {
        try (BufferedReader seconds = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(Part.class.getResourceAsStream("seconds.txt")), StandardCharsets.UTF_8))) {
            Stream.concat(seconds.lines().map(line -> line.substring(0, line.indexOf(' '))),
                    IntStream.range(0, NAMES).mapToObj(i -> "org.restorej.Some" + i + "Test"))
                    .flatMap(name -> Stream.of(name, name + "$Nested"))
                    .forEach(name -> assertEquals(1, IntStream.rangeClosed(1, PARTS)
                            .filter(number -> new Part(number, PARTS).contains(name)).count(), name));
        }
    }

    @Test
    void eachPartHasItsShareOfClassesOfUnknownTime() {
        for (int number = 1; number <= PARTS; number++) {
            Part part = new Part(number, PARTS);
            long contained = IntStream.range(0, NAMES)
                    .filter(i -> part.contains("org.restorej.Some" + i + "Test")).count();
            assertTrue(contained > NAMES / PARTS / 3, part + " has " + contained);
        }
    }

    @Test
    void theFilterIncludesClassesAndMethodsOfItsPartOnly() {
        int own = IntStream.rangeClosed(1, PARTS)
                .filter(number -> new Part(number, PARTS).contains(PartTest.class.getName())).findFirst().orElseThrow();
        TestSource method = MethodSource.from(PartTest.class.getName(), "method");
        for (TestSource source : List.of(ClassSource.from(PartTest.class), method)) {
            assertTrue(filterOf(own).apply(described(source)).included());
            assertTrue(filterOf(own % PARTS + 1).apply(described(source)).excluded());
        }
        assertTrue(filterOf(own % PARTS + 1).apply(new EngineDescriptor(UniqueId.forEngine("e"), "e")).included());
    }

    private static PartFilter filterOf(int number) {
        String before = System.getProperty(PartFilter.PROPERTY);
        System.setProperty(PartFilter.PROPERTY, number + "/" + PARTS);
        try {
            return new PartFilter();
        } finally {
            if (before == null) {
                System.clearProperty(PartFilter.PROPERTY);
            } else {
                System.setProperty(PartFilter.PROPERTY, before);
            }
        }
    }

    private static TestDescriptor described(TestSource source) {
        return new AbstractTestDescriptor(UniqueId.forEngine("e").append("class", "c"), "c", source) {
            @Override
            public Type getType() {
                return Type.CONTAINER;
            }
        };
    }
}
