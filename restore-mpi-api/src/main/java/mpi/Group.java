package mpi;

/** A group of processes. */
public final class Group implements Freeable {
    Group() {}

    @Override
    public void free() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Returns the number of processes.
     *
     * @throws MPIException an error of the MPI library
     */
    public int getSize() throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Returns the group of some of the processes.
     *
     * @param ranks their ranks, in the order of the new group
     * @throws MPIException an error of the MPI library
     */
    public Group incl(int[] ranks) throws MPIException {
        throw MpiSignatures.absent();
    }

    /**
     * Translates ranks of one group into those of another.
     *
     * @param group1 first group
     * @param ranks1 ranks in the first group
     * @param group2 second group
     * @return ranks in the second group, {@link MPI#UNDEFINED} where there is none
     * @throws MPIException an error of the MPI library
     */
    public static int[] translateRanks(Group group1, int[] ranks1, Group group2) throws MPIException {
        throw MpiSignatures.absent();
    }
}
