package org.restorej.comm;

import org.restorej.comm.collective.ArrayArgumentPrograms;
import org.restorej.comm.collective.ArrayPrograms;

import java.util.List;
import java.util.stream.Stream;
import org.restorej.comm.testing.ContractProgram;
import org.restorej.comm.testing.ContractSuite;

/** What every {@link Communicator} promises where nobody fails: runs on all implementations. */
public final class CommunicatorContractPrograms implements ContractSuite {
    /** All programs; each can be found by its name in a job of its own, or all be run one after the other. */
    public static final List<ContractProgram> ALL = Stream
            .of(PointToPointPrograms.all(), CollectivePrograms.all(), SeveralAgreementsPrograms.all(),
                    RevocationPrograms.all(), ArrayPrograms.all(),
                    ArrayArgumentPrograms.all(), SplitPrograms.all())
            .flatMap(List::stream).toList();

    @Override
    public List<ContractProgram> programs() {
        return ALL;
    }

}
