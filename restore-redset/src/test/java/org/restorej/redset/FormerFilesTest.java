package org.restorej.redset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.local.LocalCluster;
import org.restorej.comm.testing.FaultPlan;
import org.restorej.comm.testing.FaultPlan.Fault;
import org.restorej.redset.internal.files.FileOperations;
import org.restorej.redset.internal.files.ForwardingFileOperations;
import org.restorej.testing.Deep;

/** The files that protected before, when others take their place, or don't. */
class FormerFilesTest {
    private static final int RANKS = 3;
    private static final int VICTIM = 1;
    private static final long SEED = 1;

    private static Redset.Builder builder(Communicator world, RankDirectory directory, Scheme scheme) {
        return Redset.builder(world).scheme(scheme).failureGroup("host" + world.rank()).directory(directory.path());
    }

    /** What protects a file of each rank by a scheme, in a directory of all ranks. */
    private static Set<String> protect(RankDirectory directory, Scheme scheme) {
        LocalCluster.run(RANKS, world -> {
            try (Redset redset = builder(world, directory, scheme).build()) {
                redset.apply(List.of(directory.write("data." + world.rank(), new byte[100])));
            }
            return true;
        });
        Set<String> names = new TreeSet<>(directory.snapshot().keySet());
        // Of no scheme: what the next commit writes over.
        names.removeIf(name -> name.endsWith(".restorej-spare"));
        return names;
    }

    @Test
    void noFileOfTheSchemeBeforeStays() {
        List<Scheme> schemes = List.of(Scheme.xor(), Scheme.partner(1), Scheme.rs(1), Scheme.single());
        for (Scheme former : schemes) {
            for (Scheme next : schemes) {
                try (RankDirectory changed = new RankDirectory(); RankDirectory fresh = new RankDirectory()) {
                    protect(changed, former);
                    assertEquals(protect(fresh, next), protect(changed, next), former + ", then " + next);
                }
            }
        }
    }

    @Test
    void theFileToWriteOverGoesWithTheProtection() {
        try (RankDirectory directory = new RankDirectory()) {
            protect(directory, Scheme.xor());
            protect(directory, Scheme.xor());
            assertTrue(directory.snapshot().containsKey("rank.0.restorej-spare"),
                    () -> directory.snapshot().keySet().toString());
            LocalCluster.run(RANKS, world -> {
                try (Redset redset = builder(world, directory, Scheme.xor()).build()) {
                    redset.unapply();
                }
                return true;
            });
            assertEquals(Set.of("data.0", "data.1", "data.2"), directory.snapshot().keySet());
        }
    }

    /** Counts the files that are moved back to their places. */
    private static FileOperations counting(AtomicInteger movedBack) {
        return new ForwardingFileOperations() {
            @Override
            public void replace(Path source, Path target) throws IOException {
                super.replace(source, target);
                if (String.valueOf(source.getFileName()).contains("restorej-old.")) {
                    movedBack.incrementAndGet();
                }
            }
        };
    }

    /**
     * A survivor that has moved files agrees with the others that all is done; one that fails itself moves its files
     * back.
     */
    @Deep
    @Test
    void whoDoesNotSeeTheEndOfAnApplyHasTheOldFilesAtOnce() {
        AtomicInteger movedBack = new AtomicInteger();
        int failures = 0;
        boolean failed = true;
        for (int call = 0; failed; call++) {
            Fault fault = Fault.before(VICTIM, call);
            List<Boolean> applied = RedsetJob.run(LocalCluster.builder(RANKS).faults(FaultPlan.of(fault))
                    .singleStepping(SEED), world -> applyTwice(world, counting(movedBack), fault));
            failed = applied.size() < RANKS;
            failures += failed ? 1 : 0;
        }
        assertTrue(failures > 20, failures + " failures");
        assertTrue(movedBack.get() > 0, "nobody had moved files when it failed");
    }

    /** Whether the second of two was done. */
    private static boolean applyTwice(Communicator world, FileOperations operations, Fault fault) {
        try (RankDirectory directory = new RankDirectory()) {
            List<Path> files = List.of(directory.write("data", new byte[50 + world.rank()]));
            Map<String, byte[]> before = null;
            try (Redset first = builder(world, directory, Scheme.xor()).build();
                    Redset second = builder(world, directory, Scheme.partner(1)).operations(operations).build()) {
                first.apply(files);
                before = directory.snapshot();
                second.apply(files);
                return true;
            } catch (CommunicationFailedException expected) {
                if (before != null) {
                    directory.require(before, fault + " on rank " + world.rank());
                }
                return false;
            }
        }
    }
}
