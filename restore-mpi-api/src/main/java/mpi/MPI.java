package mpi;

/** Entry points and constants. */
public final class MPI {
    /** All processes. */
    public static Intracomm COMM_WORLD;
    /** Bytes. */
    public static Datatype BYTE;
    /** Integers of 32 bits. */
    public static Datatype INT;
    /** Integers of 64 bits. */
    public static Datatype LONG;
    /** Floating-point numbers of 64 bits. */
    public static Datatype DOUBLE;
    /** Sum. */
    public static Op SUM;
    /** Maximum. */
    public static Op MAX;
    /** Minimum. */
    public static Op MIN;
    /** Any sender. */
    public static int ANY_SOURCE;
    /** Any tag. */
    public static int ANY_TAG;
    /** Files: make one that is not there. */
    public static int MODE_CREATE;
    /** Files: only read. */
    public static int MODE_RDONLY;
    /** Files: only write. */
    public static int MODE_WRONLY;
    /** Only one thread runs. */
    public static int THREAD_SINGLE;
    /** Several threads, of which one calls MPI. */
    public static int THREAD_FUNNELED;
    /** Several threads, one at a time. */
    public static int THREAD_SERIALIZED;
    /** Several threads at once. */
    public static int THREAD_MULTIPLE;

    private MPI() {}

    /**
     * Initialises MPI for one thread.
     *
     * @param args arguments of the program
     * @return what is left of them
     * @throws MPIException an error of the MPI library
     */
    public static String[] Init(String[] args) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Initialises MPI for threads.
     *
     * @param args arguments of the program
     * @param required wanted thread level
     * @return granted thread level
     * @throws MPIException an error of the MPI library
     */
    public static int InitThread(String[] args, int required) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Ends MPI.
     *
     * @throws MPIException an error of the MPI library
     */
    public static void Finalize() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Whether MPI is initialised.
     *
     * @throws MPIException an error of the MPI library
     */
    public static boolean isInitialized() throws MPIException {
        throw MpiSignatures.absent();
    }

}
