package org.restorej.redset;

import static org.restorej.comm.testing.Checks.equal;
import static org.restorej.comm.testing.Checks.holds;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.restorej.ReStore;
import org.restorej.Submission;
import org.restorej.TestBlocks;
import org.restorej.block.BlockRange;
import org.restorej.block.BlockRanges;
import org.restorej.comm.CommunicationFailedException;
import org.restorej.comm.Communicator;
import org.restorej.comm.Reduction;
import org.restorej.comm.mpi.Mpi;
import org.restorej.comm.testing.mpi.MpiRank;
import org.restorej.placement.Placement;

/**
 * Keeps blocks in files on the disks of nodes, and in one memory each: a node that fails takes blocks with it, which
 * come from the files of the others. A new job goes on from the files that are there.
 */
public final class NodeCheckpointProgram {
    /** What every rank prints when there are files, and it may die. */
    static final String SAVED = "saved";

    /** What a rank prints when it has had everything from the files of a former job. */
    static final String LOADED = "loaded";

    /** What a survivor prints when it has had everything from the files of the others. */
    static final String RECOVERED = "recovered without ";

    private static final long BLOCKS = 6000;
    private static final TestBlocks CONTENT = new TestBlocks(1 << 10, 1);
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, BLOCKS);

    private NodeCheckpointProgram() {}

    /**
     * Runs until a node fails, or, when there are files, until it has had everything from them.
     *
     * @param args the disk of this node; number of spares
     */
    public static void main(String[] args) throws IOException {
        Communicator world = Mpi.world(args);
        RedundancyConfiguration configuration = RedundancyConfiguration.of(new RedundancyDescriptor(1,
                RedundancyConfiguration.GROUP_NODE, Path.of(args[0]), Scheme.xor(),
                RedundancyDescriptor.DEFAULT_SET_SIZE));
        Communicator survivors = world;
        try (RangeCheckpoint checkpoint = new RangeCheckpoint(world, configuration, "job");
                ReStore store = ReStore.builder(world).blocks(BLOCKS).blockSizeBytes(CONTENT.blockSizeBytes())
                        .replication(1).spares(Integer.parseInt(args[1])).build()) {
            Optional<RangeCheckpoint.Loaded> loaded = checkpoint.load(store);
            if (loaded.isPresent()) {
                CONTENT.pullAndCheck(store, EVERYTHING);
                System.out.println(LOADED);
            } else {
                submit(store);
                checkpoint.save(checkpoint.nextId(), store, share(store));
                System.out.println(SAVED);
                survivors = survivorsOfAFailure(world);
                recover(store, checkpoint, survivors);
                System.out.println(RECOVERED + survivors.ranks().absentRanks());
            }
        }
        Mpi.finish(survivors);
    }

    private static BlockRanges share(ReStore store) {
        if (store.isIdleSpare()) {
            return BlockRanges.EMPTY;
        }
        return equalShare(store.rank().value(), store.placement().peCount());
    }

    private static BlockRanges equalShare(int rank, int pes) {
        Placement shares = new Placement(pes, BLOCKS, 1);
        return BlockRanges.of(shares.firstPosition(rank), shares.blocksIn(rank));
    }

    private static void submit(ReStore store) {
        Submission submission = new Submission();
        for (BlockRange run : share(store).runs()) {
            submission.add(run, CONTENT::write);
        }
        store.submit(submission);
    }

    private static Communicator survivorsOfAFailure(Communicator world) {
        try {
            while (true) {
                world.allReduce(new long[1], Reduction.SUM);
            }
        } catch (CommunicationFailedException failure) {
            world.revoke();
            return world.shrink();
        }
    }

    private static void recover(ReStore store, RangeCheckpoint checkpoint, Communicator survivors)
            throws IOException {
        store.recover(survivors);
        holds(!store.lostBlocks().isEmpty(), "blocks are lost");
        MpiRank.report("failed-" + survivors.rank(), survivors.ranks().absentRanks().toString());
        // Until the disk of the node is wiped.
        while (!MpiRank.isTold("wiped")) {
            Thread.onSpinWait();
        }
        try (RangeCheckpoint again = checkpoint.on(survivors)) {
            equal(1L, again.load(store).orElseThrow().id(), "id of the checkpoint");
            equal(BlockRanges.EMPTY, store.lostBlocks(), "lost blocks");
            CONTENT.pullAndCheck(store, EVERYTHING);
            again.save(again.nextId(), store, equalShare(survivors.rank(), survivors.size()));
        }
    }
}
