package org.restorej.comm;

import static org.restorej.comm.testing.Messages.await;
import static org.restorej.comm.testing.Messages.awaitEnvelope;
import static org.restorej.comm.testing.Messages.number;
import static org.restorej.comm.testing.Messages.receiveNumber;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;

/** Programs of the contract about several threads of a PE; they do nothing where those aren't allowed. */
final class ConcurrencyPrograms {
    /** Enough that on two cores the threads of a PE are often in the middle of a call when the other makes one. */
    private static final int ROUNDS = 300;

    private ConcurrencyPrograms() {}

    static List<ContractProgram> all() {
        return List.of(new ContractProgram("twoThreadsWithACommunicatorEachLoseNoMessage", 1,
                ConcurrencyPrograms::twoThreads));
    }

    private static void twoThreads(Communicator comm) {
        if (!comm.allowsConcurrentUse()) {
            return;
        }
        try (Communicator second = comm.duplicate()) {
            CyclicBarrier begin = new CyclicBarrier(2);
            AtomicReference<Throwable> failure = new AtomicReference<>();
            Thread other = Thread.ofPlatform().daemon().start(() -> {
                try {
                    exchange(second, begin, 1_000_000);
                } catch (Throwable thrown) {
                    failure.set(thrown);
                }
            });
            exchange(comm, begin, 2_000_000);
            join(other);
            if (failure.get() != null) {
                throw new AssertionError("in the other thread: " + failure.get(), failure.get());
            }
        }
    }

    /** Messages of two kinds in a ring, found by probes and not, a sum and a barrier, in every round. */
    private static void exchange(Communicator comm, CyclicBarrier begin, long salt) {
        int next = (comm.rank() + 1) % comm.size();
        int previous = (comm.rank() + comm.size() - 1) % comm.size();
        meet(begin);
        for (int round = 0; round < ROUNDS; round++) {
            long base = salt + round * 1_000L;
            List<Request> sends = new ArrayList<>();
            sends.add(comm.iSsend(number(base + comm.rank()), next, 1));
            sends.add(comm.iSend(number(base + 500 + comm.rank()), next, 2));
            Checks.equal(previous, awaitEnvelope(comm, 1).source(), "source of a message");
            Checks.equal(base + previous, receiveNumber(comm, previous, 1), "message found by a probe");
            Checks.equal(base + 500 + previous, receiveNumber(comm, previous, 2), "message");
            await(sends);
            long[] sum = {base};
            comm.allReduce(sum, Reduction.SUM);
            Checks.equal(base * comm.size(), sum[0], "sum");
            await(comm.iBarrier());
        }
        Checks.equal(null, comm.probe(1), "message left over");
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception interrupted) {
            throw new IllegalStateException("the other thread didn't begin", interrupted);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the other thread", interrupted);
        }
    }
}
