package org.restorej.comm;

import org.restorej.comm.testing.ContractProgram;

import java.util.List;
import java.util.stream.Stream;

/** What every {@link Communicator} promises where nobody dies: runs on all implementations. */
final class CommunicatorContractPrograms {
    /** All programs; each can be found by its name in a job of its own, or all be run one after the other. */
    static final List<ContractProgram> ALL = Stream
            .concat(PointToPointPrograms.all().stream(), CollectivePrograms.all().stream()).toList();

    private CommunicatorContractPrograms() {}

    /** The program of this name. */
    static ContractProgram named(String name) {
        return ALL.stream().filter(program -> program.name().equals(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no contract program of this name: name=" + name));
    }
}
