package org.restorej;

import static org.restorej.FailingStorePrograms.BLOCKS;
import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Messages.await;

import java.util.List;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.SplitPrograms;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** What stores of groups of PEs promise when PEs die inside and outside. */
public final class GroupStorePrograms implements ContractSuite {
    /** All programs. */
    static final List<ContractProgram> ALL = List.of(
            new ContractProgram("aStoreOfAGroupSurvivesAFailureInsideAndDoesNotNoticeOneOutside", 4,
                    GroupStorePrograms::halves),
            new ContractProgram("aGroupHasAStoreWhileTheOthersHaveNone", 4, GroupStorePrograms::some))
            .stream().map(ContractProgram::ofSurvivors).toList();

    private static final int BLOCK_BYTES = 40;
    private static final int SUBMISSIONS = 5;

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReStore store(Communicator group) {
        return ReStore.builder(group).blocks(BLOCKS).blockSizeBytes(BLOCK_BYTES).replication(2).build();
    }

    private static void submitAndCheck(Communicator group, ReStore store, int version) {
        TestBlocks content = new TestBlocks(BLOCK_BYTES, version);
        FailingStorePrograms.submit(group, store, content);
        content.pullAndCheck(store, BlockRanges.of(0, BLOCKS));
    }

    private static void halves(Communicator world) {
        int color = world.rank() * 2 / world.size();
        try (Communicator group = SplitPrograms.splitOnAll(world, color).orElseThrow(); ReStore store = store(group)) {
            submitAndCheck(group, store, color);
            if (color == 0) {
                // None of these calls may notice anything.
                for (int version = 2; version < 2 + SUBMISSIONS; version++) {
                    submitAndCheck(group, store, version);
                }
                equal(0, store.failedRanks().size(), "failed ranks");
            } else {
                Communicator survivors = FailingStorePrograms.kill(group, group.size() - 1);
                store.recover(survivors);
                equal(1, store.failedRanks().size(), "failed ranks");
                new TestBlocks(BLOCK_BYTES, 1).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
                store.replenish();
                submitAndCheck(survivors, store, 2);
            }
            meet(world);
        }
    }

    private static void some(Communicator world) {
        boolean member = world.rank() > 0;
        SplitPrograms.splitOnAll(world, member ? 3 : Communicator.NO_COLOR).ifPresent(group -> {
            try (group; ReStore store = store(group)) {
                submitAndCheck(group, store, 1);
                Communicator survivors = FailingStorePrograms.kill(group, 0);
                store.recover(survivors);
                new TestBlocks(BLOCK_BYTES, 1).pullAndCheck(store, BlockRanges.of(0, BLOCKS));
            }
        });
        meet(world);
    }

    /** All survivors, of whom those outside the group may not have known of the failure. */
    private static void meet(Communicator world) {
        world.revoke();
        try (Communicator survivors = world.shrink()) {
            equal(world.size() - 1, survivors.size(), "survivors");
            await(survivors.iBarrier());
        }
    }
}
