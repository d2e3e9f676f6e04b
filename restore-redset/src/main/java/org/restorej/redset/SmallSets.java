package org.restorej.redset;

/** What becomes of a set that has too few processes for the scheme wished for. */
public enum SmallSets {
    /** It is an error, which names the set. */
    REFUSE,
    /**
     * The set gets as much as it can have. A set of {@code p} processes has at most {@code p - 1} replicas or
     * checksums. One process alone gets SINGLE, which describes its files and can't rebuild any.
     */
    DEGRADE;

    /**
     * The scheme of a set.
     *
     * @param wanted the scheme wished for
     * @param ranks processes of the set
     * @throws IllegalArgumentException when the set can't have it, and no lesser one is allowed or possible
     */
    public Scheme schemeFor(Scheme wanted, int ranks) {
        if (this == DEGRADE && ranks < wanted.smallestSet()) {
            if (ranks == 1) {
                return Scheme.single();
            }
            return wanted instanceof Scheme.Coded ? Scheme.rs(ranks - 1) : Scheme.partner(ranks - 1);
        }
        wanted.checkSetOf(ranks);
        return wanted;
    }
}
