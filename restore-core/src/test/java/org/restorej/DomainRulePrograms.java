package org.restorej;

import static org.restorej.FailingStorePrograms.BLOCKS;
import static org.restorej.FailingStorePrograms.submit;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;
import static org.restorej.comm.testing.Checks.throwing;

import java.util.List;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.placement.FailureDomains;

/** Which PEs a store may be told to fail together. */
public final class DomainRulePrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("aDomainThatIsTooLargeIsRefusedUnlessItMayBeShared", 2, DomainRulePrograms::tooLarge),
            new ContractProgram("everyPeNamesAsManyDomains", 2, DomainRulePrograms::differentLabels),
            new ContractProgram("hostsAreDomainsUnlessOthersAreNamed", 2, DomainRulePrograms::hosts),
            new ContractProgram("onOneHostThereAreNoDomains", 1, DomainRulePrograms::oneHost));

    private static final TestBlocks CONTENT = new TestBlocks(24, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static void tooLarge(Communicator world) {
        int most = world.size() / DomainStorePrograms.REPLICATION;
        // One PE too many on node a.
        String node = world.rank() <= most ? "a" : "b" + world.rank();
        String message = String.valueOf(throwing(IllegalArgumentException.class,
                () -> DomainStorePrograms.builder(world).failureDomain(node).build(), "a domain that is too large")
                .getMessage());
        String rule = "failureDomain must be the same on at most floor(P / replication) = " + most + " of "
                + world.size()
                + " PEs, so that the replicas of a range lie in different domains: label 0 is the same on " + (most + 1)
                + " PEs, the first of them rank 0; here failureDomain=[" + node + "].";
        holds(message.startsWith(rule), message + " should begin with " + rule);
        try (ReStore store = DomainStorePrograms.builder(world).failureDomain(node).sharedDomains(true).build()) {
            submit(world, store, CONTENT);
            CONTENT.pullAndCheck(store, EVERYTHING);
            List<FailureDomains> domains = store.placement().domains();
            equal(world.size() - most, domains.getFirst().domainCount(), "domains");
        }
    }

    private static void differentLabels(Communicator world) {
        ReStoreBuilder builder = DomainStorePrograms.builder(world);
        if (world.rank() == 0) {
            builder.failureDomain("node0");
        }
        throwing(IllegalArgumentException.class, builder::build, "labels on one PE only");
        throwing(IllegalArgumentException.class,
                () -> DomainStorePrograms.builder(world).failureDomain("node" + world.rank())
                        .sharedDomains(world.rank() == 0).build(),
                "shared on one PE only");
    }

    /** Dealt out to two hosts, of which one has a PE more when P is odd. */
    private static void hosts(Communicator world) {
        String host = "host" + world.rank() % 2;
        try (ReStore store = DomainStorePrograms.builder(world).host(host).build();
                ReStore named = DomainStorePrograms.builder(world).failureDomain(host).sharedDomains(true).build();
                ReStore others = DomainStorePrograms.builder(world).host(host)
                        .failureDomain("node" + world.rank()).build();
                ReStore none = DomainStorePrograms.builder(world).host(host).failureDomain().build()) {
            List<FailureDomains> domains = store.placement().domains();
            equal(2, domains.getFirst().domainCount(), "hosts");
            for (int range = 0; range < world.size(); range++) {
                for (int replica = 0; replica < DomainStorePrograms.REPLICATION; replica++) {
                    equal(named.placement().holder(range, replica), store.placement().holder(range, replica),
                            "holder of range " + range);
                }
            }
            equal(world.size(), others.placement().domains().getFirst().domainCount(), "nodes");
            holds(none.placement().domains().isEmpty(), "no domains");
            submit(world, store, CONTENT);
            CONTENT.pullAndCheck(store, EVERYTHING);
        }
        ReStoreBuilder builder = DomainStorePrograms.builder(world).host(host);
        if (world.rank() == 0) {
            builder.failureDomain();
        }
        throwing(IllegalArgumentException.class, builder::build, "hosts on all PEs but one");
    }

    private static void oneHost(Communicator world) {
        try (ReStore store = DomainStorePrograms.builder(world).replication(1).host("host").build()) {
            holds(store.placement().domains().isEmpty(), "no domains");
        }
    }
}
