package org.restorej.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.local.PeOutcome;

/** The README's program is the one that is compiled here, and does what the README says. */
class ReadmeTest {
    private static final Path PROGRAM = Path.of("src/test/java/org/restorej/readme/Quickstart.java");
    private static final Path README = Path.of("../README.md");

    @Test
    void showsTheProgramThatIsCompiled() throws IOException {
        String program = Files.readString(PROGRAM);
        String shown = program.substring(program.indexOf("public class Quickstart"));
        String readme = Files.readString(README);
        int start = readme.indexOf("```java\n") + "```java\n".length();
        assertEquals(shown, readme.substring(start, readme.indexOf("```", start)));
    }

    @Test
    void theProgramFinishesWithoutOneOfItsPes() throws IOException {
        List<Double> sums = LocalCluster.run(8, Quickstart::run);
        double expected = Quickstart.NUMBERS * (Quickstart.NUMBERS - 1.0) / 2;
        assertEquals(7, sums.size());
        assertTrue(sums.stream().allMatch(sum -> sum == expected), () -> expected + " expected: " + sums);
        String output = "7 PEs are left, and the sum is " + expected;
        assertTrue(Files.readString(README).contains(output), () -> "the README shows the output: " + output);
    }

    @Test
    void theProgramRunsOnShrunkAndDuplicatedCommunicators() {
        double expected = Quickstart.NUMBERS * (Quickstart.NUMBERS - 1.0) / 2;
        for (int dead : new int[]{0, 4, 8}) {
            List<Double> sums;
            try (LocalCluster cluster = LocalCluster.builder(9).build()) {
                sums = PeOutcome.values(cluster.run(world -> {
                    FailureSimulation.of(world).fail(dead);
                    world.revoke();
                    return Quickstart.run(world.shrink());
                }));
            }
            assertEquals(Collections.nCopies(7, expected), sums, "after the death of PE " + dead);
        }
        assertEquals(Collections.nCopies(7, expected), LocalCluster.run(8, world -> Quickstart.run(world.duplicate())));
    }
}
