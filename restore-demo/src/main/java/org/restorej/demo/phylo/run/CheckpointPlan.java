package org.restorej.demo.phylo.run;

import java.nio.file.Path;
import org.restorej.comm.Communicator;
import org.restorej.redset.RangeCheckpoint;
import org.restorej.redset.RedundancyConfiguration;
import org.restorej.redset.RedundancyDescriptor;
import org.restorej.redset.Scheme;
import org.restorej.redset.SmallSets;

/**
 * Where the patterns are kept in files too, for when all PEs with some of them have died, or the whole job.
 *
 * @param directory of all PEs
 * @param protection how the files of a PE are protected by those of others
 * @param restarts whether the patterns come from files there, of an earlier run, instead of going to files
 */
public record CheckpointPlan(Path directory, Protection protection, boolean restarts) {
    private static final String NAME = "phylo";

    /** Schemes by name. */
    public enum Protection {
        /** None. */
        SINGLE,
        /** A copy on another PE. */
        PARTNER,
        /** One checksum: the files of one PE may be lost. */
        XOR,
        /** Two checksums: the files of two PEs may be lost. */
        RS;

        private Scheme scheme() {
            return switch (this) {
                case SINGLE -> Scheme.single();
                case PARTNER -> Scheme.partner(1);
                case XOR -> Scheme.xor();
                case RS -> Scheme.rs(2);
            };
        }
    }

    /** Checkpoints of these PEs, each of which counts as a node of its own. Called by all PEs; to be closed. */
    RangeCheckpoint open(Communicator communicator) {
        RedundancyDescriptor descriptor = new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, directory,
                protection.scheme(), RedundancyDescriptor.DEFAULT_SET_SIZE);
        return new RangeCheckpoint(communicator, RedundancyConfiguration.of(descriptor), NAME,
                "pe" + communicator.rank(), SmallSets.DEGRADE);
    }

    @Override
    public String toString() {
        return restarts ? "restarted from " + directory : protection + " in " + directory;
    }
}
