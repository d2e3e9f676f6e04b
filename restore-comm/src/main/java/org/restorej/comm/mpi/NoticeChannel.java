package org.restorej.comm.mpi;

import it.unimi.dsi.fastutil.ints.IntCollection;
import it.unimi.dsi.fastutil.ints.IntIterator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.restorej.comm.RankMap;
import org.restorej.internal.mpi.MpiComm;
import org.restorej.internal.mpi.MpiException;
import org.restorej.internal.mpi.MpiOperation;

/**
 * Carries notices between the PEs of a group, failed ones included, on an MPI communicator that nothing else uses;
 * those from one PE to another come in their order. They are received when a PE looks, so whoever waits for something
 * looks.
 */
final class NoticeChannel {
    private static final int TAG = 0;

    /** What is done with a notice. */
    interface Receiver {
        /** Takes a notice from the PE of this original rank. */
        void receive(int sender, Notice notice) throws MpiException;
    }

    private final MpiComm mpi;
    private final RankMap ranks;
    private final MemorySegment received;
    /** For the next notice. Short messages end at once, and leave it to another one. */
    private MemorySegment sent;
    private final List<MpiOperation> underWay = new ArrayList<>();

    /**
     * Takes over a communicator of all PEs.
     *
     * @param ranks of the group, in which nobody has failed yet
     */
    NoticeChannel(MpiComm mpi, RankMap ranks) {
        this.mpi = mpi;
        this.ranks = ranks;
        received = allocate();
        sent = allocate();
    }

    /** Tells PEs of these original ranks, but not this one. */
    void tell(Notice notice, IntCollection receivers) throws MpiException {
        long bytes = notice.encode(sent);
        boolean isUsed = false;
        for (IntIterator all = receivers.iterator(); all.hasNext();) {
            int receiver = ranks.currentRankOf(all.nextInt());
            if (receiver != mpi.rank()) {
                MpiOperation message = mpi.send(sent.asSlice(0, bytes), receiver, TAG);
                if (!message.test()) {
                    underWay.add(message);
                    isUsed = true;
                }
            }
        }
        if (isUsed) {
            sent = allocate();
        }
    }

    private MemorySegment allocate() {
        return Arena.ofAuto().allocate(Notice.maxBytes(ranks.size()), Integer.BYTES);
    }

    /** Receives what has been told. */
    void look(Receiver receiver) throws MpiException {
        MpiComm.Message next = mpi.probe(MpiComm.ANY_SOURCE, TAG);
        while (next != null) {
            mpi.receiveNow(received, next);
            receiver.receive(ranks.originalRankOf(next.source()), Notice.decode(received.asSlice(0, next.bytes())));
            next = mpi.probe(MpiComm.ANY_SOURCE, TAG);
        }
        for (int i = underWay.size() - 1; i >= 0; i--) {
            if (underWay.get(i).test()) {
                underWay.remove(i);
            }
        }
    }
}
