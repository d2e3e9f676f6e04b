package org.restorej.redset.training;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.ProgramRun;
import org.restorej.testing.Deep;

/**
 * The JVM generates the code that compares two records when it is first called, and that takes 40 ms of a first
 * recovery. Here it tells for which methods of the libraries it has generated some. It does so once for records with the
 * same types of fields, so after a mend there may be another one.
 */
@Deep
class GeneratedCodeTest {
    private static final int RANKS = 3;
    private static final Pattern OF_A_RECORD = Pattern
            .compile("at (org\\.restorej\\.[\\w.$]+\\.(equals|hashCode|toString))\\(");

    @Test
    void noneIsMadeToCompareRecordsInFirstCalls() throws IOException, InterruptedException {
        ProgramRun run = ProgramRun.inOwnJvm(Program.class, process -> process.environment().put("JAVA_TOOL_OPTIONS",
                "-XX:LogClassLoadingCauseFor=java.lang.invoke.LambdaForm$ -Xlog:class+load+cause -Xlog:class+load"),
                RANKS)
                .assertExit(0).assertSays("at org.restorej.redset.training.RedsetTraining.train(")
                .assertSays("at org.restorej.redset.training.CheckpointTraining.train(")
                // What only a start from files needs, and what only a loss needs.
                .assertSays("org.restorej.redset.CheckpointLoader ")
                .assertSays("org.restorej.redset.internal.protocol.SetRecovery ");
        assertEquals(List.of(), OF_A_RECORD.matcher(run.text()).results().map(found -> found.group(1)).distinct()
                .toList());
    }

    /** Protects files and rebuilds them, by each scheme, and those of checkpoints. */
    static final class Program {
        private Program() {}

        public static void main(String[] arguments) {
            LocalCluster.run(Integer.parseInt(arguments[0]), world -> {
                new RedsetTraining().train(world);
                new CheckpointTraining().train(world);
                return true;
            });
        }
    }
}
