package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** What redset promises when a process fails: survivors keep what they had, and protect their files among themselves. */
public final class FailingRedsetPrograms implements ContractSuite {
    private static final int FILE_BYTES = 300 << 10;

    /** Programs in which the last but one rank fails. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("an apply that a process doesn't live to see fails on all, and can be repeated", 3,
                    world -> loseOne(world, redset -> redset.apply(List.of()))),
            new ContractProgram("a recovery that a process doesn't live to see fails on all", 3,
                    world -> loseOne(world, Redset::recover)));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static void loseOne(Communicator world, Consumer<Redset> attempt) {
        try (RankDirectory directory = new RankDirectory();
                Redset redset = Redset.builder(world).scheme(Scheme.xor()).failureGroup("host" + world.rank())
                        .directory(directory.path().resolve("protection")).allow(directory.path())
                        .pieceBytes(32 << 10).build()) {
            byte[] content = new byte[FILE_BYTES + world.rank()];
            new Random(world.rank()).nextBytes(content);
            Path path = directory.write("data", content);
            redset.apply(List.of(path));
            Map<String, byte[]> before = directory.snapshot();
            FailureSimulation.of(world).fail(world.size() - 2);
            boolean failed = false;
            try {
                attempt.accept(redset);
            } catch (CommunicationFailedException expected) {
                failed = true;
            }
            holds(failed, "the survivors learn of the failure");
            directory.require(before, "after a failure");
            world.revoke();
            goOn(world.shrink(), redset, directory, path);
        }
    }

    private static void goOn(Communicator survivors, Redset former, RankDirectory directory, Path path) {
        try (Redset redset = former.on(survivors)) {
            redset.apply(List.of(path));
            Map<String, byte[]> whole = directory.snapshot();
            if (survivors.rank() == 0) {
                redset.originalFiles().forEach(file -> directory.delete("data"));
            }
            equal(Set.of(0), redset.recover().rebuiltRanks(), "rebuilt ranks");
            directory.require(whole, "after recovery on the shrunk communicator");
        }
        survivors.close();
    }
}
