package org.restorej.demo.transport;

/** The MPIs that {@code bin/mpirun-java --mpi} knows, in the order in which one is taken when none is named. */
public enum MpiName {
    /** The machine's Open MPI. */
    OPENMPI("openmpi", "Open MPI", ""),
    /** MPICH. */
    MPICH("mpich", "MPICH", " --mpich"),
    /** Open MPI 6. */
    OPENMPI6("openmpi6", "Open MPI 6", " --openmpi6"),
    /** MPICH 5. */
    MPICH5("mpich5", "MPICH 5", " --openmpi6"),
    /** Open MPI 6, called by the standard's binary interface. */
    ABI_OPENMPI("abi-openmpi", "Open MPI 6 with the standard ABI", " --openmpi6"),
    /** MPICH 5, called by the standard's binary interface. */
    ABI_MPICH("abi-mpich", "MPICH 5 with the standard ABI", " --openmpi6"),
    /** An Open MPI whose processes survive the failure of others. */
    ULFM("ulfm", "Open MPI with ULFM", " --ulfm"),
    /** Such a one of Open MPI 6. */
    ULFM6("ulfm6", "Open MPI 6 with ULFM", " --openmpi6");

    private final String option;
    private final String title;
    private final String bootstrapOption;

    MpiName(String option, String title, String bootstrapOption) {
        this.option = option;
        this.title = title;
        this.bootstrapOption = bootstrapOption;
    }

    /** For people. */
    String title() {
        return title;
    }

    /** The command that makes it available. */
    String remedy() {
        return "bin/bootstrap" + bootstrapOption;
    }

    /** Whether its Java bindings can be had. */
    boolean hasBindings() {
        return this == OPENMPI || this == ULFM;
    }

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return option;
    }
}
