package org.restorej.comm.collective;

import java.util.List;
import java.util.SplittableRandom;
import org.restorej.comm.Communicator;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** What reproducible sums promise, as programs for all PEs. */
public final class ReproducibleSumPrograms implements ContractSuite {
    private static final int BLOCKS = 1000;
    private static final int SPREADS = 5;

    @Override
    public List<ContractProgram> programs() {
        return List.of(
                new ContractProgram("sumsDontDependOnWhoHasWhichTerms", 1, ReproducibleSumPrograms::anySpread),
                new ContractProgram("sumsOfPesWithoutTermsAreZero", 1, ReproducibleSumPrograms::noTerms),
                new ContractProgram("aNumberThatIsNoneReachesAll", 1, ReproducibleSumPrograms::notANumber));
    }

    private static double term(int sum, int block) {
        SplittableRandom random = new SplittableRandom((long) sum * BLOCKS + block);
        return Math.scalb(random.nextDouble() - 0.5, random.nextInt(-60, 60));
    }

    private static int owner(int spread, int block, int size) {
        return new SplittableRandom((long) spread * BLOCKS + block).nextInt(size);
    }

    private static void anySpread(Communicator comm) {
        ReproducibleSums alone = new ReproducibleSums(2);
        for (int block = 0; block < BLOCKS; block++) {
            alone.add(0, term(0, block));
            alone.add(1, term(1, block));
        }
        ReproducibleSums together = new ReproducibleSums(2);
        for (int spread = 0; spread < SPREADS; spread++) {
            together.clear();
            for (int step = 0; step < BLOCKS; step++) {
                // Each PE in an order of its own, all with the same owners.
                int block = (step * 7 + comm.rank() * 13) % BLOCKS;
                if (owner(spread, block, comm.size()) == comm.rank()) {
                    together.add(0, term(0, block));
                    together.add(1, term(1, block));
                }
            }
            together.allReduce(comm);
            Checks.equal(alone.value(0), together.value(0), "first sum, spread " + spread);
            Checks.equal(alone.value(1), together.value(1), "second sum, spread " + spread);
        }
    }

    private static void noTerms(Communicator comm) {
        ReproducibleSums sums = new ReproducibleSums(1);
        sums.allReduce(comm);
        Checks.equal(0.0, sums.value(0), "sum of nothing");
        sums.clear();
        sums.add(0, comm.rank() == comm.size() - 1 ? -0x1p-1074 : 0.0);
        sums.allReduce(comm);
        Checks.equal(-0x1p-1074, sums.value(0), "sum of one term");
    }

    private static void notANumber(Communicator comm) {
        ReproducibleSums sums = new ReproducibleSums(4);
        sums.add(0, comm.rank() == 0 ? Double.longBitsToDouble(-1L) : 1);
        sums.add(1, comm.rank() == 0 ? Double.NEGATIVE_INFINITY : 1);
        sums.add(2, comm.rank() == comm.size() - 1 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY);
        sums.add(2, Double.POSITIVE_INFINITY);
        sums.add(3, -0.0);
        sums.allReduce(comm);
        Checks.equal(Double.doubleToRawLongBits(Double.NaN), Double.doubleToRawLongBits(sums.value(0)),
                "bits of a sum with NaN");
        Checks.equal(Double.doubleToRawLongBits(Double.NaN), Double.doubleToRawLongBits(sums.value(2)),
                "bits of a sum with both infinities");
        Checks.equal(0.0, sums.value(3), "sum of -0.0");
        Checks.equal(Double.NaN, sums.value(0), "sum with NaN");
        Checks.equal(Double.NEGATIVE_INFINITY, sums.value(1), "sum with an infinity");
    }
}
