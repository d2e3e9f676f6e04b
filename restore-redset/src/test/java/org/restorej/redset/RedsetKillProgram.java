package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.mpi.Mpi;

/** Protects files over and over until a rank is killed from outside; then the survivors go on without. */
public final class RedsetKillProgram {
    /** What every rank prints before it may be killed. */
    static final String WORKING = "working";

    /** What every survivor prints when it has recovered a loss without the rank that was killed. */
    static final String RECOVERED = "recovered without";

    private static final int FILE_BYTES = 8 << 20;

    private RedsetKillProgram() {}

    /** Runs until a rank is killed. */
    public static void main(String[] args) {
        Communicator world = Mpi.world(args);
        Communicator survivors;
        try (RankDirectory directory = new RankDirectory();
                Redset redset = Redset.builder(world).scheme(Scheme.rs(1)).failureGroup("host" + world.rank())
                        .directory(directory.path().resolve("protection")).allow(directory.path())
                        .pieceBytes(64 << 10).build()) {
            byte[] content = new byte[FILE_BYTES];
            new Random(world.rank()).nextBytes(content);
            Path path = directory.write("data", content);
            try {
                while (true) {
                    redset.apply(List.of(path));
                    System.out.println(WORKING);
                }
            } catch (CommunicationFailedException failure) {
                System.out.println(failure.getMessage());
                world.revoke();
            }
            survivors = world.shrink();
            try (Redset again = redset.on(survivors)) {
                again.apply(List.of(path));
                if (survivors.rank() != world.rank()) {
                    directory.snapshot().keySet().stream().filter(name -> name.contains("rank." + world.rank() + "."))
                            .forEach(directory::delete);
                }
                Map<String, byte[]> whole = directory.snapshot();
                if (survivors.rank() == 0) {
                    directory.lose();
                }
                equal(Set.of(0), again.recover().rebuiltRanks(), "rebuilt ranks");
                directory.require(whole, "after recovery");
            }
            System.out.println(RECOVERED + " " + survivors.ranks().absentRanks());
        }
        Mpi.finish(survivors);
    }
}
