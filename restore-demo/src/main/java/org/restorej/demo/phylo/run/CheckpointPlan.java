package org.restorej.demo.phylo.run;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.restorej.comm.Communicator;
import org.restorej.redset.RangeCheckpoint;
import org.restorej.redset.RedundancyConfiguration;
import org.restorej.redset.RedundancyDescriptor;
import org.restorej.redset.Scheme;

/**
 * Where the patterns are kept in files too, for when all PEs with some of them have died, or the whole job.
 *
 * @param directory of all PEs
 * @param protection how the files of a PE are protected by those of others
 * @param restarts whether the patterns come from files there, of an earlier run, instead of going to files
 */
public record CheckpointPlan(Path directory, Protection protection, boolean restarts) {
    private static final String NAME = "phylo";
    /** Of a host, in bytes. */
    private static final int LONGEST_NAME = 64;
    private static final Path KERNEL_NAME = Path.of("/proc/sys/kernel/hostname");

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

    /**
     * Checkpoints of these PEs. On one host each counts as a node of its own. Called by all PEs; to be closed.
     */
    RangeCheckpoint open(Communicator communicator) {
        RedundancyDescriptor descriptor = new RedundancyDescriptor(1, RedundancyConfiguration.GROUP_NODE, directory,
                protection.scheme(), RedundancyDescriptor.DEFAULT_SET_SIZE);
        return new RangeCheckpoint(communicator, RedundancyConfiguration.of(descriptor), NAME,
                node(communicator), true);
    }

    /** What is lost together with this PE. */
    private static String node(Communicator communicator) {
        String host = hostName();
        byte[] name = Arrays.copyOf(host.getBytes(StandardCharsets.UTF_8), LONGEST_NAME);
        byte[] names = new byte[LONGEST_NAME * communicator.size()];
        communicator.allGather(MemorySegment.ofArray(name), MemorySegment.ofArray(names));
        for (int rank = 0; rank < communicator.size(); rank++) {
            if (!Arrays.equals(name, Arrays.copyOfRange(names, rank * LONGEST_NAME, (rank + 1) * LONGEST_NAME))) {
                return host;
            }
        }
        return "pe" + communicator.rank();
    }

    private static String hostName() {
        try {
            return Files.readString(KERNEL_NAME).strip();
        } catch (IOException notLinux) {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException nameless) {
                return "localhost";
            }
        }
    }

    @Override
    public String toString() {
        return restarts ? "restarted from " + directory : protection + " in " + directory;
    }
}
