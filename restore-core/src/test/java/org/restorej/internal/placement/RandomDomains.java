package org.restorej.internal.placement;

import java.util.Random;
import org.restorej.placement.FailureDomains;
import org.restorej.placement.Placement;

/** Placements with failure domains of any sizes, anywhere. */
public final class RandomDomains {
    private RandomDomains() {}

    /** A placement with none, one or two kinds of domains. */
    static Placement maybe(int peCount, long blockCount, int replication, Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> new Placement(peCount, blockCount, replication);
            case 1 -> Placement.separating(blockCount, replication, domains(peCount, random));
            default -> Placement.separating(blockCount, replication, nested(peCount, random));
        };
    }

    /** Up to P domains, to each of which every PE belongs with the same probability. */
    public static FailureDomains domains(int peCount, Random random) {
        return FailureDomains.of(random.ints(peCount, 0, 1 + random.nextInt(peCount)).toArray());
    }

    /** Racks and nodes; a node that is drawn for two racks is two nodes. */
    public static FailureDomains[] nested(int peCount, Random random) {
        return new FailureDomains[]{domains(peCount, random), domains(peCount, random)};
    }
}
