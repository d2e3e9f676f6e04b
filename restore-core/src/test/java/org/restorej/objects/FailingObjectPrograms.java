package org.restorej.objects;

import static org.restorej.comm.testing.Checks.equal;

import java.util.List;
import org.restorej.ReStore;
import org.restorej.balance.LoadBalancer;
import org.restorej.block.BlockRanges;
import org.restorej.comm.Communicator;
import org.restorej.comm.FailureSimulation;
import org.restorej.comm.Reduction;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;
import org.restorej.loop.CheckpointInterval;
import org.restorej.loop.CheckpointLoop;
import org.restorej.objects.TestObjects.Tree;

/** What a store of objects promises when PEs die. */
public final class FailingObjectPrograms implements ContractSuite {
    private static final long COUNT = 47;
    private static final BlockRanges EVERYTHING = BlockRanges.of(0, COUNT);

    /** All programs; each needs a job of its own, since it leaves failed PEs behind. */
    public static final List<ContractProgram> ALL = List.of(
            new ContractProgram("aLoopAddsTheObjectsOfTheFailed", 3,
                    world -> loop(world, LoadBalancer.equal(world.size(), COUNT))),
            new ContractProgram("objectsGoToOtherPesWhenTheBalancerSaysSo", 3,
                    world -> loop(world, LoadBalancer.contiguous(world.size(), COUNT))));

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

    private static ReplicatedObjects<Tree> trees(Communicator world) {
        return ReplicatedObjects.of(ReStore.builder(world).replication(Math.min(3, world.size()))
                .permutationRangeBlocks(2), COUNT, TestObjects.TREES);
    }

    /** PEs die, one in each step, until one is left. */
    private static void loop(Communicator world, LoadBalancer balancer) {
        TestObjects content = new TestObjects(1);
        try (ReplicatedObjects<Tree> objects = trees(world);
                CheckpointLoop loop = new CheckpointLoop(world, balancer, CheckpointInterval.iterations(1))) {
            LocalObjects<Tree> mine = loop.keep(objects.constant(content::tree));
            loop.evaluate(Communicator::size);
            for (int step = 1; step < world.size(); step++) {
                int left = world.size() - step;
                long sum = loop.evaluate(comm -> {
                    if (comm.size() > left) {
                        // The first, then the last, in turn: rank 0 fails too.
                        ((FailureSimulation) comm).fail(left % 2 == 0 ? 0 : comm.size() - 1);
                    }
                    long[] sums = {mine.values().stream().mapToLong(Tree::hashCode).sum()};
                    comm.allReduce(sums, Reduction.SUM);
                    return sums[0];
                });
                equal(content.trees(EVERYTHING).stream().mapToLong(Tree::hashCode).sum(), sum, "sum over all objects");
                equal(left, loop.communicator().size(), "PEs left");
                content.check(loop.blocks(), mine);
            }
            equal(EVERYTHING, mine.ids(), "objects of the last PE");
        }
    }
}
