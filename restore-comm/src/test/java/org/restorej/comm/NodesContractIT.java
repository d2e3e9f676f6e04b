package org.restorej.comm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.TestFactory;
import org.restorej.comm.testing.mpi.ContractJobs;
import org.restorej.comm.testing.mpi.MpiFlavour;
import org.restorej.comm.testing.mpi.Nodes;
import org.restorej.testing.Deep;

/** The contract of communicators between nodes, by TCP. */
@Deep
class NodesContractIT {
    private static final int NODES = 3;
    private static final int RANKS = 6;
    private static final List<Nodes> MADE = new ArrayList<>();

    @TestFactory
    Stream<DynamicContainer> keepsItsPromises() {
        Nodes.require();
        return MpiFlavour.onEach(List.of(MpiFlavour.OPEN_MPI, MpiFlavour.ULFM, MpiFlavour.ULFM_6),
                flavour -> new ContractJobs(flavour, () -> Optional.of(nodes()))
                        .add(new CommunicatorContractPrograms(), RANKS).tests());
    }

    /** Made by the first job. */
    private static Nodes nodes() {
        if (MADE.isEmpty()) {
            MADE.add(Nodes.up(NODES));
        }
        return MADE.getFirst();
    }

    @AfterAll
    static void removeNodes() {
        MADE.forEach(Nodes::close);
    }
}
