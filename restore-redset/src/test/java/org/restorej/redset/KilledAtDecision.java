package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.IntPredicate;
import org.restorej.comm.local.LocalCluster;
import org.restorej.redset.internal.files.ForwardingFileOperations;

/** The disk of a process that is killed when it has noted the decision to move on to the new files, or just before. */
final class KilledAtDecision extends ForwardingFileOperations {
    private final boolean decides;
    private boolean killed;

    private KilledAtDecision(boolean decides) {
        this.decides = decides;
    }

    /** All processes of a job are killed in an attempt, when some of them have noted the decision. */
    static void killAll(RedsetJob job, IntPredicate decides) {
        RedsetJob.run(LocalCluster.builder(job.ranks()), world -> {
            try (Redset redset = job.redset(world, new KilledAtDecision(decides.test(world.rank())))) {
                assertThrows(RedsetException.class, () -> job.attempt(redset, world.rank()));
            }
            return true;
        });
    }

    @Override
    public void replace(Path source, Path target) throws IOException {
        boolean isDecision = target.toString().endsWith("restorej-decided");
        if (!killed && (decides || !isDecision)) {
            super.replace(source, target);
        }
        killed |= isDecision;
        if (killed) {
            throw new IOException("the process is killed");
        }
    }
}
