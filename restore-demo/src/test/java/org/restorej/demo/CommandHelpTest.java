package org.restorej.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.restorej.cli.testing.CommandHelpContract;
import org.restorej.cli.testing.CommandRun;

/** Help and examples of the demos. */
class CommandHelpTest extends CommandHelpContract {
    @Test
    void demosWriteJsonEitherWay() throws IOException {
        String options = "demo phylo --pes 2 --iterations 1 --fail-random 0 ";
        assertEquals(CommandRun.of(options + "--output json").json().get("logLikelihood"),
                CommandRun.of(options + "--json").json().get("logLikelihood"));
        assertNotNull(CommandRun.of("demo kmeans --pes 2 --points 100 --clusters 2 --iterations 1 --json").json()
                .get("inertia"));
    }
}
