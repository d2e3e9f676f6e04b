package org.restorej.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.restorej.cli.testing.CommandHelpContract;
import org.restorej.cli.testing.CommandRun;

/** Help and examples of the commands of this module. */
class CommandHelpTest extends CommandHelpContract {
    @Test
    void needsACommand() {
        CommandRun run = CommandRun.of(new String[0]);
        assertEquals(2, run.exitCode());
        assertTrue(run.errors().startsWith("restore: a command is needed after 'restore': one of redset, plan, "),
                run::errors);
    }
}
