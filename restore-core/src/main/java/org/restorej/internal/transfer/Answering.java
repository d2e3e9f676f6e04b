package org.restorej.internal.transfer;

import java.util.function.Consumer;
import org.restorej.comm.SparseAllToAll;

/**
 * The rest of a pull that has brought this PE what it wants: the answers to what the others still ask for. It ends when
 * all PEs say that they have what they want, so that nobody asks for anything any more.
 */
final class Answering {
    private final SparseAllToAll.Round round;
    private final Transfers transfers;
    private final Consumer<SparseAllToAll.Message> answer;

    /**
     * What is still to be answered.
     *
     * @param round in which the others ask
     * @param transfers that bring the answers
     * @param answer begins to send what a message asks for
     */
    Answering(SparseAllToAll.Round round, Transfers transfers, Consumer<SparseAllToAll.Message> answer) {
        this.round = round;
        this.transfers = transfers;
        this.answer = answer;
    }

    /** Does what can be done now. */
    void progress() {
        for (SparseAllToAll.Message next = round.poll(); next != null; next = round.poll()) {
            answer.accept(next);
        }
        transfers.progress();
    }

    /** All PEs have what they want: what was sent has been received. */
    void finish() {
        while (!transfers.progress()) {
            Thread.onSpinWait();
        }
    }
}
