package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.restorej.cli.testing.CommandHelpContract;
import org.restorej.cli.testing.CommandRun;
import org.restorej.demo.phylo.PhyloCommand;
import picocli.CommandLine.Command;

/** Help and examples of the demo. */
class CommandHelpTest extends CommandHelpContract {
    @Test
    void allFailuresOfPhylosExamplesHappen() throws IOException {
        List<String> examples = Arrays.stream(PhyloCommand.class.getAnnotation(Command.class).footer())
                .filter(line -> line.contains("--fail ")).toList();
        assertEquals(2, examples.size(), examples::toString);
        for (String example : examples) {
            JsonNode result = CommandRun
                    .of(example.strip().replaceFirst("restore ", "").replaceFirst("--picture \\S+", "")
                            .strip() + " --json")
                    .json();
            assertEquals(2, result.get("recoveries").size(), example);
            assertTrue(result.get("failuresNotReached").isEmpty(), example);
        }
    }
}
