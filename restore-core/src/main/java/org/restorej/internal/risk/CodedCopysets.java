package org.restorej.internal.risk;

/**
 * Copysets of coded blocks: any so many of the PEs that have parts of them. As many sets as there are ways to choose
 * these, so for a code with many parity parts there are too many.
 */
public final class CodedCopysets {
    private static final int MOST_SETS = 100_000;

    private final Copysets.Builder copysets;

    /** Adds to a builder. */
    public CodedCopysets(Copysets.Builder copysets) {
        this.copysets = copysets;
    }

    /**
     * Adds all sets of some holders.
     *
     * @param holders the first {@code count} are who has parts; several times, who has several
     * @param fatal how many parts must go before something is lost, at least 1
     * @throws UnsupportedOperationException where there are more than 100,000 such sets
     */
    public void add(int[] holders, int count, int fatal) {
        long sets = 1;
        for (int i = 1; i <= fatal; i++) {
            sets = sets * (count - fatal + i) / i;
            if (sets > MOST_SETS) {
                throw new UnsupportedOperationException("a risk is computed where at most " + MOST_SETS
                        + " sets of holders of a block are fatal: parts=" + count + ", fatal=" + fatal);
            }
        }
        choose(holders, count, new int[fatal], 0, 0);
    }

    private void choose(int[] holders, int count, int[] chosen, int size, int from) {
        if (size == chosen.length) {
            copysets.add(chosen, size);
            return;
        }
        for (int next = from; next <= count - (chosen.length - size); next++) {
            chosen[size] = holders[next];
            choose(holders, count, chosen, size + 1, next + 1);
        }
    }
}
