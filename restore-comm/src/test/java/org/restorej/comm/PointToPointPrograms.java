package org.restorej.comm;

import static org.restorej.comm.testing.Messages.await;
import static org.restorej.comm.testing.Messages.awaitEnvelope;
import static org.restorej.comm.testing.Messages.bytes;
import static org.restorej.comm.testing.Messages.number;
import static org.restorej.comm.testing.Messages.numberIn;
import static org.restorej.comm.testing.Messages.receiveNumber;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.restorej.comm.Communicator.Envelope;
import org.restorej.comm.testing.Checks;
import org.restorej.comm.testing.ContractProgram;

/** Programs of the contract about messages between two PEs. Ring programs also run on one PE, with itself. */
final class PointToPointPrograms {
    private static final int TRIES = 50;
    private static final long LARGE_BYTES = 64L << 20;

    private PointToPointPrograms() {}

    static List<ContractProgram> all() {
        return List.of(
                new ContractProgram("messagesOfAPairKeepTheirOrder", 1, PointToPointPrograms::keepOrder),
                new ContractProgram("receivesPostedFirstAreFilledInOrder", 1, PointToPointPrograms::fillInOrder),
                new ContractProgram("tagsIsolateMessages", 1, PointToPointPrograms::tagsIsolate),
                new ContractProgram("synchronousSendCompletesOnlyWhenReceived", 2, PointToPointPrograms::synchronous),
                new ContractProgram("receiverMakesProgressWhileItTestsAnotherRequest", 2,
                        PointToPointPrograms::progress),
                new ContractProgram("probeSeesSourceAndBytesInOrder", 1, PointToPointPrograms::probe),
                new ContractProgram("emptyMessagesArrive", 1, PointToPointPrograms::empty),
                new ContractProgram("manySmallMessagesBetweenAllArrive", 1, PointToPointPrograms::manySmall),
                new ContractProgram("aLargeMessageArrives", 1, PointToPointPrograms::large),
                new ContractProgram("aCancelledReceiveTakesNoMessage", 1, PointToPointPrograms::cancelled),
                new ContractProgram("argumentErrorsNameArgumentAndValue", 1, PointToPointPrograms::arguments),
                new ContractProgram("argumentErrorsOfCollectiveCallsNameArgumentAndValue", 1,
                        PointToPointPrograms::collectiveArguments).ofSurvivors(),
                new ContractProgram("aBufferTooShortIsAnError", 1, PointToPointPrograms::shortBuffer));
    }

    private static int next(Communicator comm) {
        return (comm.rank() + 1) % comm.size();
    }

    private static int previous(Communicator comm) {
        return (comm.rank() + comm.size() - 1) % comm.size();
    }

    private static void keepOrder(Communicator comm) {
        List<Request> sends = new ArrayList<>();
        for (int index = 0; index < 100; index++) {
            sends.add(index % 3 == 0
                    ? comm.iSsend(number(index), next(comm), 1)
                    : comm.iSend(number(index), next(comm), 1));
        }
        for (int index = 0; index < 100; index++) {
            Checks.equal((long) index, receiveNumber(comm, previous(comm), 1), "message " + index);
        }
        await(sends);
    }

    private static void fillInOrder(Communicator comm) {
        List<MemorySegment> buffers = new ArrayList<>();
        List<Request> requests = new ArrayList<>();
        for (int index = 0; index < 20; index++) {
            buffers.add(bytes(Long.BYTES));
            requests.add(comm.iReceive(buffers.getLast(), previous(comm), 1));
        }
        for (int index = 0; index < 20; index++) {
            requests.add(comm.iSend(number(index), next(comm), 1));
        }
        await(requests.reversed());
        for (int index = 0; index < 20; index++) {
            Checks.equal((long) index, numberIn(buffers.get(index)), "buffer " + index);
        }
    }

    private static void tagsIsolate(Communicator comm) {
        List<Request> sends = List.of(comm.iSend(number(10), next(comm), 0),
                comm.iSend(number(20), next(comm), Communicator.MAX_TAG));
        Checks.equal(20L, receiveNumber(comm, previous(comm), Communicator.MAX_TAG), "message with the last tag");
        Checks.equal(10L, receiveNumber(comm, previous(comm), 0), "message with the first tag");
        await(sends);
    }

    private static void synchronous(Communicator comm) {
        int partner = comm.rank() ^ 1;
        if (partner >= comm.size()) {
            return;
        }
        if (comm.rank() < partner) {
            Request send = comm.iSsend(number(7), partner, 1);
            for (int index = 0; index < TRIES; index++) {
                Checks.holds(!send.test(), "no completion before the receiver was told to receive");
            }
            await(comm.iSend(number(0), partner, 2));
            await(send);
            Checks.holds(send.test(), "a completed request stays completed");
        } else {
            Checks.equal(0L, receiveNumber(comm, partner, 2), "message that tells to receive");
            Checks.equal(7L, receiveNumber(comm, partner, 1), "message");
        }
    }

    private static void progress(Communicator comm) {
        int partner = comm.rank() ^ 1;
        if (partner >= comm.size()) {
            return;
        }
        if (comm.rank() < partner) {
            await(comm.iSsend(number(1), partner, 1));
            await(comm.iSsend(number(2), partner, 2));
        } else {
            MemorySegment firstNumber = bytes(Long.BYTES);
            Request first = comm.iReceive(firstNumber, partner, 1);
            Checks.equal(2L, receiveNumber(comm, partner, 2), "second message");
            await(first);
            Checks.equal(1L, numberIn(firstNumber), "first message");
        }
    }

    private static void probe(Communicator comm) {
        List<Request> sends = List.of(comm.iSend(bytes(3L * comm.rank() + 1), next(comm), 4),
                comm.iSend(bytes(1000), next(comm), 4));
        int bytes = 3 * previous(comm) + 1;
        Checks.equal(new Envelope(previous(comm), bytes), awaitEnvelope(comm, 4), "first message");
        Checks.equal(new Envelope(previous(comm), bytes), comm.iProbe(4), "first message, probed again");
        Checks.equal(null, comm.iProbe(5), "message with a tag nobody uses");
        await(comm.iReceive(bytes(bytes), previous(comm), 4));
        Checks.equal(new Envelope(previous(comm), 1000), awaitEnvelope(comm, 4), "second message");
        await(comm.iReceive(bytes(1000), previous(comm), 4));
        Checks.equal(null, comm.iProbe(4), "message after the last");
        await(sends);
    }

    private static void empty(Communicator comm) {
        Request send = comm.iSsend(bytes(0), next(comm), 1);
        Checks.equal(new Envelope(previous(comm), 0), awaitEnvelope(comm, 1), "empty message");
        await(comm.iReceive(bytes(0), previous(comm), 1));
        await(send);
    }

    private static void manySmall(Communicator comm) {
        List<Request> sends = new ArrayList<>();
        for (int index = 0; index < 100; index++) {
            for (int destination = 0; destination < comm.size(); destination++) {
                sends.add(comm.iSend(number(1000L * comm.rank() + index), destination, index % 7));
            }
        }
        for (int index = 0; index < 100; index++) {
            for (int source = comm.size() - 1; source >= 0; source--) {
                Checks.equal(1000L * source + index, receiveNumber(comm, source, index % 7), "message of " + source);
            }
        }
        await(sends);
    }

    private static void large(Communicator comm) {
        int receiver = comm.size() - 1;
        List<Request> requests = new ArrayList<>();
        MemorySegment buffer = comm.rank() == receiver ? bytes(LARGE_BYTES) : MemorySegment.NULL;
        if (comm.rank() == receiver) {
            requests.add(comm.iReceive(buffer, 0, 1));
        }
        if (comm.rank() == 0) {
            MemorySegment message = bytes(LARGE_BYTES);
            for (long index = 0; index < LARGE_BYTES / Long.BYTES; index++) {
                message.setAtIndex(ValueLayout.JAVA_LONG, index, index * 0x9E3779B97F4A7C15L);
            }
            requests.add(comm.iSend(message, receiver, 1));
        }
        await(requests);
        for (long index = 0; index < buffer.byteSize() / Long.BYTES; index++) {
            if (buffer.getAtIndex(ValueLayout.JAVA_LONG, index) != index * 0x9E3779B97F4A7C15L) {
                throw new AssertionError("a large message differs at byte " + index * Long.BYTES);
            }
        }
    }

    private static void cancelled(Communicator comm) {
        MemorySegment unused = bytes(Long.BYTES);
        comm.iReceive(unused, previous(comm), 3).cancel();
        await(comm.iBarrier());
        Request send = comm.iSend(number(9), next(comm), 3);
        Checks.equal(9L, receiveNumber(comm, previous(comm), 3), "message after a cancelled receive");
        Checks.equal(0L, numberIn(unused), "buffer of the cancelled receive");
        await(send);
    }

    private static void arguments(Communicator comm) {
        int size = comm.size();
        rejects("destination=-1", () -> await(comm.iSend(bytes(1), -1, 0)));
        rejects("destination=" + size, () -> await(comm.iSsend(bytes(1), size, 0)));
        rejects("source=" + size, () -> await(comm.iReceive(bytes(1), size, 0)));
        rejects("tag=-1", () -> await(comm.iSend(bytes(1), 0, -1)));
        rejects("tag=32760", () -> await(comm.iReceive(bytes(1), 0, Communicator.MAX_TAG + 1)));
        rejects("tag=32760", () -> comm.iProbe(Communicator.MAX_TAG + 1));
        rejects("tag=-2", () -> comm.iProbe(-2));
        rejects("off-heap", () -> await(comm.iSend(MemorySegment.ofArray(new byte[12]), 0, 0)));
        rejects("off-heap", () -> await(comm.iReceive(MemorySegment.ofArray(new byte[12]), 0, 0)));
        rejects("writable", () -> await(comm.iReceive(bytes(1).asReadOnly(), 0, 0)));
    }

    /** Each revokes. */
    private static void collectiveArguments(Communicator comm) {
        int size = comm.size();
        rejects("source=" + size, () -> comm.sendReceive(new int[1], 0, new int[1], size, 0));
        rejects("destination=-2", () -> comm.sendReceive(new int[1], -2, new int[1], 0, 0));
        rejects("tag=32760", () -> comm.sendReceive(new int[1], 0, new int[1], 0, Communicator.MAX_TAG + 1));
        rejects("java.lang.String[]", () -> comm.sendReceive(new String[1], 0, new String[1], 0, 0));
        rejects("a float[]", () -> comm.<Object>sendReceive(new int[1], 0, new float[1], 0, 0));
        rejects("received must be writable", () -> comm.sendReceive(bytes(1), 0, bytes(1).asReadOnly(), 0, 0));
        rejects("mine.byteSize()=3", () -> comm.allGather(bytes(3), bytes(3L * size + 1)));
    }

    private static void rejects(String part, Checks.Action action) {
        String message = Checks.throwing(IllegalArgumentException.class, action, part).getMessage();
        Checks.holds(message != null && message.contains(part), "a message with '" + part + "': " + message);
    }

    private static void shortBuffer(Communicator comm) {
        Request send = comm.iSend(bytes(20), next(comm), 1);
        Request receive = comm.iReceive(bytes(19), previous(comm), 1);
        Checks.throwing(RuntimeException.class, () -> await(receive), "20 bytes into 19");
        await(send);
    }
}
