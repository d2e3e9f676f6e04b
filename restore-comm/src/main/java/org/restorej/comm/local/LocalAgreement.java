package org.restorej.comm.local;

import org.restorej.comm.Communicator.Agreement;
import org.restorej.comm.Communicator.PendingAgreement;
import org.restorej.internal.program.Background;
import org.restorej.comm.local.LocalCluster.FaultInjector.Operation;

/** One PE's part in an agreement of the local cluster. */
final class LocalAgreement implements PendingAgreement {
    private final Pe pe;
    private final SurvivorRound round;

    LocalAgreement(Pe pe, SurvivorRound round) {
        this.pe = pe;
        this.round = round;
    }

    @Override
    public boolean test() {
        boolean agreed = pe.perform(Operation.TEST, round, () -> {
            boolean decided = round.tryDecide();
            if (!decided) {
                pe.pollInVain();
            }
            return decided;
        });
        if (!agreed) {
            Background.progress();
        }
        return agreed;
    }

    @Override
    public Agreement agreement() {
        return round.agreement();
    }

    @Override
    public void cancel() {
        // The other PEs already have the flags.
    }
}
