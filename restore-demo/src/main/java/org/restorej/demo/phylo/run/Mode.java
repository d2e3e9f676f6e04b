package org.restorej.demo.phylo.run;

import java.util.Locale;

/** What an iteration is. */
public enum Mode {
    /** One log-likelihood of the fixed tree. */
    EVALUATE,
    /** One pass over all branch lengths, and alpha where there is one. */
    OPTIMIZE;

    /** As it is written on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
